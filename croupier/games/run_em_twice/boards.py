"""Run 'Em Twice as the kernels want it: payoffs by class of run, sides of the cross up to suits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import payoffs
from croupier.analysis.kernels.cross import cross_folds as folds
from croupier.analysis.kernels.cross import cross_runs as runs
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.kernels.hands.evaluator import Tables
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import starting_hands
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.hand_names import POKER_HANDS
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.game import Runs, folded
from croupier.money import Cents

Longs = NDArray[np.int64]

HAND_CLASSES = 169
OFFSET = 4  # keeps the low part of a packed payoff positive
RADIX_BITS = 9  # of the low part, which is summed over all centers


class RunRules:
    """A House's streets and payoffs as the kernels want them, by class of run.

    By the odds each wager is paid by itself. As offered at an ante, `cuts` says what rounding and
    the payout limit, which all bets of a box share, change: [class, class, bets].
    """

    def __init__(self, house: House[RunChoices], ante: Cents | None = None) -> None:
        self.house = house
        self.money = payoffs.Payoffs(house)
        self.offered = payoffs.payoffs_at(house, ante)
        self._folds: dict[tuple[str, tuple[int, ...]], int] = {}
        self.first, self.second, self.center = house.game.streets
        self.bets = payoffs.bet_options(self.first.options)
        self.multiples = [bet.times for bet in self.bets]
        for street in (self.second, self.center):
            assert [bet.times for bet in payoffs.bet_options(street.options)] == self.multiples
        self.wagers = [payoffs.bet_options(street.options)[0].wager for street in house.game.streets]
        self.antes = payoffs.opening_stakes(house.game)
        assert len(POKER_HANDS) == runs.CLASSES
        self.space = FactsSpace.of(house.every_facts(), Runs)
        # The code of two classes of runs.
        self.codes = np.array(
            [
                [self.space.code(Runs("", first, second)) for second in POKER_HANDS]
                for first in POKER_HANDS
            ]
        )
        self.alike = _alike(house)
        first_run, second_run, center = (self._table({wager: 1}) for wager in self.wagers)
        antes = self._table(self.antes)
        assert (first_run == second_run.T).all() and (np.ptp(first_run, axis=1) == 0).all()
        self.run_pay = np.ascontiguousarray(first_run[:, 0])
        self.ante_pay, shared_antes = _split(antes)
        packed, self.packing = _packed(center, shared_antes)
        self.shared = np.ascontiguousarray(packed.diagonal())
        # The kernel takes the better of two runs by one number each; settle must agree.
        assert (packed == np.maximum.outer(self.shared, self.shared)).all(), "not a better-of rule"
        self.folds = np.array(
            [
                [self.fold_at("center", one, two) for two in self.multiples]
                for one in self.multiples
            ],
            np.int64,
        )

        self.cuts, self.scale = self._cuts()

    def _cuts(self) -> tuple[Longs, int]:
        """What the ante changes, in `scale`ths of it; of no size where it changes nothing."""
        nothing = np.zeros((runs.CLASSES, runs.CLASSES, 0), np.int64), 1
        if type(self.offered) is payoffs.Payoffs:
            return nothing
        rows = []
        for made in product(self.multiples, repeat=3):
            stakes = self.staked(*made)
            by_odds = self.money.by_code(self.space, stakes)
            offered = self.offered.by_code(self.space, stakes)
            rows.append([new - old for new, old in zip(offered, by_odds, strict=True)])
        if not any(map(any, rows)):
            return nothing
        for bets, street in enumerate(self.house.game.streets):
            stakes, fold = self.staked(*self.multiples[-1:] * bets), folded(street.name)
            assert self.money.net(fold, stakes) == self.offered.net(fold, stakes), "a fold is cut"
        scaled = payoffs.ScaledPayoffs(rows)
        return np.ascontiguousarray(scaled.values.T[self.codes]), scaled.scale

    def _table(self, stakes: Mapping[str, int]) -> Longs:
        """Payoffs by two classes of runs."""
        scaled = payoffs.ScaledPayoffs([self.money.by_code(self.space, stakes)])
        if scaled.scale != 1:
            wagers = " and ".join(stakes)
            raise BadInput(
                f"{wagers} would win parts of a unit, one in {scaled.scale}, and runs are added "
                "up in whole units; expected odds such as 2 to 1"
            )
        table: Longs = scaled.values[0][self.codes]
        return table

    def staked(self, *made: int) -> dict[str, int]:
        """What lies on the table after so many bets, by their multiples."""
        return {**self.antes, **dict(zip(self.wagers, made, strict=False))}

    def fold_at(self, street: str, *made: int) -> int:
        """What folding on a street costs after these bets."""
        if (street, made) not in self._folds:
            cost = self.money.net(folded(street), self.staked(*made))
            assert cost <= 0, (
                "a fold never pays: the kernel leaves clashing sides out on that ground"
            )
            self._folds[street, made] = int(cost)
        return self._folds[street, made]

    def behind(self) -> tuple[Any, ...]:
        """All that the worth of two runs depends on, beside their classes."""
        return *self.behind_odds(), self.cuts, self.scale

    def behind_odds(self) -> tuple[Any, ...]:
        """The same before anything is cut."""
        return self.run_pay, self.ante_pay, self.shared, self.multiples, self.folds

    def ranks(self) -> Tables:
        """The evaluator under this House's reading of the low ace (A8)."""
        return tables(self.house.choices.ace_low_straight)


