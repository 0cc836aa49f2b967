"""Rounds that are decided from outside: decks by counter, every ending valued by the kernels."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.advice import optimal_strategy
from croupier.analysis.kernels.simulate import philox, tally
from croupier.analysis.simulation.simulation_setup import SimulationSetup, build_seating, build_setup, worth
from croupier.games import House

Longs = NDArray[np.int64]
Flags = NDArray[np.int8]


class Rounds:
    """So many rounds at once, each with the same number of seats."""

    def __init__(self, house: House, count: int, players: int = 1, *, exact: bool = False) -> None:
        self.house, self.count, self.players, self.exact = house, count, players, exact
        self.game: SimulationSetup = build_setup(house)
        self.seating = build_seating(house, players)
        self.main = worth(self.game, self.seating).main[:, tally.NET]
        self.places, _ = self.game.dealt(players)
        self.streets = house.game.streets
        self.options = self.game.options
        self.lines = list(product(*(range(len(words)) for words in self.options)))
        self.sizes = np.array([len(words) for words in self.options])
        self.decks = np.zeros((count, 52), np.uint8)
        self.results = np.zeros((count, players, len(self.lines)), np.float64)
        self.street = np.zeros((count, players), np.int64)
        self.made = np.zeros((count, players, len(self.streets)), np.int64)
        self.over = np.ones((count, players), np.bool_)
        self.seed, self.next = 0, 0

    @property
    def width(self) -> int:
        """The length of an observation: own cards, every place of the board, street, bets."""
        return 52 * (1 + self.house.game.community_cards) + 2 * len(self.streets)

    @property
    def most(self) -> int:
        """The greatest number of options on a street."""
        return int(self.sizes.max())

    def begin(self, seed: int) -> None:
        """From the first round of a seed on."""
        self.seed, self.next = seed, 0
        self.deal(np.arange(self.count))

    def deal(self, rows: Longs) -> None:
        """New decks for these rounds, and what every line of answers would bring."""
        if not len(rows):
            return
        decks = np.zeros((1, 52, len(rows)), np.uint8)
        key = np.array([self.seed & 0xFFFFFFFF, self.seed >> 32 & 0xFFFFFFFF], np.uint64)
        philox.deal_many(self.next, key, philox.least_words(), decks)
        self.next += len(rows)
        self.decks[rows] = decks[0].T
        codes = np.zeros((1, self.players, 1, len(rows)), np.int32)
        for at, line in enumerate(self.lines):
            fixed = np.tile(np.array(line, np.int64), (self.players, 1))
            self.game.judge_decks(
                decks, self.places, *self.game.arguments, fixed, self.game.kinds[:0], codes
            )
            self.results[rows, :, at] = self.main[codes[0, :, 0].T] / self.seating.ante
        self.street[rows], self.made[rows], self.over[rows] = 0, 0, False

    def answer(self, row: int | Longs, seat: int, numbers: Any) -> Any:
        """Answers of a seat in these rounds; says what each has won, 0 while it goes on."""
        rows, given = np.atleast_1d(row), np.atleast_1d(numbers).astype(np.int64)
        street = self.street[rows, seat]
        # What is not legal counts as the answer that risks least.
        given = np.where((given >= 0) & (given < self.sizes[street]), given, 0)
        self.made[rows, seat, street] = given
        ends = self.ends()[street, given]
        self.over[rows, seat] = ends
        self.street[rows, seat] = np.where(ends, street, street + 1)
        line = np.zeros(len(rows), np.int64)
        for at, size in enumerate(self.sizes):
            line = line * size + self.made[rows, seat, at]
        return np.where(ends, self.results[rows, seat, line], 0.0)

    def ends(self) -> NDArray[np.bool_]:
        """By street and answer: whether nothing is asked of the seat after it."""
        found = np.zeros((len(self.streets), self.most), np.bool_)
        for at, words in enumerate(self.options):
            for number, word in enumerate(words):
                option = self.streets[at].option(word)
                wager = option.wager if option else ""
                later = {one.wager for street in self.streets[at + 1 :] for one in street.options}
                last = at == len(self.streets) - 1
                found[at, number] = last or word == "fold" or (wager != "" and wager in later)
        return found

    def mask(self, row: int, seat: int) -> Flags:
        """Which answers are legal now; none when the seat's round is over."""
        (legal,) = self.masks(np.array([row]), seat)
        return cast("Flags", legal)

    def masks(self, rows: Longs, seat: int) -> Flags:
        """The same in many rounds."""
        sizes = np.where(self.over[rows, seat], 0, self.sizes[self.street[rows, seat]])
        legal: Flags = (np.arange(self.most) < sizes[:, None]).astype(np.int8)
        return legal

    def own_places(self, seat: int) -> Longs:
        """Where a seat's own cards lie in the deck."""
        own = self.house.game.player_cards
        start = len(self.places) - own * (self.players - seat)
        return self.places[start : start + own]

    def cards(self, row: int, seat: int) -> tuple[list[int], list[int]]:
        """What a seat may see: its own cards, and the board as it lies."""
        deck, board = self.decks[row], self.house.game.community_cards
        shown = board if self.over[row, seat] else self.streets[self.street[row, seat]].shown
        held: list[int] = deck[self.own_places(seat)].tolist()
        return held, deck[self.places[:shown]].tolist() if board else []

    def observe(self, row: int, seat: int) -> Flags:
        """The cards a seat may see, the street, and the answers given so far."""
        (seen,) = self.observations(np.array([row]), seat)
        return cast("Flags", seen)

    def observations(self, rows: Longs, seat: int) -> Flags:
        """The same in many rounds."""
        seen = np.zeros((len(rows), self.width), np.int8)
        decks = self.decks[rows].astype(np.int64)
        over, street = self.over[rows, seat], self.street[rows, seat]
        np.put_along_axis(seen, decks[:, self.own_places(seat)], 1, axis=1)
        board = self.house.game.community_cards
        shown = np.where(over, board, np.array([one.shown for one in self.streets])[street])
        for at in range(board):
            lying = np.flatnonzero(shown > at)
            seen[lying, 52 * (at + 1) + decks[lying, self.places[at]]] = 1
        streets = len(self.streets)
        going = np.flatnonzero(~over)
        seen[going, self.width - 2 * streets + street[going]] = 1
        seen[:, -streets:] = self.made[rows, seat]
        return seen

    def told(self, row: int, seat: int) -> dict[str, Any]:
        """The mask, and on request what each legal answer is worth, in antes."""
        found: dict[str, Any] = {"action_mask": self.mask(row, seat)}
        if self.exact and not self.over[row, seat]:
            found["values"] = {word: float(ev) for word, ev in self.values(row, seat).items()}
        return found

    def values(self, row: int, seat: int) -> dict[str, Fraction]:
        """What each answer is worth under the best play after it, exactly."""
        at = int(self.street[row, seat])
        bets: dict[str, int] = {}
        for before in range(at):
            word = self.options[before][int(self.made[row, seat, before])]
            option = self.streets[before].option(word)
            if option and option.wager:
                bets[option.wager] = option.times
        held, board = self.cards(row, seat)
        answers = optimal_strategy(self.house).ask(self.streets[at].name, held, board, bets)
        return {one.option: one.ev for one in answers}
