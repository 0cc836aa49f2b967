"""Blocks of simulated rounds: playing one, and storing them on disk for resumption.

A round's deck follows from the seed and the round number (counter-based RNG), and every shift
starts with new players, so a block is the same in every worker and in any order.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier import __version__
from croupier.analysis import disk_cache
from croupier.analysis.kernels.simulate import philox, tally
from croupier.analysis.simulation.simulation_setup import (
    CodeValues,
    Seating,
    SimulationSetup,
    build_setup,
    code_values,
)
from croupier.errors import BadInput
from croupier.games import House, canonical_text, house_from_text
from croupier.money import Cents

Longs = NDArray[np.int64]

BLOCK_ROUNDS = 2**18  # approximately: a block is a whole number of shifts
LOT = 2**13  # rounds per batch: their arrays fit into the processor's cache
LOTS = 2**2  # batches per call
MOST_ROUNDS = 2**62


class TableHours(NamedTuple):
    """Pace of the table, shift lengths, and buy-ins."""

    rounds_per_hour: int = 40
    hours: int = 8  # of a shift
    shifts_per_month: int = 90
    stay: int = 120  # rounds per player
    buy_in: Cents = 0  # 0: forty antes, or the largest stake of a round if that is more

    @property
    def per_shift(self) -> int:
        """Rounds per shift."""
        return self.rounds_per_hour * self.hours


class SimulationPlan(NamedTuple):
    """Everything that determines the results of a simulation."""

    terms: str  # the House as text
    seating: Seating
    rounds: int
    seed: int
    hours: TableHours

    @property
    def block(self) -> int:
        """Rounds per block, in whole shifts."""
        return max(1, BLOCK_ROUNDS // self.hours.per_shift) * self.hours.per_shift

    @property
    def blocks(self) -> int:
        """The number of blocks; the last may be shorter."""
        return -(-self.rounds // self.block)

    def bounds(self, number: int) -> tuple[int, int]:
        """The first round of a block, and the one after its last."""
        return number * self.block, min(self.rounds, (number + 1) * self.block)

    def size(self, number: int) -> int:
        """The number of rounds in a block."""
        first, last = self.bounds(number)
        return last - first

    @property
    def key(self) -> NDArray[np.uint64]:
        """The seed as the key of the generator."""
        return np.array([self.seed & 0xFFFFFFFF, self.seed >> 32], np.uint64)

    @property
    def digest(self) -> str:
        """Identifies the results: it covers the plan and the source code."""
        seating = self.seating._replace(stakes=dict(self.seating.stakes))
        text = msgspec.json.encode([self.terms, seating, self.rounds, self.seed, self.hours])
        source = f"{__version__} {disk_cache.source_digest()}".encode()
        return hashlib.sha256(source + text).hexdigest()[:24]


def make_plan(
    house: House, seating: Seating, rounds: int, seed: int, hours: TableHours
) -> SimulationPlan:
    """Check the arguments and make a plan; raises `BadInput`."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput(f"{rounds:,} rounds; expected 1 to {MOST_ROUNDS:,}")
    if not 0 <= seed < 2**64:
        raise BadInput(f"seed {seed}; expected 0 to 2^64 - 1")
    for name, value in hours._asdict().items():
        if value < (0 if name == "buy_in" else 1):
            raise BadInput(f"{name.replace('_', ' ')} {value}; expected at least 1")
    return SimulationPlan(canonical_text(house), seating, rounds, seed, hours)


class RoundBlock(NamedTuple):
    """Totals of a block: counts of codes, sums of money, and the rounds to settle one by one."""

    counts: Longs  # [seat, main code]
    side_counts: Longs  # [seat, wager, code]
    sums: Longs  # net by seat
    products: Longs  # sums of products of nets, by two seats
    shifts: Longs  # [shift, WIN HANDLE DROP]
    kept_rounds: Longs  # numbers of the rounds that `RoundSettler` pays
    kept_codes: NDArray[np.int32]  # [round, seat, code]


class PreparedGame(NamedTuple):
    """A game and the values of its codes at one seating."""

    game: SimulationSetup
    worth: CodeValues


