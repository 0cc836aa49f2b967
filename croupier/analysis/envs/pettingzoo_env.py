"""PettingZoo (AEC) environment of up to six seats at one board."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from croupier.analysis.envs.episode import Episodes, Flags
from croupier.analysis.envs.gymnasium_env import SEEDS, house_of, observation_space
from croupier.games import House


class TableEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """Seats act street by street in seat order; a seat is rewarded when its round ends."""

    metadata = {"render_modes": [], "name": "croupier_table_v0", "is_parallelizable": False}

    def __init__(self, house: House | str, seats: int = 6, *, exact: bool = False) -> None:
        super().__init__()
        self.rounds = Episodes(house_of(house), 1, seats, exact=exact)
        self.possible_agents = [f"seat_{seat}" for seat in range(1, seats + 1)]
        self.render_mode = None
        most = self.rounds.tree.most_actions
        space = {
            "observation": observation_space(self.rounds),
            "action_mask": spaces.Box(0, 1, (most,), np.int8),
        }
        self._observations = {agent: spaces.Dict(space) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(most) for agent in self.possible_agents}
        self._started = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A dictionary of the observation and the action mask."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions by number."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new round for the whole table; with a seed, the first one of that seed."""
        if seed is not None or not self._started:
            generator, _ = seeding.np_random(seed)
            self.rounds.start(int(generator.integers(SEEDS)))
            self._started = True
        else:
            self.rounds.deal(np.array([0]))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.rounds.info(0, self.seat(agent)) for agent in self.agents}
        self.agent_selection = self.agents[0]

    def seat(self, agent: str) -> int:
        """The seat number of an agent, from 0."""
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> dict[str, Flags]:
        """The visible cards of a seat and its legal actions."""
        seat = self.seat(agent)
        return {
            "observation": self.rounds.observe(0, seat),
            "action_mask": self.rounds.mask(0, seat),
        }

    def step(self, action: Any) -> None:
        """Take the action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat = self.seat(agent)
        self.rewards[agent] = float(self.rounds.act(0, seat, int(action))[0])
        self.terminations[agent] = bool(self.rounds.over[0, seat])
        self.infos[agent] = self.rounds.info(0, seat)
        self.agent_selection = self._next(agent)
        self._accumulate_rewards()
        self._deads_step_first()

    def _next(self, agent: str) -> str:
        """The next seat with a decision on the earliest open street."""
        active = [other for other in self.agents if not self.terminations[other]]
        if not active:
            return agent
        return min(
            active, key=lambda other: (self.rounds.street(0, self.seat(other)), self.seat(other))
        )