def judged_on(house: House[RunChoices]) -> int:
    """The hand behind the progressive, as the kernels of folds number it."""
    numbers = {"first_run": folds.FIRST_RUN, "higher_run": folds.HIGHER_RUN}
    return numbers.get(house.choices.progressive_basis or "", folds.ALL_SEVEN)


def _alike(house: House[RunChoices]) -> NDArray[np.uint8]:
    """By class, the least one that is settled alike whatever the other run is.

    Nothing tells their counts apart, so they are counted as one: eleven classes instead of 22.
    """
    settled = [
        tuple(
            (house.settle(Runs("", one, other)), house.settle(Runs("", other, one)))
            for other in POKER_HANDS
        )
        for one in POKER_HANDS
    ]
    least = [settled.index(results) for results in settled]
    return np.array([*least, runs.NONE], np.uint8)


def _split(antes: Longs) -> tuple[Longs, Longs]:
    """Antes as a part per run plus a part of the better run."""
    own = antes.diagonal() // 2
    additive: Longs = own[:, None] + own[None, :]
    if (additive == antes).all():
        return np.ascontiguousarray(own), np.zeros_like(antes)
    return np.zeros(runs.CLASSES, np.int64), antes


def _packed(center: Longs, antes: Longs) -> tuple[NDArray[Any], tuple[int, int]]:
    """Payoffs of the center wager and of the antes in one number; its offset and low bits.

    Two bytes are used where all centers together fit them: vectors take twice as many.
    """
    packing = (OFFSET, RADIX_BITS) if antes.any() else (0, 0)
    assert np.abs(antes).max() < OFFSET
    assert runs.CENTERS * 2 * OFFSET < 1 << RADIX_BITS, "sums of packed payoffs must not run over"
    packed = (center << packing[1]) + antes + packing[0]
    for kind in (np.int16, np.int32):
        if (np.abs(packed).max() + 1) * runs.CENTERS < np.iinfo(kind).max:
            return packed.astype(kind), packing
    raise BadInput(
        f"a center wager that pays {center.max():,} to 1 is too much to be added up exactly; "
        f"expected less than {np.iinfo(np.int32).max // runs.CENTERS >> packing[1]:,} to 1"
    )


class Sides(NamedTuple):
    """The sides of one starting hand up to suits."""

    hand: Longs
    others: Longs  # the fifty cards
    chosen: Longs  # one side of each class
    sizes: Longs
    class_of: Longs  # by side: the place in `chosen`


@cache
def side_cards() -> Longs:
    """1225 x 2: the cards of each side, by their numbers among the fifty."""
    return np.array([(high, low) for high in range(50) for low in range(high)], np.int64)


@cache
def representative(hand_class: int) -> int:
    """The first hand of a class."""
    return int(np.argmax(starting_hands.hand_classes().ids[0] == hand_class))


@cache
def sides(hand_class: int) -> Sides:
    """Sides beside the representative of a class, up to suits that it cannot tell apart."""
    number = representative(hand_class)
    hand = flops.hands()[number]
    others = np.setdiff1d(np.arange(52), hand)
    cards = others[side_cards()]
    least = np.full(runs.SIDES, np.iinfo(np.int64).max)
    for order, renamed in zip(flops.suit_orders(), flops.renamed_hands(), strict=True):
        if renamed[number] == number:
            new = np.sort(cards >> 2 << 2 | order[cards & 3], axis=1)
            np.minimum(least, new[:, 1] * 52 + new[:, 0], out=least)
    _, chosen, class_of, sizes = np.unique(
        least, return_index=True, return_inverse=True, return_counts=True
    )
    return Sides(hand, others, chosen, sizes, class_of.reshape(-1))