@lru_cache(maxsize=4)
def prepare_game(terms: str, seating: Seating) -> PreparedGame:
    """Build the game from the text of its House, once per process."""
    game = build_setup(house_from_text(hashlib.sha256(terms.encode()).hexdigest(), terms))
    return PreparedGame(game, code_values(game, seating))


def largest_stake(prepared: PreparedGame, seating: Seating) -> Cents:
    """The largest total stake of a seat in a round."""
    most = max(sum(state.values()) for state in prepared.game.states) * seating.ante
    return most + sum(seating.stakes.values())


def next_batches(rounds: int) -> tuple[int, int]:
    """Number and size of the next batches; the last rounds form a batch of their own."""
    return (min(LOTS, rounds // LOT), LOT) if rounds >= LOT else (1, rounds)


def play_block(plan: SimulationPlan, number: int) -> RoundBlock:
    """Play one block: deal, decide, and tally batches of rounds."""
    seating, hours = plan.seating, plan.hours
    prepared = prepare_game(plan.terms, seating)
    game, (first, last) = prepared.game, plan.bounds(number)
    largest = largest_stake(prepared, seating)
    buy_in = max(hours.buy_in or 40 * seating.ante, largest)
    wagers, widest, _ = prepared.worth.sides.shape
    counts = np.zeros((seating.seats, len(prepared.worth.main)), np.int64)
    side_counts = np.zeros((seating.seats, wagers, widest), np.int64)
    products = np.zeros((seating.seats, seating.seats), np.int64)
    shifts = np.zeros((-(-(last - first) // hours.per_shift), 3), np.int64)
    sums, banks, left = np.zeros((3, seating.seats), np.int64)
    places, cards = game.dealt(seating.seats)
    fixed, kinds, least = game.fixed(seating), game.kinds, philox.rejection_thresholds()
    rounds, kept_codes = [], []
    decks = np.empty((0, 0, 0), np.uint8)
    at = first
    while at < last:
        lots, size = next_batches(last - at)
        if decks.shape != (lots, cards, size):
            decks = np.empty((lots, cards, size), np.uint8)
            codes = np.empty((lots, seating.seats, wagers + 1, size), np.int32)
            marked = np.empty((lots, size), np.bool_)
        philox.deal_many(at, plan.key, least, decks)
        game.judge_decks(decks, places, *game.arguments, fixed, kinds, codes)
        tally.tally(
            at, codes, *prepared.worth, buy_in, hours.stay, largest, hours.per_shift, counts,
            side_counts, sums, products, shifts, first // hours.per_shift, banks, left, marked,
        )  # fmt: skip
        lot, row = np.nonzero(marked)
        rounds.append(at + lot * size + row)
        kept_codes.append(codes[lot, :, :, row])
        at += lots * size
    return RoundBlock(
        counts, side_counts, sums, products, shifts, np.concatenate(rounds),
        np.concatenate(kept_codes),
    )  # fmt: skip


class BlockStore:
    """Completed blocks on disk, so that an interrupted simulation can resume.

    The folder is named by the digest of the plan: other code or another plan finds no blocks.
    """

    def __init__(self, plan: SimulationPlan, folder: Path | None = None) -> None:
        self.folder = (folder or disk_cache.folder() / "simulations") / plan.digest

    def clear(self) -> None:
        """Delete all blocks."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, number: int, block: RoundBlock) -> None:
        """Write a block atomically."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{number}.npz"
        with open(path.with_suffix(".part"), "wb") as file:
            np.savez(file, **block._asdict())
        path.with_suffix(".part").replace(path)

    def load(self, number: int) -> RoundBlock | None:
        """A stored block, or None if it is missing or damaged."""
        try:
            with np.load(self.folder / f"{number}.npz", allow_pickle=False) as archive:
                return RoundBlock(*(archive[name] for name in RoundBlock._fields))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def numbers(self) -> Iterator[int]:
        """The numbers of the stored blocks."""
        for path in self.folder.glob("*.npz"):
            if path.stem.isdigit():
                yield int(path.stem)
