"""Gymnasium environments of one seat against the house."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.analysis.envs.episode import Episodes, Flags
from croupier.games import House
from croupier.submission import example

Info = dict[str, Any]
MOST_ACTION = 3  # the largest action number in an observation
SEEDS = 2**63 - 1


def house_of(house: House | str) -> House:
    """A House, or the example House of a game key."""
    return example(house) if isinstance(house, str) else house


def observation_space(rounds: Episodes) -> spaces.Space[Any]:
    return spaces.Box(0, MOST_ACTION, (rounds.width,), np.int8)


class GameEnv(gym.Env[Flags, np.int64]):
    """One round is one episode; `action_masks` follows the interface of sb3-contrib."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, house: House | str, *, exact: bool = False, render_mode: str | None = None
    ) -> None:
        self.rounds = Episodes(house_of(house), 1, exact=exact)
        self.observation_space = observation_space(self.rounds)
        self.action_space = spaces.Discrete(self.rounds.most_actions)
        self.render_mode = render_mode
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Flags, Info]:
        """Deal a new round; with a seed, the first one of that seed."""
        super().reset(seed=seed)
        if seed is not None or not self._started:
            self.rounds.start(int(self.np_random.integers(SEEDS)))
            self._started = True
        else:
            self.rounds.deal(np.array([0]))
        return self.rounds.observe(0, 0), self.rounds.info(0, 0)

    def step(self, action: np.int64) -> tuple[Flags, float, bool, bool, Info]:
        """Take an action on the current street."""
        reward = self.rounds.act(0, 0, int(action))[0]
        over = bool(self.rounds.over[0, 0])
        return self.rounds.observe(0, 0), float(reward), over, False, self.rounds.info(0, 0)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as flags."""
        return self.rounds.mask(0, 0).astype(np.bool_)

    def render(self) -> str:
        """The visible cards."""
        from croupier.cards import names

        held, board = self.rounds.cards(0, 0)
        return f"{' '.join(names(held))} | {' '.join(names(board))}"


class GameVectorEnv(gym.vector.VectorEnv[Any, Any, Any]):
    """Many independent seats at once; a finished round is reset in the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, house: House | str, num_envs: int = 1, *, exact: bool = False) -> None:
        self.rounds = Episodes(house_of(house), num_envs, exact=exact)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.rounds)
        self.single_action_space = spaces.Discrete(self.rounds.most_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._started = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], Info]:
        """Deal new rounds everywhere; one seed is enough for all of them."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        if first is not None or not self._started:
            self.rounds.start(int(self.np_random.integers(SEEDS)))
            self._started = True
        else:
            self.rounds.deal(np.arange(self.num_envs))
        return self._observations(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Act everywhere; where a round was over, deal a new one and ignore the action."""
        rounds = self.rounds
        ended = rounds.over[:, 0].copy()
        active = np.flatnonzero(~ended)
        rewards = np.zeros(self.num_envs)
        if len(active):
            rewards[active] = rounds.act(active, 0, np.asarray(actions)[active])
        over = rounds.over[:, 0] & ~ended
        rounds.deal(np.flatnonzero(ended))
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(), rewards, over, truncated, self._info()

    def _observations(self) -> NDArray[np.int8]:
        return self.rounds.observations(np.arange(self.num_envs), 0)

    def _info(self) -> Info:
        info: Info = {"action_mask": self.rounds.masks(np.arange(self.num_envs), 0)}
        if self.rounds.exact:
            info["values"] = np.array(
                [self.rounds.info(row, 0).get("values", {}) for row in range(self.num_envs)], object
            )
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as flags, by environment."""
        masks: NDArray[np.bool_] = self._info()["action_mask"].astype(np.bool_)
        return masks
