"""Episodes behind the environments: dealt by a counter-based RNG, valued by the kernels."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.advice import optimal_strategy
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
        self.sequences = list(product(*(range(len(words)) for words in self.options)))
        self.sizes = np.array([len(words) for words in self.options])
        self.decks = np.zeros((count, 52), np.uint8)
        self.results = np.zeros((count, players, len(self.sequences)), np.float64)
        self.street = np.zeros((count, players), np.int64)
        self.made = np.zeros((count, players, len(self.streets)), np.int64)
        self.over = np.ones((count, players), np.bool_)
        self.seed, self.next = 0, 0

    @property
    def width(self) -> int:
        """The length of an observation: own cards, each board position, street, actions."""
        return 52 * (1 + self.house.game.community_cards) + 2 * len(self.streets)

    @property
    def most_actions(self) -> int:
        """The greatest number of options on a street."""
        return int(self.sizes.max())

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
        for at, sequence in enumerate(self.sequences):
            fixed = np.tile(np.array(sequence, np.int64), (self.players, 1))
            self.game.judge_decks(
                decks, self.places, *self.game.arguments, fixed, self.game.kinds[:0], codes
            )
            self.results[rows, :, at] = self.main[codes[0, :, 0].T] / self.seating.ante
        self.street[rows], self.made[rows], self.over[rows] = 0, 0, False

    def act(self, row: int | Longs, seat: int, numbers: Any) -> Any:
        """Take a seat's actions in these rounds; returns the rewards, 0 while a round goes on."""
        rows, actions = np.atleast_1d(row), np.atleast_1d(numbers).astype(np.int64)
        street = self.street[rows, seat]
        # An illegal action counts as the one that risks least.
        actions = np.where((actions >= 0) & (actions < self.sizes[street]), actions, 0)
        self.made[rows, seat, street] = actions
        ends = self.ends()[street, actions]
        self.over[rows, seat] = ends
        self.street[rows, seat] = np.where(ends, street, street + 1)
        sequence = np.zeros(len(rows), np.int64)
        for at, size in enumerate(self.sizes):
            sequence = sequence * size + self.made[rows, seat, at]
        return np.where(ends, self.results[rows, seat, sequence], 0.0)

    def ends(self) -> NDArray[np.bool_]:
        """By street and action: whether the seat has no further decision."""
        terminal = np.zeros((len(self.streets), self.most_actions), np.bool_)
        for at, words in enumerate(self.options):
            for number, word in enumerate(words):
                option = self.streets[at].option(word)
                wager = option.wager if option else ""
                later = {o.wager for street in self.streets[at + 1 :] for o in street.options}
                last = at == len(self.streets) - 1
                terminal[at, number] = last or word == "fold" or (wager != "" and wager in later)
        return terminal

    def mask(self, row: int, seat: int) -> Flags:
        """The legal actions as flags; none when the seat's round is over."""
        (legal,) = self.masks(np.array([row]), seat)
        return cast("Flags", legal)

    def masks(self, rows: Longs, seat: int) -> Flags:
        """The same for many rounds."""
        sizes = np.where(self.over[rows, seat], 0, self.sizes[self.street[rows, seat]])
        legal: Flags = (np.arange(self.most_actions) < sizes[:, None]).astype(np.int8)
        return legal

    def own_places(self, seat: int) -> Longs:
        """The deck positions of a seat's own cards."""
        own = self.house.game.player_cards
        start = len(self.places) - own * (self.players - seat)
        return self.places[start : start + own]

    def cards(self, row: int, seat: int) -> tuple[list[int], list[int]]:
        """The cards a seat may see: its own, and the visible board."""
        deck, board = self.decks[row], self.house.game.community_cards
        shown = board if self.over[row, seat] else self.streets[self.street[row, seat]].shown
        held: list[int] = deck[self.own_places(seat)].tolist()
        return held, deck[self.places[:shown]].tolist() if board else []

    def observe(self, row: int, seat: int) -> Flags:
        """The observation: visible cards, street, and actions so far."""
        (observation,) = self.observations(np.array([row]), seat)
        return cast("Flags", observation)

    def observations(self, rows: Longs, seat: int) -> Flags:
        """The same for many rounds."""
        encoded = np.zeros((len(rows), self.width), np.int8)
        decks = self.decks[rows].astype(np.int64)
        over, street = self.over[rows, seat], self.street[rows, seat]
        np.put_along_axis(encoded, decks[:, self.own_places(seat)], 1, axis=1)
        board = self.house.game.community_cards
        shown = np.where(over, board, np.array([s.shown for s in self.streets])[street])
        for at in range(board):
            visible = np.flatnonzero(shown > at)
            encoded[visible, 52 * (at + 1) + decks[visible, self.places[at]]] = 1
        streets = len(self.streets)
        active = np.flatnonzero(~over)
        encoded[active, self.width - 2 * streets + street[active]] = 1
        encoded[:, -streets:] = self.made[rows, seat]
        return encoded

    def info(self, row: int, seat: int) -> dict[str, Any]:
        """The action mask and, with `exact`, the value of each legal action in antes."""
        info: dict[str, Any] = {"action_mask": self.mask(row, seat)}
        if self.exact and not self.over[row, seat]:
            info["values"] = {word: float(ev) for word, ev in self.values(row, seat).items()}
        return info

    def values(self, row: int, seat: int) -> dict[str, Fraction]:
        """The exact value of each action under optimal play after it."""
        at = int(self.street[row, seat])
        bets: dict[str, int] = {}
        for before in range(at):
            word = self.options[before][int(self.made[row, seat, before])]
            option = self.streets[before].option(word)
            if option and option.wager:
                bets[option.wager] = option.times
        held, board = self.cards(row, seat)
        advice = optimal_strategy(self.house).ask(self.streets[at].name, held, board, bets)
        return {option.option: option.ev for option in advice}