class Cuts(NamedTuple):
    """What an ante changes for one starting hand, where it changes anything."""

    classes: NDArray[np.uint8]  # [center, side]
    sides: NDArray[np.uint64]  # by side: the centers that may be cut, as bits
    amounts: Longs  # [class, class, bets]
    scale: int


class ValuedRuns(NamedTuple):
    """One starting hand's runs, valued: arguments that the kernels share, in their order."""

    runs: NDArray[np.int32]
    run_totals: NDArray[np.int32]
    antes: NDArray[np.int32]
    ante_totals: NDArray[np.int32]
    shared: NDArray[Any]
    packing: tuple[int, int]
    multiples: Longs
    folds: Longs


def run_classes(rules: RunRules, found: Sides) -> NDArray[np.uint8]:
    """classes[center, side] of a starting hand's runs, worked out once for all readings."""
    high, low = found.hand.tolist()
    return _run_classes(high, low, rules.house.choices.ace_low_straight)


@lru_cache(maxsize=2 * HAND_CLASSES)
def _run_classes(high: int, low: int, ace_low: bool) -> NDArray[np.uint8]:
    hand = np.array([high, low])
    classes = np.zeros((runs.OTHERS, runs.SIDES), np.uint8)
    runs.run_classes(hand, np.setdiff1d(np.arange(52), hand), tables(ace_low), classes)
    return classes


def by_side(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same by side and center, which kernels walk that look at one pair of sides."""
    return np.ascontiguousarray(classes.T)


def prepare(rules: RunRules, classes: NDArray[np.uint8]) -> ValuedRuns:
    """The runs of one starting hand, valued."""
    own = np.zeros((2, runs.OTHERS, runs.SIDES), np.int32)
    totals = np.zeros((2, runs.SIDES), np.int32)
    for at, by_class in enumerate((rules.run_pay, rules.ante_pay)):
        runs.fill_pay(classes, by_class, own[at], totals[at])
    clash = np.iinfo(rules.shared.dtype).min
    shared = np.append(rules.shared, rules.shared.dtype.type(clash))[classes]
    return ValuedRuns(
        own[0], totals[0], own[1], totals[1], shared, rules.packing,
        np.array(rules.multiples), rules.folds,
    )  # fmt: skip


def cuts(rules: RunRules, classes: NDArray[np.uint8]) -> Cuts:
    """The cuts of one starting hand."""
    bits = np.zeros(runs.SIDES, np.uint64)
    if rules.cuts.size:
        # Of two runs that are cut the higher one would be cut with a run no higher than itself.
        cut = (rules.cuts != 0).any(axis=2)
        runs.mark_centers(classes, np.tril(cut | cut.T).any(axis=1), bits)
    return Cuts(classes, bits, rules.cuts, rules.scale)


Answer = TypeVar("Answer")


class Remembered(Generic[Answer]):
    """The last answer for each starting hand, given again where its runs are worth the same.

    Readings of a game have most hands in common: only 20 of 169 can make A-2-3-4-5.
    """

    def __init__(self) -> None:
        self._answers: dict[int, tuple[bytes, Answer]] = {}

    def get(self, hand_class: int, work: Callable[[], Answer], *behind: Any) -> Answer:
        """What `work` answers, which depends on the arrays behind it and on nothing else."""
        read = hashlib.blake2b(digest_size=16)
        for array in behind:
            read.update(np.ascontiguousarray(array).tobytes())
        digest = read.digest()
        known = self._answers.get(hand_class)
        if known is None or known[0] != digest:
            known = digest, work()
            self._answers[hand_class] = known
        return known[1]


_valued: Remembered[Longs] = Remembered()
_cut: Remembered[Longs] = Remembered()


def value_hand(rules: RunRules, hand_class: int) -> Longs:
    """Sums by class of first side, first bet and second bet for one starting hand.

    They are in `scale`ths of the ante, which are whole antes by the odds. Antes have all but what
    is cut in common.
    """
    found = sides(hand_class)
    classes = run_classes(rules, found)

    def by_odds() -> Longs:
        bets = len(rules.multiples)
        out = np.zeros((len(found.chosen), bets, bets), np.int64)
        runs.value_sides(found.chosen, side_cards(), *prepare(rules, classes), out)
        return out

    def cut() -> Longs:
        out = uncut * rules.scale
        ready, taken = prepare(rules, classes), cuts(rules, classes)
        runs.cut_sides(found.chosen, side_cards(), *ready, taken, out)
        return out

    uncut = _valued.get(hand_class, by_odds, classes, *rules.behind_odds())
    return _cut.get(hand_class, cut, classes, *rules.behind()) if rules.cuts.size else uncut
