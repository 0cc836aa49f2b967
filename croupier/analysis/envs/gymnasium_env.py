"""One seat against the house, as Gymnasium environments."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.analysis.envs.episode import Flags, Rounds
from croupier.games import House
from croupier.submission import example

Info = dict[str, Any]
MOST_ANSWER = 3  # the greatest number of an answer that an observation carries
SEEDS = 2**63 - 1


def house_of(house: House | str) -> House:
    """A House, or the example of a game."""
    return example(house) if isinstance(house, str) else house


def seen_by(rounds: Rounds) -> spaces.Space[Any]:
    """What a seat is shown."""
    return spaces.Box(0, MOST_ANSWER, (rounds.width,), np.int8)


class GameEnv(gym.Env[Flags, np.int64]):
    """One round is one episode; `action_masks` is what sb3-contrib asks for."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, house: House | str, *, exact: bool = False, render_mode: str | None = None
    ) -> None:
        self.rounds = Rounds(house_of(house), 1, exact=exact)
        self.observation_space = seen_by(self.rounds)
        self.action_space = spaces.Discrete(self.rounds.most)
        self.render_mode = render_mode
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Flags, Info]:
        """A new deck; with a seed, the first of that seed."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            self.rounds.begin(int(self.np_random.integers(SEEDS)))
            self._begun = True
        else:
            self.rounds.deal(np.array([0]))
        return self.rounds.observe(0, 0), self.rounds.told(0, 0)

    def step(self, action: np.int64) -> tuple[Flags, float, bool, bool, Info]:
        """Answer on a street."""
        won = self.rounds.answer(0, 0, int(action))[0]
        over = bool(self.rounds.over[0, 0])
        return self.rounds.observe(0, 0), float(won), over, False, self.rounds.told(0, 0)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which answers are legal now."""
        return self.rounds.mask(0, 0).astype(np.bool_)

    def render(self) -> str:
        """The cards that may be seen."""
        from croupier.cards import names

        held, board = self.rounds.cards(0, 0)
        return f"{' '.join(names(held))} | {' '.join(names(board))}"


class GameVectorEnv(gym.vector.VectorEnv[Any, Any, Any]):
    """Many seats at many tables at once; a round that is over begins anew in the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, house: House | str, num_envs: int = 1, *, exact: bool = False) -> None:
        self.rounds = Rounds(house_of(house), num_envs, exact=exact)
        self.num_envs = num_envs
        self.single_observation_space = seen_by(self.rounds)
        self.single_action_space = spaces.Discrete(self.rounds.most)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """New decks everywhere; one seed is enough for all of them."""
        one = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=one)
        if one is not None or not self._begun:
            self.rounds.begin(int(self.np_random.integers(SEEDS)))
            self._begun = True
        else:
            self.rounds.deal(np.arange(self.num_envs))
        return self._seen(), self._told()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Answer everywhere; where a round was over, a new one is dealt and the answer ignored."""
        rounds = self.rounds
        ended = rounds.over[:, 0].copy()
        going = np.flatnonzero(~ended)
        rewards = np.zeros(self.num_envs)
        if len(going):
            rewards[going] = rounds.answer(going, 0, np.asarray(actions)[going])
        over = rounds.over[:, 0] & ~ended
        rounds.deal(np.flatnonzero(ended))
        return self._seen(), rewards, over, np.zeros(self.num_envs, np.bool_), self._told()

    def _seen(self) -> NDArray[np.int8]:
        return self.rounds.observations(np.arange(self.num_envs), 0)

    def _told(self) -> Info:
        told: Info = {"action_mask": self.rounds.masks(np.arange(self.num_envs), 0)}
        if self.rounds.exact:
            told["values"] = np.array(
                [self.rounds.told(row, 0).get("values", {}) for row in range(self.num_envs)], object
            )
        return told

    def action_masks(self) -> NDArray[np.bool_]:
        """Which answers are legal now, by environment."""
        masks: NDArray[np.bool_] = self._told()["action_mask"].astype(np.bool_)
        return masks
