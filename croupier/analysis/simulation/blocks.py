"""A simulation in blocks of rounds: what one adds up to, and how blocks are kept on disk.

Every round has its own deck by its number, and every shift begins with new players, so a block is
the same whoever plays it: what a simulation gives does not depend on workers or their order.
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
from croupier.analysis.simulation.simulation_setup import CodeValues, Seating, SimulationSetup, build_setup, worth
from croupier.errors import BadInput
from croupier.games import House, canonical_text, house_from_text
from croupier.money import Cents

Longs = NDArray[np.int64]

BLOCK_ROUNDS = 2**18  # about; a block is a whole number of shifts
LOT = 2**12  # rounds that go through a kernel together: their arrays fit into the cache
LOTS = 2**2  # lots that kernels are given at once
MOST_ROUNDS = 2**62


class TableHours(NamedTuple):
    """How time passes at the table, and what players bring."""

    rounds_per_hour: int = 40
    hours: int = 8  # of a shift
    shifts_per_month: int = 90
    stay: int = 120  # rounds that a player stays
    buy_in: Cents = 0  # 0 is forty antes, or what the dearest round costs

    @property
    def per_shift(self) -> int:
        """Rounds of a shift."""
        return self.rounds_per_hour * self.hours


class SimulationPlan(NamedTuple):
    """Everything that decides the digits of a simulation."""

    terms: str  # the House as text
    seating: Seating
    rounds: int
    seed: int
    hours: TableHours

    @property
    def block(self) -> int:
        """Rounds of a block, whole shifts."""
        return max(1, BLOCK_ROUNDS // self.hours.per_shift) * self.hours.per_shift

    @property
    def blocks(self) -> int:
        """How many blocks there are; the last may be shorter."""
        return -(-self.rounds // self.block)

    def bounds(self, number: int) -> tuple[int, int]:
        """The first round of a block, and the one after its last."""
        return number * self.block, min(self.rounds, (number + 1) * self.block)

    def size(self, number: int) -> int:
        """How many rounds a block has."""
        first, last = self.bounds(number)
        return last - first

    @property
    def key(self) -> NDArray[np.uint64]:
        """The seed as the generator's key."""
        return np.array([self.seed & 0xFFFFFFFF, self.seed >> 32], np.uint64)

    @property
    def digest(self) -> str:
        """A name for the digits: another plan or another program has another."""
        seating = self.seating._replace(stakes=dict(self.seating.stakes))
        text = msgspec.json.encode([self.terms, seating, self.rounds, self.seed, self.hours])
        source = f"{__version__} {disk_cache.source_digest()}".encode()
        return hashlib.sha256(source + text).hexdigest()[:24]


def make_plan(
    house: House, seating: Seating, rounds: int, seed: int, hours: TableHours
) -> SimulationPlan:
    """A plan, if it can be played."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput(f"{rounds:,} rounds; expected 1 to {MOST_ROUNDS:,}")
    if not 0 <= seed < 2**64:
        raise BadInput(f"seed {seed}; expected 0 to 2^64 - 1")
    for name, value in hours._asdict().items():
        if value < (0 if name == "buy_in" else 1):
            raise BadInput(f"{name.replace('_', ' ')} {value}; expected at least 1")
    return SimulationPlan(canonical_text(house), seating, rounds, seed, hours)


class RoundBlock(NamedTuple):
    """What rounds add up to: counts of codes, sums of money, and rounds kept whole."""

    counts: Longs  # [seat, main code]
    side_counts: Longs  # [seat, wager, code]
    sums: Longs  # net by seat
    products: Longs  # of nets, by two seats
    shifts: Longs  # [shift, WIN HANDLE DROP]
    kept_rounds: Longs
    kept_codes: NDArray[np.int32]  # [round, seat, code]


class PreparedGame(NamedTuple):
    """A game and what its codes are worth at a table."""

    game: SimulationSetup
    worth: CodeValues


@lru_cache(maxsize=4)
def prepare_game(terms: str, seating: Seating) -> PreparedGame:
    """Made once in every process."""
    game = build_setup(house_from_text(hashlib.sha256(terms.encode()).hexdigest(), terms))
    return PreparedGame(game, worth(game, seating))


def largest_stake(made: PreparedGame, seating: Seating) -> Cents:
    """The most that a seat can have staked in a round."""
    most = max(sum(state.values()) for state in made.game.states) * seating.ante
    return most + sum(seating.stakes.values())


def next_batches(rounds: int) -> tuple[int, int]:
    """How many lots of which size come next; the last rounds are a lot of their own."""
    return (min(LOTS, rounds // LOT), LOT) if rounds >= LOT else (1, rounds)


def play_block(what: SimulationPlan, number: int) -> RoundBlock:
    """Play one block, so many lots of rounds at a time."""
    seating, hours = what.seating, what.hours
    made = prepare_game(what.terms, seating)
    game, (first, last) = made.game, what.bounds(number)
    need = largest_stake(made, seating)
    buys = max(hours.buy_in or 40 * seating.ante, need)
    wagers, widest, _ = made.worth.sides.shape
    counts = np.zeros((seating.seats, len(made.worth.main)), np.int64)
    side_counts = np.zeros((seating.seats, wagers, widest), np.int64)
    products = np.zeros((seating.seats, seating.seats), np.int64)
    shifts = np.zeros((-(-(last - first) // hours.per_shift), 3), np.int64)
    sums, banks, left = np.zeros((3, seating.seats), np.int64)
    places, cards = game.dealt(seating.seats)
    fixed, kinds, least = game.fixed(seating), game.kinds, philox.least_words()
    rounds, kept_codes = [], []
    decks = np.empty((0, 0, 0), np.uint8)
    at = first
    while at < last:
        lots, size = next_batches(last - at)
        if decks.shape != (lots, cards, size):
            decks = np.empty((lots, cards, size), np.uint8)
            codes = np.empty((lots, seating.seats, wagers + 1, size), np.int32)
            kept = np.empty((lots, size), np.bool_)
        philox.deal_many(at, what.key, least, decks)
        game.judge_decks(decks, places, *game.arguments, fixed, kinds, codes)
        tally.tally(
            at, codes, *made.worth, buys, hours.stay, need, hours.per_shift, counts, side_counts,
            sums, products, shifts, first // hours.per_shift, banks, left, kept,
        )  # fmt: skip
        lot, row = np.nonzero(kept)
        rounds.append(at + lot * size + row)
        kept_codes.append(codes[lot, :, :, row])
        at += lots * size
    return RoundBlock(
        counts, side_counts, sums, products, shifts, np.concatenate(rounds),
        np.concatenate(kept_codes),
    )  # fmt: skip


class BlockStore:
    """Blocks on disk, so that a simulation that was stopped goes on where it was."""

    def __init__(self, what: SimulationPlan, folder: Path | None = None) -> None:
        self.folder = (folder or disk_cache.folder() / "simulations") / what.digest

    def clear(self) -> None:
        """Forget every block."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def save(self, number: int, block: RoundBlock) -> None:
        """A reader sees a whole block or none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{number}.npz"
        with open(path.with_suffix(".part"), "wb") as file:
            np.savez(file, **block._asdict())
        path.with_suffix(".part").replace(path)

    def load(self, number: int) -> RoundBlock | None:
        """A block, unless it was never played to its end."""
        try:
            with np.load(self.folder / f"{number}.npz", allow_pickle=False) as found:
                return RoundBlock(*(found[name] for name in RoundBlock._fields))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def numbers(self) -> Iterator[int]:
        """The blocks that are there."""
        for path in self.folder.glob("*.npz"):
            if path.stem.isdigit():
                yield int(path.stem)
