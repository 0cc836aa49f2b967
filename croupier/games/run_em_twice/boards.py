"""Boards of Run 'Em Twice: payoffs by class of run, and classes of the sides of the cross."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import payoffs
from croupier.analysis.kernels.cross import cross_runs as runs
from croupier.analysis.kernels.enumerate import flops
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
RADIX_BITS = 9  # bits of the low part, which is summed over all centers


class RunRules:
    """A House's streets and payoffs by class of run, as kernel arguments.

    By the odds each wager is paid separately. As offered at an ante, `cuts` are the reductions by
    rounding and by the payout limit, which all bets of a box share: [class, class, bets].
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
        self.wagers = [
            payoffs.bet_options(street.options)[0].wager for street in house.game.streets
        ]
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
        """Reductions at the ante, in `scale`ths of it; an empty array if there are none."""
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
                f"{wagers} would win {scaled.scale}ths of a unit, but runs are summed in whole "
                "units; expected odds such as 2 to 1"
            )
        table: Longs = scaled.values[0][self.codes]
        return table

    def staked(self, *made: int) -> dict[str, int]:
        """The stakes after these bets, in multiples of the ante."""
        return {**self.antes, **dict(zip(self.wagers, made, strict=False))}

    def fold_at(self, street: str, *made: int) -> int:
        """The value of folding on a street after these bets."""
        if (street, made) not in self._folds:
            cost = self.money.net(folded(street), self.staked(*made))
            assert cost <= 0, "a fold never wins: the kernels rely on it for impossible sides"
            self._folds[street, made] = int(cost)
        return self._folds[street, made]

    def inputs(self) -> tuple[Any, ...]:
        """Everything that the value of two runs depends on besides their classes."""
        return *self.odds_inputs(), self.cuts, self.scale

    def odds_inputs(self) -> tuple[Any, ...]:
        """The same, before reductions."""
        return self.run_pay, self.ante_pay, self.shared, self.multiples, self.folds


def _alike(house: House[RunChoices]) -> NDArray[np.uint8]:
    """Map each class to the lowest class with the same settlement against every other run.

    Such classes are counted as one: eleven instead of 22.
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
    """Split the antes into a part per run and a part of the better run."""
    own = antes.diagonal() // 2
    additive: Longs = own[:, None] + own[None, :]
    if (additive == antes).all():
        return np.ascontiguousarray(own), np.zeros_like(antes)
    return np.zeros(runs.CLASSES, np.int64), antes


def _packed(center: Longs, antes: Longs) -> tuple[NDArray[Any], tuple[int, int]]:
    """Pack the payoffs of the center wager and the antes into one number; (offset, low bits).

    16 bits are used if the sum over all centers fits: vector instructions are twice as fast.
    """
    packing = (OFFSET, RADIX_BITS) if antes.any() else (0, 0)
    assert np.abs(antes).max() < OFFSET
    assert runs.CENTERS * 2 * OFFSET < 1 << RADIX_BITS, "sums of packed payoffs must not overflow"
    packed = (center << packing[1]) + antes + packing[0]
    for kind in (np.int16, np.int32):
        if (np.abs(packed).max() + 1) * runs.CENTERS < np.iinfo(kind).max:
            return packed.astype(kind), packing
    raise BadInput(
        f"a center wager that pays {center.max():,} to 1 is too large to be summed exactly; "
        f"expected less than {np.iinfo(np.int32).max // runs.CENTERS >> packing[1]:,} to 1"
    )


class Sides(NamedTuple):
    """Isomorphism classes of the sides of one starting hand."""

    hand: Longs
    others: Longs  # the fifty other cards
    chosen: Longs  # one side of each class
    sizes: Longs
    class_of: Longs  # by side: the index into `chosen`


@cache
def side_cards() -> Longs:
    """1225 x 2: the cards of each side, numbered among the fifty."""
    return np.array([(high, low) for high in range(50) for low in range(high)], np.int64)


@cache
def representative(hand_class: int) -> int:
    """The first hand of a class."""
    return int(np.argmax(starting_hands.hand_classes().ids[0] == hand_class))


@cache
def sides(hand_class: int) -> Sides:
    """Classes of sides under the suit permutations that fix the representative hand."""
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
    """Payout reductions at an ante for one starting hand."""

    classes: NDArray[np.uint8]  # [center, side]
    sides: NDArray[np.uint64]  # by side: the affected centers, as a bit set
    amounts: Longs  # [class, class, bets]
    scale: int


class ValuedRuns(NamedTuple):
    """Payoffs of one starting hand's runs: the common kernel arguments, in order."""

    runs: NDArray[np.int32]
    run_totals: NDArray[np.int32]
    antes: NDArray[np.int32]
    ante_totals: NDArray[np.int32]
    shared: NDArray[Any]
    packing: tuple[int, int]
    multiples: Longs
    folds: Longs


