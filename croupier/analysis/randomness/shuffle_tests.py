"""Battery of statistical tests on shuffled decks and on raw random bits.

Every test has a p-value under the null hypothesis of independent, uniformly shuffled decks
(R24, R30), from an exact or asymptotic distribution. P-values are corrected by Holm's method, so a
good shuffler fails the whole battery with probability `LEVEL` at most (R24 asks for 99%). Bits
are tested by SP 800-22 (R31), which says nothing about the shuffle.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, factorial, sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import special

from croupier.analysis.kernels.cross.cross_runs import finest_class
from croupier.analysis.lookup_tables import rank_hands
from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.randomness.sp800_22 import BITS, bit_tests
from croupier.analysis.result_display import ResultDisplay
from croupier.cards import Card
from croupier.errors import BadInput
from croupier.games.expected_returns import load_hand_counts

Decks = NDArray[np.uint8]
Deal = Callable[[], Sequence[Card]]

CARDS = 52
LEVEL = 0.01  # R24: at 99%
LEAST_DECKS = 2_000
LEAST_EXPECTED = 5.0  # in a cell of a chi-squared test; smaller cells are merged


class StatisticalTest(ResultDisplay, msgspec.Struct, frozen=True):
    """One test: its statistic, p-value (`chance`), and p-value after Holm's correction."""

    name: str
    law: str  # the paragraph that requires it
    looks_at: str
    statistic: float
    chance: float
    corrected: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Battery(ResultDisplay):
    """The results of all tests on one sample of decks."""

    rows_in = "tests"

    source: str
    decks: int
    sha256: str  # of the raw decks, 52 bytes each
    complete: bool  # every deck has all 52 cards (R27)
    repeated: int  # decks that occurred before (R25)
    tests: tuple[StatisticalTest, ...]
    level: float = LEVEL

    @property
    def failed(self) -> tuple[StatisticalTest, ...]:
        """The tests that reject the null hypothesis."""
        return tuple(test for test in self.tests if test.corrected < self.level)

    @property
    def passed(self) -> bool:
        """Whether all decks are complete, none is repeated, and no test fails."""
        return self.complete and not self.repeated and not self.failed


def deal_decks(count: int, deal: Deal, progress: Progress | None = None) -> Decks:
    """Deal decks into an array, one per row; raises `BadInput` for fewer than `LEAST_DECKS`."""
    if count < LEAST_DECKS:
        raise BadInput(f"{count:,} decks; expected at least {LEAST_DECKS:,}")
    report = progress or no_progress
    decks = np.zeros((count, CARDS), np.uint8)
    for row in range(count):
        if row % 1024 == 0:
            report(row / count, "shuffling")
        decks[row] = deal()
    return decks


def run_battery(
    decks: Decks, source: str, bits: NDArray[np.uint8] | None = None, level: float = LEVEL
) -> Battery:
    """Run all tests on these decks, and on raw bits if given."""
    complete = bool((np.sort(decks, axis=1) == np.arange(CARDS)).all())
    tests: list[StatisticalTest] = []
    if complete:
        tests = list(deck_tests(decks))
        if bits is not None:
            tests += [StatisticalTest(*row) for row in bit_tests(bits)]
    return Battery(
        source=source,
        decks=len(decks),
        sha256=hashlib.sha256(decks.tobytes()).hexdigest(),
        complete=complete,
        repeated=len(decks) - len(np.unique(decks, axis=0)),
        tests=holm(tests),
        level=level,
    )


