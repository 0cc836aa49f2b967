"""Compare the simulator with the table on the same decks and decisions, round by round.

    python -m tools.simulator_check --rounds 100000 ultimate_texas_holdem

Checks every seat's net result, envy included, and every meter after every round.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from croupier import submission
from croupier.analysis.advice import best_option
from croupier.analysis.kernels.simulate import philox, tally
from croupier.analysis.simulation.batch_settlement import RoundSettler
from croupier.analysis.simulation.simulation_setup import (
    CodeValues,
    Seating,
    SimulationSetup,
    build_seating,
    build_setup,
    code_values,
)
from croupier.games import CATALOGUE, House
from croupier.table import Round, Shoe, Table
from croupier.table.commands import Decide, NoMoreBets, PlaceWagers, Settle


def decks_of(seed: int, rounds: int, first: int = 0) -> np.ndarray:
    """Whole decks of consecutive rounds, as one batch: [0, card, round]."""
    decks = np.zeros((1, 52, rounds), np.uint8)
    key = np.array([seed, 0], np.uint64)
    philox.deal_many(first, key, philox.rejection_thresholds(), decks)
    return decks


def codes_of(game: SimulationSetup, seating: Seating, decks: np.ndarray) -> np.ndarray:
    """The kernel's codes of these decks: [round, seat, wager]."""
    codes = np.zeros((1, seating.seats, len(game.sides) + 1, decks.shape[2]), np.int32)
    places, _ = game.dealt(seating.seats)
    game.judge_decks(decks, places, *game.arguments, game.fixed(seating), game.kinds, codes)
    rows: np.ndarray = codes[0].transpose(2, 0, 1)
    return rows


def stakes_of(house: House, seating: Seating) -> dict[str, int]:
    """The stakes of every seat before the deal."""
    main = {w.name: seating.ante for w in house.game.wagers if w.role in ("ante", "matching")}
    return {**main, **seating.stakes}


def play_round(table: Table, seating: Seating, deck: Sequence[int]) -> Round:
    """Play one round at the table with the optimal strategy."""
    house = table.house
    shoe = Shoe(list(deck))
    for seat in range(1, seating.seats + 1):
        table.do(PlaceWagers(seat, stakes_of(house, seating), player=f"player {seat}"))
    table.do(NoMoreBets())
    while (due := shoe.serve(table)).kind == "decide":
        table.do(Decide(due.seat, best_option(house, table.in_progress(), due.seat)))
    table.do(Settle())
    assert table.round is not None
    return table.round


class Simulated:
    """The simulator's results, round by round."""

    def __init__(self, house: House, count: int) -> None:
        self.game: SimulationSetup = build_setup(house)
        self.seating: Seating = build_seating(house, count)
        self.worth: CodeValues = code_values(self.game, self.seating)
        self.register = RoundSettler(self.game, self.seating, self.worth)

    def nets(self, number: int, codes: Sequence[Sequence[int]]) -> dict[int, int]:
        """Every seat's net result of a round, as in a block."""
        change = None
        if any(self.marked(row) for row in codes):
            change = self.register.settle(number, codes)
        else:
            self.register.feed(number + 1)
        return {
            seat: int(self.worth.main[row[0], tally.NET])
            + sum(int(self.worth.sides[at, code, tally.NET]) for at, code in enumerate(row[1:]))
            + (change.of(seat) if change else 0)
            for seat, row in enumerate(codes, 1)
        }

    def marked(self, row: Sequence[int]) -> bool:
        """Whether the kernel marks a round with these codes for settlement."""
        columns = [self.worth.main[row[0]]]
        columns += [self.worth.sides[at, code] for at, code in enumerate(row[1:])]
        covered = sum(int(row[tally.COVERED]) for row in columns)
        return any(row[tally.MARKED] for row in columns) or covered > self.worth.limit

    def all_marked(self, codes: np.ndarray) -> np.ndarray:
        """The numbers of the marked rounds among many."""
        columns = self.worth.main[codes[:, :, 0]].astype(np.int64)
        for at in range(codes.shape[2] - 1):
            columns += self.worth.sides[at, codes[:, :, at + 1]]
        rows = (columns[..., tally.MARKED] > 0) | (columns[..., tally.COVERED] > self.worth.limit)
        return np.flatnonzero(rows.any(axis=1))


def differences(house: House, rounds: int, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rounds in which simulator and table differ; there should be none."""
    simulated, table = Simulated(house, count), Table(house)
    for first in range(0, rounds, 10_000):
        decks = decks_of(seed, min(10_000, rounds - first), first)
        for at, codes in enumerate(codes_of(simulated.game, simulated.seating, decks).tolist()):
            number = first + at
            ours = simulated.nets(number, codes)
            boxes = play_round(table, simulated.seating, decks[0, :, at].tolist()).boxes
            theirs = {seat: box.net for seat, box in boxes.items()}
            if ours != theirs or simulated.register.meters != table.meters:
                yield {"round": number, "ours": ours, "theirs": theirs, "codes": codes}


def main() -> int:
    """Compare; status 1 if a round differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="*", default=[game.key for game in CATALOGUE])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seats", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differ = 0
    for key in options.game:
        house = submission.example(key)
        result = list(differences(house, options.rounds, options.seats, options.seed))
        print(
            f"{key}: {options.rounds:,} rounds, {options.seats} seats, {len(result)} differ",
            flush=True,
        )
        differ += len(result)
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