def run_classes(rules: RunRules, hand_sides: Sides) -> NDArray[np.uint8]:
    """classes[center, side] of a starting hand's runs, cached for all readings."""
    high, low = hand_sides.hand.tolist()
    return _run_classes(high, low, rules.house.choices.ace_low_straight)


@lru_cache(maxsize=2 * HAND_CLASSES)
def _run_classes(high: int, low: int, ace_low: bool) -> NDArray[np.uint8]:
    hand = np.array([high, low])
    classes = np.zeros((runs.OTHERS, runs.SIDES), np.uint8)
    runs.run_classes(hand, np.setdiff1d(np.arange(52), hand), tables(ace_low), classes)
    return classes


def by_side(classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Run classes by [side, center], for kernels that visit single pairs of sides."""
    return np.ascontiguousarray(classes.T)


def prepare(rules: RunRules, classes: NDArray[np.uint8]) -> ValuedRuns:
    """The payoffs of one starting hand's runs."""
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
    """The payout reductions of one starting hand."""
    bits = np.zeros(runs.SIDES, np.uint64)
    if rules.cuts.size:
        # If two runs are reduced, the higher one is also reduced with some run no higher than it.
        cut = (rules.cuts != 0).any(axis=2)
        runs.mark_centers(classes, np.tril(cut | cut.T).any(axis=1), bits)
    return Cuts(classes, bits, rules.cuts, rules.scale)


Value = TypeVar("Value")


class HandCache(Generic[Value]):
    """The last value for each starting hand, reused while its inputs are the same.

    Readings of a game have most hands in common: only 20 of 169 can make A-2-3-4-5.
    """

    def __init__(self) -> None:
        self._values: dict[int, tuple[bytes, Value]] = {}

    def get(self, hand_class: int, compute: Callable[[], Value], *inputs: Any) -> Value:
        """The cached value, or `compute()`, which must depend on the inputs alone."""
        read = hashlib.blake2b(digest_size=16)
        for array in inputs:
            read.update(np.ascontiguousarray(array).tobytes())
        digest = read.digest()
        cached = self._values.get(hand_class)
        if cached is None or cached[0] != digest:
            cached = digest, compute()
            self._values[hand_class] = cached
        return cached[1]


_by_odds: HandCache[Longs] = HandCache()
_reduced: HandCache[Longs] = HandCache()


def value_hand(rules: RunRules, hand_class: int) -> Longs:
    """Sums by class of first side, first bet and second bet for one starting hand.

    In `scale`ths of the ante, which are whole antes by the odds. The sums by the odds are cached
    separately, because all antes share them.
    """
    hand_sides = sides(hand_class)
    classes = run_classes(rules, hand_sides)

    def by_odds() -> Longs:
        bets = len(rules.multiples)
        out = np.zeros((len(hand_sides.chosen), bets, bets), np.int64)
        runs.value_sides(hand_sides.chosen, side_cards(), *prepare(rules, classes), out)
        return out

    def reduced() -> Longs:
        out = uncut * rules.scale
        valued, reductions = prepare(rules, classes), cuts(rules, classes)
        runs.cut_sides(hand_sides.chosen, side_cards(), *valued, reductions, out)
        return out

    uncut = _by_odds.get(hand_class, by_odds, classes, *rules.odds_inputs())
    return _reduced.get(hand_class, reduced, classes, *rules.inputs()) if rules.cuts.size else uncut
