"""Episodes behind the environments: dealt by a counter-based RNG, valued by the kernels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.advice import optimal_strategy
from croupier.analysis.envs.decision_tree import DecisionTree
from croupier.analysis.kernels.simulate import philox, tally
from croupier.analysis.simulation.simulation_setup import (
    SimulationSetup,
    build_seating,
    build_setup,
    code_values,
)
from croupier.games import House

Longs = NDArray[np.int64]
Flags = NDArray[np.int8]


class Episodes:
    """A batch of rounds that are played by external actions, each with the same seats."""

    def __init__(self, house: House, count: int, players: int = 1, *, exact: bool = False) -> None:
        self.house, self.count, self.players, self.exact = house, count, players, exact
        self.game: SimulationSetup = build_setup(house)
        self.seating = build_seating(house, players)
        self.main = code_values(self.game, self.seating).main[:, tally.NET]
        self.places, _ = self.game.dealt(players)
        self.streets = house.game.streets
        self.options = self.game.options
        self.tree = DecisionTree(house.game, self.options)
        self.decks = np.zeros((count, 52), np.uint8)
        self.results = np.zeros((count, players, len(self.tree.endings)), np.float64)
        self.node = np.full((count, players), self.tree.endings[0])
        self.seed, self.next = 0, 0

    @property
    def over(self) -> NDArray[np.bool_]:
        """By round and seat: whether the seat has no further decision."""
        over: NDArray[np.bool_] = self.tree.over[self.node]
        return over

    def street(self, row: int, seat: int) -> int:
        """The street of a seat's decision, by number."""
        return self.tree.street[int(self.node[row, seat])]

    def start(self, seed: int) -> None:
        """Deal the first rounds of a seed."""
        self.seed, self.next = seed, 0
        self.deal(np.arange(self.count))

    def deal(self, rows: Longs) -> None:
        """Deal these rounds and compute the result of every sequence of actions."""
        if not len(rows):
            return
        decks = np.zeros((1, 52, len(rows)), np.uint8)
        key = np.array([self.seed & 0xFFFFFFFF, self.seed >> 32 & 0xFFFFFFFF], np.uint64)
        philox.deal_many(self.next, key, philox.rejection_thresholds(), decks)
        self.next += len(rows)
        self.decks[rows] = decks[0].T
        codes = np.zeros((1, self.players, 1, len(rows)), np.int32)
        for at, ending in enumerate(self.tree.endings):
            actions = np.array(self.tree.made[ending], np.int64)
            fixed = np.tile(actions, (self.players, 1))
            self.game.judge_decks(
                decks, self.places, *self.game.arguments, fixed, self.game.kinds[:0], codes
            )
            self.results[rows, :, at] = self.main[codes[0, :, 0].T] / self.seating.ante
        self.node[rows] = 0

    def act(self, row: int | Longs, seat: int, numbers: Any) -> Any:
        """Take a seat's actions in these rounds; returns the rewards, 0 while a round goes on."""
        rows, actions = np.atleast_1d(row), np.atleast_1d(numbers).astype(np.int64)
        actions = np.where((actions >= 0) & (actions < self.tree.most_actions), actions, 0)
        nodes = self.node[rows, seat] = self.tree.children[self.node[rows, seat], actions]
        results = self.results[rows, seat, self.tree.outcome[nodes]]
        return np.where(self.tree.over[nodes], results, 0.0)

    def mask(self, row: int, seat: int) -> Flags:
        """The legal actions as flags; none when the seat's round is over."""
        return cast("Flags", self.tree.masks[self.node[row, seat]].copy())

    def masks(self, rows: Longs, seat: int) -> Flags:
        """The same for many rounds."""
        return cast("Flags", self.tree.masks[self.node[rows, seat]])

    def own_places(self, seat: int) -> Longs:
        """The deck positions of a seat's own cards."""
        own = self.house.game.player_cards
        start = len(self.places) - own * (self.players - seat)
        return self.places[start : start + own]

    def cards(self, row: int, seat: int) -> tuple[list[int], list[int]]:
        """The cards a seat may see: its own, and the visible board."""
        deck = self.decks[row]
        shown = self.tree.shown[self.node[row, seat]]
        held: list[int] = deck[self.own_places(seat)].tolist()
        return held, deck[self.places[:shown]].tolist()

    def observe(self, row: int, seat: int) -> Flags:
        """The observation: visible cards, street, and actions so far."""
        (observation,) = self.observations(np.array([row]), seat)
        return cast("Flags", observation)

    def observations(self, rows: Longs, seat: int) -> Flags:
        """The same for many rounds."""
        nodes = self.node[rows, seat]
        encoded: Flags = self.tree.encoding[nodes]
        set_flags = self.flag_positions(rows, seat)
        own = self.house.game.player_cards
        np.put_along_axis(encoded, set_flags[:, :own], 1, axis=1)
        shown = self.tree.shown[nodes]
        for at in range(self.house.game.community_cards):
            visible = np.flatnonzero(shown > at)
            encoded[visible, set_flags[visible, own + at]] = 1
        return encoded

    def flag_positions(self, rows: Longs, seat: int) -> Longs:
        """Where an observation has the flags of a seat's own cards, then of each board card."""
        game = self.house.game
        board = self.places[: game.community_cards]
        dealt = self.decks[rows][:, np.concatenate([self.own_places(seat), board])]
        offsets = 52 * np.arange(1, 1 + game.community_cards)
        positions: Longs = dealt + np.concatenate([np.zeros(game.player_cards, np.int64), offsets])
        return positions

    def info(self, row: int, seat: int) -> dict[str, Any]:
        """The action mask and, with `exact`, the value of each legal action in antes."""
        info: dict[str, Any] = {"action_mask": self.mask(row, seat)}
        if self.exact and not self.tree.over[self.node[row, seat]]:
            info["values"] = {word: float(ev) for word, ev in self.values(row, seat).items()}
        return info

    def values(self, row: int, seat: int) -> dict[str, Fraction]:
        """The exact value of each action under optimal play after it."""
        node = self.node[row, seat]
        at = self.tree.street[node]
        bets: dict[str, int] = {}
        for before in range(at):
            word = self.options[before][self.tree.made[node][before]]
            option = self.streets[before].option(word)
            if option and option.wager:
                bets[option.wager] = option.times
        held, board = self.cards(row, seat)
        advice = optimal_strategy(self.house).ask(self.streets[at].name, held, board, bets)
        return {option.option: option.ev for option in advice}
