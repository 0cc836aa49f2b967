"""Up to six seats at one board, as a PettingZoo environment in which one acts after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from croupier.analysis.envs.episode import Flags, Rounds
from croupier.analysis.envs.gymnasium_env import SEEDS, house_of, seen_by
from croupier.games import House


class TableEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """Street by street in seat order, as the dealer asks; rewards come when a seat's round ends."""

    metadata = {"render_modes": [], "name": "croupier_table_v0", "is_parallelizable": False}

    def __init__(self, house: House | str, seats: int = 6, *, exact: bool = False) -> None:
        super().__init__()
        self.rounds = Rounds(house_of(house), 1, seats, exact=exact)
        self.possible_agents = [f"seat_{seat}" for seat in range(1, seats + 1)]
        self.render_mode = None
        seen = {"observation": seen_by(self.rounds),
                "action_mask": spaces.Box(0, 1, (self.rounds.most,), np.int8)}  # fmt: skip
        self._observed = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self._answers = {agent: spaces.Discrete(self.rounds.most) for agent in self.possible_agents}
        self._begun = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What a seat is shown: its observation, and which answers are legal."""
        return self._observed[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The answers by their numbers."""
        return self._answers[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new deck for the whole table; with a seed, the first of that seed."""
        if seed is not None or not self._begun:
            chance, _ = seeding.np_random(seed)
            self.rounds.begin(int(chance.integers(SEEDS)))
            self._begun = True
        else:
            self.rounds.deal(np.array([0]))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.rounds.told(0, self.seat(agent)) for agent in self.agents}
        self.agent_selection = self.agents[0]

    def seat(self, agent: str) -> int:
        """The place of a seat, from 0."""
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> dict[str, Flags]:
        """The cards that a seat may see, and its legal answers."""
        seat = self.seat(agent)
        return {
            "observation": self.rounds.observe(0, seat),
            "action_mask": self.rounds.mask(0, seat),
        }

    def step(self, action: Any) -> None:
        """The answer of the seat whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.seat(agent)
        self.rewards[agent] = float(self.rounds.answer(0, seat, int(action))[0])
        self.terminations[agent] = bool(self.rounds.over[0, seat])
        self.infos[agent] = self.rounds.told(0, seat)
        self.agent_selection = self._next(agent)
        self._accumulate_rewards()
        self._deads_step_first()

    def _next(self, agent: str) -> str:
        """The next seat that has a decision on the earliest street that is still open."""
        waiting = [one for one in self.agents if not self.terminations[one]]
        if not waiting:
            return agent
        return min(waiting, key=lambda one: (self.rounds.street[0, self.seat(one)], self.seat(one)))
