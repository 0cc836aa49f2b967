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
SEEDS = 2**63 - 1
BLOCK = 256  # rounds that a single environment deals at a time


def house_of(house: House | str) -> House:
    """A House, or the example House of a game key."""
    return example(house) if isinstance(house, str) else house


def observation_space(rounds: Episodes) -> spaces.Space[Any]:
    """Flags of cards and street, and numbers of actions."""
    return spaces.Box(0, rounds.tree.most_actions - 1, (rounds.tree.width,), np.int8)


class GameEnv(gym.Env[Flags, np.int64]):
    """One seat of a game; one round is one episode.

    An observation is a vector of small integers: 52 flags for the player's own cards, 52 for each
    place of the board (all 0 while its card is face down), one flag per street for the decision to
    make, and per street the number of the action taken there (0 if none). Cards are numbered as in
    `croupier.cards`: 0 is the deuce of clubs, 51 the ace of spades.

    An action is the number of an option of the current street, as `actions` lists them; the one
    that risks least is 0. The reward is the net result of the main game in antes when the round is
    over, and 0 before. `info["action_mask"]` flags the legal actions; with `exact=True`,
    `info["values"]` has the exact value of each in antes. `action_masks` follows the interface of
    sb3-contrib.

    Rounds are dealt in blocks: the numbers of a round are in row `row` of `rounds`.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, house: House | str, *, exact: bool = False, render_mode: str | None = None
    ) -> None:
        self.rounds = Episodes(house_of(house), BLOCK, exact=exact)
        self.observation_space = observation_space(self.rounds)
        self.action_space = spaces.Discrete(self.rounds.tree.most_actions)
        self.render_mode = render_mode
        self.row = BLOCK
        tree, own = self.rounds.tree, self.rounds.house.game.player_cards
        # By node; lists, because single items of arrays are slow.
        self._following, self._outcome = tree.following, tree.outcome.tolist()
        self._encodings, self._masks = list(tree.encoding), list(tree.masks)
        self._flags = (own + tree.shown).tolist()

    @property
    def actions(self) -> dict[str, tuple[str, ...]]:
        """The words of the actions by street, in the order of their numbers."""
        rounds = self.rounds
        return {street.name: words for street, words in zip(rounds.streets, rounds.options)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Flags, Info]:
        """Deal a new round; with a seed, the first one of that seed."""
        super().reset(seed=seed)
        self.row += 1
        if seed is not None or not self.rounds.next:
            self.rounds.start(int(self.np_random.integers(SEEDS)))
            self._read_block()
        elif self.row >= BLOCK:
            self.rounds.deal(np.arange(BLOCK))
            self._read_block()
        self._node = 0
        return self._observation(), self._info()

    def _read_block(self) -> None:
        """Go to the first round of a new block."""
        self.row = 0
        self._results = self.rounds.results[:, 0].tolist()
        self._positions = list(self.rounds.flag_positions(np.arange(BLOCK), 0))

    def step(self, action: np.int64) -> tuple[Flags, float, bool, bool, Info]:
        """Take an action on the current street."""
        number, following = int(action), self._following[self._node]
        if following:
            self._node = following[number if 0 <= number < len(following) else 0]
        over = not self._following[self._node]
        reward = self._results[self.row][self._outcome[self._node]] if over else 0.0
        return self._observation(), reward, over, False, self._info()

    def _observation(self) -> Flags:
        node = self._node
        encoded: Flags = self._encodings[node].copy()
        encoded[self._positions[self.row][: self._flags[node]]] = 1
        return encoded

    def _info(self) -> Info:
        if not self.rounds.exact:
            return {"action_mask": self._masks[self._node].copy()}
        self.rounds.node[self.row, 0] = self._node
        return self.rounds.info(self.row, 0)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as flags."""
        legal: NDArray[np.bool_] = self._masks[self._node].astype(np.bool_)
        return legal

    def cards(self) -> tuple[list[int], list[int]]:
        """The player's own cards and the visible board."""
        self.rounds.node[self.row, 0] = self._node
        return self.rounds.cards(self.row, 0)

    def render(self) -> str:
        """The visible cards."""
        from croupier.cards import names

        held, board = self.cards()
        return f"{' '.join(names(held))} | {' '.join(names(board))}"


class GameVectorEnv(gym.vector.VectorEnv[Any, Any, Any]):
    """Many independent seats at once; a finished round is reset in the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, house: House | str, num_envs: int = 1, *, exact: bool = False) -> None:
        self.rounds = Episodes(house_of(house), num_envs, exact=exact)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.rounds)
        self.single_action_space = spaces.Discrete(self.rounds.tree.most_actions)
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