def raw_bits(count: int = BITS) -> NDArray[np.uint8]:
    """Bits of the operating system's random source, which the virtual shuffler uses."""
    return np.unpackbits(np.frombuffer(secrets.token_bytes(count // 8), np.uint8))


def holm(tests: Sequence[StatisticalTest]) -> tuple[StatisticalTest, ...]:
    """The tests with p-values corrected for multiple testing (Holm 1979)."""
    order = sorted(range(len(tests)), key=lambda at: tests[at].chance)
    corrected = [0.0] * len(tests)
    adjusted = 0.0
    for rank, at in enumerate(order):
        adjusted = max(adjusted, min(1.0, (len(tests) - rank) * tests[at].chance))
        corrected[at] = adjusted
    return tuple(
        msgspec.structs.replace(test, corrected=value)
        for test, value in zip(tests, corrected, strict=True)
    )


def deck_tests(decks: Decks) -> Iterator[StatisticalTest]:
    """All tests of cards and hands."""
    yield positions(decks)
    yield from hands(decks)
    yield from orders(decks)
    yield from waits(decks)
    yield from neighbors(decks)
    yield from correlations(decks)
    yield from from_deck_to_deck(decks)


def chi_squared(
    name: str, law: str, looks_at: str, seen: Sequence[int], shares: Sequence[float]
) -> StatisticalTest:
    """Chi-squared test of counts against shares; the rarest cells are merged."""
    total = sum(seen)
    order = sorted(range(len(shares)), key=lambda at: shares[at])
    observed, expected = [0.0], [0.0]
    for at in order:
        if expected[-1] >= LEAST_EXPECTED:
            observed.append(0.0)
            expected.append(0.0)
        observed[-1] += seen[at]
        expected[-1] += shares[at] * total
    value = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    return StatisticalTest(
        name, law, looks_at, value, float(special.chdtrc(len(expected) - 1, value))
    )


def two_sided(name: str, law: str, looks_at: str, z: float) -> StatisticalTest:
    """A two-sided normal test of a z-score."""
    return StatisticalTest(name, law, looks_at, z, float(2 * special.ndtr(-abs(z))))


def mean_test(
    name: str, law: str, looks_at: str, values: NDArray[np.float64], mean: float
) -> StatisticalTest:
    """A statistic of each deck against its exact mean; the deviation is estimated."""
    deviation = float(values.std(ddof=1))
    difference = float(values.mean()) - mean
    if deviation == 0.0:
        p_value = 1.0 if difference == 0.0 else 0.0
        return StatisticalTest(name, law, looks_at, difference, p_value)
    return two_sided(name, law, looks_at, difference / deviation * sqrt(len(values)))


def positions(decks: Decks) -> StatisticalTest:
    """Cards by position; row and column totals are fixed, so the statistic is scaled (R24)."""
    counts = np.zeros((CARDS, CARDS), np.int64)
    for place in range(CARDS):
        counts[place] = np.bincount(decks[:, place], minlength=CARDS)
    expected = len(decks) / CARDS
    value = float(((counts - expected) ** 2 / expected).sum()) * (CARDS - 1) / CARDS
    p_value = float(special.chdtrc((CARDS - 1) ** 2, value))
    return StatisticalTest(
        "positions", "R24", "every card in every place of the deck", value, p_value
    )


@cache
def hand_shares(basis: str) -> tuple[float, ...]:
    """The probability of each hand class, from the precomputed counts."""
    classes = [0] * 22
    for hand, count in load_hand_counts()[basis].items():
        classes[class_of(hand)] += count
    total = sum(classes)
    return tuple(count / total for count in classes)


def class_of(hand: str) -> int:
    """The class number of a named hand, as in the kernels."""
    from croupier.games.hand_names import POKER_HANDS, ROYAL_FLUSH, ROYALS

    return POKER_HANDS.index(ROYAL_FLUSH if hand in ROYALS else hand)


def hands(decks: Decks) -> Iterator[StatisticalTest]:
    """Poker hands of five and of seven cards, from the top and from the bottom."""
    for name, basis, cards in (
        ("hands of five", "five", decks[:, :5]),
        ("hands of seven", "seven", decks[:, :7]),
        ("hands of five, last cards", "five", decks[:, -5:]),
    ):
        values = rank_hands(np.ascontiguousarray(cards)).tolist()
        seen = np.bincount([finest_class.py_func(value) for value in values], minlength=22)
        yield chi_squared(name, "R30", "poker hands dealt", seen.tolist(), hand_shares(basis))


def orders(decks: Decks) -> Iterator[StatisticalTest]:
    """Tests of the order of cards within a deck."""
    first = decks[:, :4].astype(np.int64)
    ranks = first.argsort(axis=1).argsort(axis=1) @ np.array([64, 16, 4, 1])
    _, seen = np.unique(ranks, return_counts=True)
    padded = [*seen.tolist(), *[0] * (24 - len(seen))]
    yield chi_squared(
        "permutations", "R30", "the order of the first four cards", padded, [1 / 24] * 24
    )
    most = decks[:, :5].max(axis=1)
    shares = [comb(card, 4) / comb(CARDS, 5) for card in range(CARDS)]
    seen = np.bincount(most, minlength=CARDS)
    yield chi_squared("order statistic", "R30", "the highest of five cards", seen.tolist(), shares)
    rises = (decks[:, 1:] > decks[:, :-1]).sum(axis=1).astype(np.float64)
    yield mean_test("runs", "R24", "rises from card to card in a deck", rises, (CARDS - 1) / 2)
    codes = lehmer(decks[:, :12])
    from scipy.stats import kstest  # slow to import, and only this needs it

    result = kstest(codes, "uniform")
    yield StatisticalTest("Kolmogorov-Smirnov", "R30", "permutation rank of the first twelve cards",
               float(result.statistic), float(result.pvalue))  # fmt: skip
    odd = parity(decks)
    z = (int(odd.sum()) - len(decks) / 2) / sqrt(len(decks) / 4)
    yield two_sided("parity", "R30", "parity of the deck permutation", z)


def lehmer(cards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The rank of an ordered draw among all draws (Lehmer code), scaled to 0 to 1."""
    count = cards.shape[1]
    value = np.zeros(len(cards))
    for at in range(count - 1, -1, -1):
        smaller = (cards[:, :at] < cards[:, at : at + 1]).sum(axis=1)
        value = (cards[:, at] - smaller + value) / (CARDS - at)
    return value


def parity(decks: Decks) -> NDArray[np.bool_]:
    """Whether each deck is an odd permutation."""
    inversions = np.zeros(len(decks), np.int64)
    for at in range(1, CARDS):
        inversions += (decks[:, :at] > decks[:, at : at + 1]).sum(axis=1)
    odd: NDArray[np.bool_] = inversions % 2 == 1
    return odd


def waits(decks: Decks) -> Iterator[StatisticalTest]:
    """Waiting-time tests: gaps between aces, cards until every suit has appeared."""
    aces = decks >= CARDS - 4
    first = aces.argmax(axis=1)
    shares = [comb(CARDS - 1 - at, 3) / comb(CARDS, 4) for at in range(CARDS)]
    seen = np.bincount(first, minlength=CARDS)
    yield chi_squared("gaps", "R30", "cards before the first ace", seen.tolist(), shares)
    second = np.argsort(~aces, axis=1, kind="stable")[:, 1] - first - 1
    seen = np.bincount(second, minlength=CARDS)
    yield chi_squared("gaps between", "R30", "cards between two aces", seen.tolist(), shares)
    suits = np.stack([(decks & 3 == suit).argmax(axis=1) for suit in range(4)])
    needed = suits.max(axis=0)
    past = [all_suits(cards) for cards in range(CARDS + 1)]
    shares = [past[at + 1] - past[at] for at in range(CARDS)]
    seen = np.bincount(needed, minlength=CARDS)
    yield chi_squared("coupons", "R30", "cards until every suit appears", seen.tolist(), shares)


def all_suits(cards: int) -> float:
    """The probability that this many cards have all four suits."""
    ways: int = sum(
        (-1) ** gone * comb(4, gone) * comb(CARDS - 13 * gone, cards) for gone in range(5)
    )
    return ways / comb(CARDS, cards)


@cache
def succession_shares() -> tuple[float, ...]:
    """The distribution of the number of cards that follow the same card as before."""
    followed = [1, 1]  # permutations of n + 1 cards in which none follows its old neighbor
    for n in range(2, CARDS):
        followed.append(n * followed[-1] + (n - 1) * followed[-2])
    ways = [comb(CARDS - 1, k) * followed[CARDS - 1 - k] for k in range(CARDS)]
    return tuple(way / factorial(CARDS) for way in ways)


def neighbors(decks: Decks) -> Iterator[StatisticalTest]:
    """Cards that still follow their old neighbors, as after a poor riffle."""
    seen = np.bincount(followers(decks), minlength=CARDS)
    shares = succession_shares()
    yield chi_squared("adjacency", "R30", "cards that follow their new-deck neighbor",
                      seen.tolist(), shares)  # fmt: skip
    before = np.argsort(decks[:-1], axis=1)  # positions in the previous deck
    moved = np.take_along_axis(before, decks[1:].astype(np.int64), axis=1)
    seen = np.bincount(followers(moved), minlength=CARDS)
    yield chi_squared("adjacency again", "R30", "cards that follow their neighbor in the last deck",
                      seen.tolist(), shares)  # fmt: skip
    pairs = decks[:, 0].astype(np.int64) * CARDS + decks[:, 1]
    seen = np.bincount(pairs, minlength=CARDS**2)
    even = [0.0 if at % (CARDS + 1) == 0 else 1 / (CARDS * (CARDS - 1)) for at in range(CARDS**2)]
    yield chi_squared("overlaps", "R30", "the first two cards in their order", seen.tolist(), even)


def followers(decks: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return, by deck, the number of cards that directly follow the next lower card."""
    steps = decks[:, 1:].astype(np.int64) - decks[:, :-1]
    counted: NDArray[np.int64] = (steps == 1).sum(axis=1)
    return counted


def correlations(decks: Decks) -> Iterator[StatisticalTest]:
    """Serial correlation within a deck, at several distances (R24)."""
    cards = decks - (CARDS - 1) / 2
    spread = float((np.arange(CARDS) - (CARDS - 1) / 2) @ (np.arange(CARDS) - (CARDS - 1) / 2))
    for lag in (1, 2, 3, 7, 13, 26):
        products = (cards[:, lag:] * cards[:, :-lag]).sum(axis=1)
        mean = -(CARDS - lag) * spread / (CARDS * (CARDS - 1))
        yield mean_test(f"serial correlation, {lag} apart", "R24",
                        f"cards {lag} places apart", products, mean)  # fmt: skip


def from_deck_to_deck(decks: Decks) -> Iterator[StatisticalTest]:
    """Dependence between consecutive decks (R25, R30)."""
    places = np.argsort(decks, axis=1) - (CARDS - 1) / 2
    products = (places[1:] * places[:-1]).sum(axis=1)
    yield mean_test("correlation of decks", "R24", "positions of the cards in consecutive decks",
                    products, 0.0)  # fmt: skip
    stayed = (decks[1:] == decks[:-1]).sum(axis=1)
    seen = np.bincount(stayed, minlength=CARDS + 1)
    moved = derangements()
    shares = [comb(CARDS, k) * moved[CARDS - k] / factorial(CARDS) for k in range(CARDS + 1)]
    yield chi_squared("interplay", "R30", "cards that keep their places", seen.tolist(), shares)
    above = decks[:, 0] >= CARDS // 2
    changes = int((above[1:] != above[:-1]).sum())
    ups, downs = int(above.sum()), int((~above).sum())
    total = ups + downs
    mean = 2 * ups * downs / total
    variance = mean * (mean - 1) / (total - 1) if total > 1 else 0.0
    z = (changes - mean) / sqrt(variance) if variance > 0 else float("inf")
    yield two_sided("runs of decks", "R24", "first cards high or low, deck after deck", z)


@cache
def derangements() -> tuple[int, ...]:
    """The number of permutations without a fixed point, by number of cards."""
    counts = [1, 0]
    for n in range(2, CARDS + 1):
        counts.append((n - 1) * (counts[-1] + counts[-2]))
    return tuple(counts)
