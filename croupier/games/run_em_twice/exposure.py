"""Run 'Em Twice with exposed cards of the cross or of another seat, before the first bet.

Known cards are grouped into suit isomorphism classes relative to the starting hand. Each kind of
exposure sums the first bets by such a class; the rest is common: the best bet, or a fold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.exposure.detection import (
    Detector,
    RecordedDecision,
    first_street,
)
from croupier.analysis.exposure.exposed_cards import ExposureValue
from croupier.analysis.exposure.known_cards import Worths
from croupier.analysis.kernels.cross import cross_known_cards, cross_runs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.solvers import starting_hands
from croupier.cards import RANKS, Card
from croupier.games import House
from croupier.games.run_em_twice import boards, solver
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.game import CENTER

Longs = NDArray[np.int64]
SECONDS = comb(48, 2) * cross_runs.CENTERS  # second sides and centers behind a first side


class Classes(NamedTuple):
    """Isomorphism classes of one or two known cards, relative to a starting hand."""

    cards: Longs  # [known, card], numbered among the fifty
    ids: Longs  # by known
    sizes: Longs  # by class
    names: tuple[str, ...]  # by class


@cache
def known_classes(hand_class: int, known: int) -> Classes:
    """Classes named by rank, or for two cards as starting hands."""
    hand_sides = boards.sides(hand_class)
    if known == 2:
        pairs = hand_sides.others[boards.side_cards()[hand_sides.chosen]]
        names = [starting_hands.hand_name(*sorted(pair)) for pair in pairs.tolist()]
        return Classes(boards.side_cards(), hand_sides.class_of, hand_sides.sizes, tuple(names))
    number = boards.representative(hand_class)
    least = np.full(cross_runs.OTHERS, 52)
    for order, renamed in zip(deals.suit_orders(), deals.renamed_hands(), strict=True):
        if renamed[number] == number:
            np.minimum(least, hand_sides.others >> 2 << 2 | order[hand_sides.others & 3], out=least)
    cards, ids, sizes = np.unique(least, return_inverse=True, return_counts=True)
    names = [RANKS[card >> 2] for card in cards.tolist()]
    return Classes(np.arange(cross_runs.OTHERS)[:, None], ids.reshape(-1), sizes, tuple(names))


class KnownCenter:
    """Values of first bets by the center card."""

    def __init__(self, house: House[RunChoices]) -> None:
        self.rules = rules = boards.RunRules(house)
        bets = rules.multiples
        paid = np.array(
            [[[rules.money.by_code(rules.space, rules.staked(one, two, three)) for three in bets]
              for two in bets] for one in bets],
            object,
        ).astype(np.int64)[..., rules.codes]  # fmt: skip
        last = np.maximum(paid.max(axis=2), rules.folds[:, :, None, None])
        self.last = np.ascontiguousarray(last.transpose(2, 3, 0, 1))
        self.folds = fold_seconds(rules)
        self.fold_first = rules.fold_at("first") * comb(49, 2) * comb(47, 2)
        self.words = [*(bet.word for bet in rules.bets), "fold"]

    def firsts(self, hand_class: int) -> Longs:
        """Sums over both sides, by center (numbered among the fifty) and first bet."""
        classes = boards.run_classes(self.rules, boards.sides(hand_class))
        out = np.zeros((cross_runs.OTHERS, len(self.rules.multiples)), np.int64)
        for center in range(cross_runs.OTHERS):
            cross_known_cards.value_center(
                classes[center], boards.side_cards(), self.last, self.folds, out[center]
            )
        return out

    def best(self, firsts: Longs) -> Longs:
        """The index of the best option for each center."""
        plays = firsts.max(axis=1) > self.fold_first
        chosen: Longs = np.where(plays, firsts.argmax(axis=1), len(self.words) - 1)
        return chosen


def fold_seconds(rules: boards.RunRules) -> Longs:
    """The value of folding on the second street, by first bet."""
    return np.array([rules.fold_at("second", bet) for bet in rules.multiples], np.int64)


def _sum_by_class(values: Longs, classes: Classes) -> Longs:
    """Sum values by known cards and first bet over the classes of the cards."""
    out = np.zeros((len(classes.sizes), values.shape[1]), np.int64)
    np.add.at(out, classes.ids, values)
    return out


ByHand = Callable[[int], Longs]  # starting hand -> sums by class of known cards and first bet


def center(house: House[RunChoices]) -> ByHand:
    """A known center: only the two sides are random."""
    what = KnownCenter(house)
    return lambda hand: _sum_by_class(what.firsts(hand), known_classes(hand, 1))


def _first_sides(rules: boards.RunRules, hand: int) -> Longs:
    """The value after every first side, by first bet: the best second bet or a fold."""
    best = np.maximum(
        boards.value_hand(rules, hand).max(axis=2), fold_seconds(rules) * SECONDS * rules.scale
    )
    by_side: Longs = best[boards.sides(hand).class_of]
    return by_side


def horizontal_card(house: House[RunChoices]) -> ByHand:
    """A known card of the horizontal pair, which is revealed after the first bet."""
    rules = boards.RunRules(house)

    def sums(hand: int) -> Longs:
        behind, cards = _first_sides(rules, hand), boards.side_cards()
        by_card = np.zeros((cross_runs.OTHERS, behind.shape[1]), np.int64)
        for column in range(2):
            np.add.at(by_card, cards[:, column], behind)
        return _sum_by_class(by_card, known_classes(hand, 1))

    return sums


def horizontal_pair(house: House[RunChoices]) -> ByHand:
    """A known horizontal pair."""
    rules = boards.RunRules(house)
    return lambda hand: _sum_by_class(_first_sides(rules, hand), known_classes(hand, 2))


class KernelHand(NamedTuple):
    """Kernel arguments of one starting hand."""

    sides: boards.Sides
    valued: boards.ValuedRuns
    folds: Longs
    bets: int


def _kernel_hand(rules: boards.RunRules, hand: int) -> KernelHand:
    sides = boards.sides(hand)
    valued = boards.prepare(rules, boards.run_classes(rules, sides))
    return KernelHand(sides, valued, fold_seconds(rules), len(rules.multiples))


def vertical_card(house: House[RunChoices]) -> ByHand:
    """A known card of the vertical pair, which is revealed after the second bet."""
    rules = boards.RunRules(house)

    def sums(hand: int) -> Longs:
        (hand_sides, valued, folds, bets), known = _kernel_hand(rules, hand), known_classes(hand, 1)
        out = np.zeros((len(known.sizes), bets), np.int64)
        cross_known_cards.value_with_second_card(
            hand_sides.chosen, hand_sides.sizes, boards.side_cards(), valued, folds, known.ids, out
        )
        return out

    return sums


def vertical_pair(house: House[RunChoices]) -> ByHand:
    """A known vertical pair."""
    rules = boards.RunRules(house)

    def sums(hand: int) -> Longs:
        hand_sides, valued, folds, bets = _kernel_hand(rules, hand)
        out = np.zeros((len(hand_sides.chosen), bets), np.int64)
        cross_known_cards.value_second_sides(
            hand_sides.chosen, boards.side_cards(), valued, folds, out
        )
        return out * hand_sides.sizes[:, None]

    return sums


def dead_cards(house: House[RunChoices], count: int) -> ByHand:
    """Known cards of another seat, which cannot be in the cross."""
    rules = boards.RunRules(house)
    tried = bets_to_try(rules)

    def sums(hand: int) -> Longs:
        (hand_sides, valued, folds, bets), known = (
            _kernel_hand(rules, hand),
            known_classes(hand, count),
        )
        fewer = valued._replace(
            multiples=valued.multiples[tried],
            folds=np.ascontiguousarray(valued.folds[np.ix_(tried, tried)]),
        )
        out = np.zeros((len(known.sizes), len(tried)), np.int64)
        cross_known_cards.value_beside_dead(
            hand_sides.chosen, hand_sides.sizes, boards.side_cards(), fewer, folds[tried],
            known.cards, known.ids, out,
        )  # fmt: skip
        by_bet = np.full((len(out), bets), np.iinfo(np.int64).min)
        by_bet[:, tried] = out
        return by_bet

    return sums


def bets_to_try(rules: boards.RunRules) -> list[int]:
    """The smallest and the largest bet, if none between them can be best.

    The value of a bet is a sum of maxima of two linear functions, hence convex, as long as folds
    cost the same per unit bet.
    """
    ends = [0, len(rules.multiples) - 1]
    units = np.array(rules.multiples)
    first, last = rules.folds[0, 0], fold_seconds(rules)[0]
    made = units[:, None] + units[None, :] - 2 * units[0]
    linear = (rules.folds == first - made).all()
    linear &= (fold_seconds(rules) == last - (units - units[0])).all()
    return ends if linear else list(range(len(units)))


class KnownCrossCards(NamedTuple):
    """Number of known cards, number of crosses given them and a hand, and the valuation."""

    known: int
    deals: int
    value: Callable[[House[RunChoices]], ByHand]


EXPOSURES = {
    "center:1": KnownCrossCards(1, comb(49, 2) * comb(47, 2), center),
    "horizontal:1": KnownCrossCards(1, 49 * SECONDS, horizontal_card),
    "horizontal:2": KnownCrossCards(2, SECONDS, horizontal_pair),
    "vertical:1": KnownCrossCards(1, comb(49, 2) * 47 * cross_runs.CENTERS, vertical_card),
    "vertical:2": KnownCrossCards(2, SECONDS, vertical_pair),
    "seat:1": KnownCrossCards(1, comb(49, 2) * comb(47, 2) * 45, partial(dead_cards, count=1)),
    "seat:2": KnownCrossCards(2, comb(48, 2) * comb(46, 2) * 44, partial(dead_cards, count=2)),
}


def value_exposure(house: House[RunChoices], knows: str, report: parallel.Progress) -> Worths:
    """The value of an exposure over all starting hands."""
    known, deals, value = EXPOSURES[knows]
    sums_of, hands = value(house), starting_hands.hand_classes()
    rules = boards.RunRules(house)
    words = [*(bet.word for bet in rules.bets), "fold"]
    fold = rules.fold_at("first") * deals
    shares = name_probabilities(known)
    values, taken = dict.fromkeys(shares, 0), dict.fromkeys(words, 0)
    order = range(len(hands.names))
    for at, sums in enumerate(parallel.pool().map(sums_of, order)):
        report(at / len(order), hands.names[at])
        classes, size = known_classes(at, known), int(hands.sizes[at])
        for name, ways, row in zip(
            classes.names, classes.sizes.tolist(), sums.tolist(), strict=True
        ):
            best = max(row)
            values[name] += size * max(best, fold * ways)
            word = words[row.index(best)] if best > fold * ways else "fold"
            taken[word] += size * ways
    choices = 1326 * comb(50, known)
    by_card = {
        name: Fraction(total, choices * deals) / shares[name] for name, total in values.items()
    }
    ev = Fraction(sum(values.values()), choices * deals)
    return ev, by_card, {word: Fraction(count, choices) for word, count in taken.items()}


def name_probabilities(known: int) -> dict[str, Fraction]:
    """The probability of each name of known cards."""
    if known == 1:
        return dict.fromkeys(RANKS, Fraction(1, 13))
    hands = starting_hands.hand_classes()
    sizes = zip(hands.names, hands.sizes.tolist(), strict=True)
    return {name: Fraction(size, 1326) for name, size in sizes}


def exposed(house: House[RunChoices], knows: str, report: parallel.Progress) -> ExposureValue:
    """Exposed cards of the cross or of another seat."""
    return ExposureValue(*value_exposure(house, knows, report))


@lru_cache(maxsize=4)
def _known_center(house: House[RunChoices]) -> KnownCenter:
    return KnownCenter(house)


@lru_cache(maxsize=169)
def _best_centers(house: House[RunChoices], hand_class: int) -> tuple[int, ...]:
    known = _known_center(house)
    return tuple(known.best(known.firsts(hand_class)).tolist())


def best_answers(
    house: House[RunChoices],
    decision: RecordedDecision,
    unseen: Sequence[Card],
    progress: parallel.Progress,
) -> dict[Card, str]:
    """The best first bet for each center card, with suits permuted to the hand's class."""
    hand_class, order = solver.renaming(decision.cards)
    best = _best_centers(house, hand_class)
    others = boards.sides(hand_class).others
    words = _known_center(house).words
    return {
        card: words[best[int(np.searchsorted(others, card >> 2 << 2 | order[card & 3]))]]
        for card in unseen
    }


DETECTOR = Detector(
    streets=first_street,
    hidden_cards=lambda house, dealer, community: community[CENTER:],
    best_answers=best_answers,
)
