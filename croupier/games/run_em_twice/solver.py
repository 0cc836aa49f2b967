"""Run 'Em Twice: two cards, two sides of a cross, one center; bet one to three units or fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import closest_decisions, flops
from croupier.analysis.result_builder import (
    EMPTY_TALLY,
    FactsCounts,
    RoundTally,
    build_solution,
    tally_rounds,
)
from croupier.analysis.results import ChartRow, CloseDecision, StreetSummary
from croupier.analysis.solution import Advice, Solution, rank_options
from croupier.analysis.solvers import starting_hands
from croupier.analysis.solvers.street_summaries import MARGINAL_SHOWN, marginal
from croupier.cards import Card, names
from croupier.games import House
from croupier.games.run_em_twice.boards import (
    HandCache,
    RunRules,
    ValuedRuns,
    cuts,
    prepare,
    representative,
    run_classes,
    side_cards,
    sides,
    value_hand,
)
from croupier.games.run_em_twice.form import RunChoices
from croupier.games.run_em_twice.game import Runs, folded
from croupier.money import Cents

Longs = NDArray[np.int64]

SECOND_SIDES = comb(48, 2)
LAST = SECOND_SIDES * cross_runs.CENTERS  # deals behind a first side
DEALS = 1326 * cross_runs.SIDES * LAST


def renaming(cards: Sequence[Card]) -> tuple[int, Longs]:
    """The class of a hand, and the suit permutation that leads to its representative."""
    number = flops.hand_number(cards)
    hand_class = int(starting_hands.hand_classes().ids[0, number])
    at = int(np.argmax(flops.renamed_hands()[:, number] == representative(hand_class)))
    return hand_class, flops.suit_orders()[at]


class RunStrategy:
    """The optimal strategy of a solved House, held in arrays that can be cached."""

    def __init__(
        self, house: House[RunChoices], arrays: Mapping[str, Any], ante: Cents | None = None
    ) -> None:
        self._house, self._ante = house, ante
        self.arrays = arrays
        self._ready: dict[int, ValuedRuns] = {}

    @cached_property
    def rules(self) -> RunRules:
        """Payoffs, computed on first use."""
        return RunRules(self._house, self._ante)

    def _side(self, hand_class: int, order: Longs, pair: Sequence[Card]) -> tuple[int, int, int]:
        """The number of a side relative to the representative, and of its two cards."""
        others = sides(hand_class).others
        one, two = (int(np.searchsorted(others, card >> 2 << 2 | order[card & 3])) for card in pair)
        return cross_runs.side_number.py_func(one, two), one, two

    def _second(self, cards: Sequence[Card], pair: Sequence[Card]) -> Longs:
        """Sums by first and second bet when the first side is known."""
        hand_class, order = renaming(cards)
        side, _, _ = self._side(hand_class, order, pair)
        place = int(self.arrays["starts"][hand_class]) + int(sides(hand_class).class_of[side])
        sums: Longs = self.arrays["sides"][place]
        return sums

    def _center_word(self, cards: Sequence[Card], board: Sequence[Card], one: int, two: int) -> str:
        """The best option on the last street, from the tables of the starting hand."""
        rules = self.rules
        if rules.cuts.size:
            return self.ask(rules.center.name, cards, board, self._bets(one, two))[0].option
        hand_class, order = renaming(cards)
        if hand_class not in self._ready:
            self._ready[hand_class] = prepare(rules, run_classes(rules, sides(hand_class)))
        ready = self._ready[hand_class]
        side, a, b = self._side(hand_class, order, board[:2])
        other, c, d = self._side(hand_class, order, board[2:4])
        left = np.ones(cross_runs.OTHERS, np.bool_)
        left[[a, b, c, d]] = False
        own = [table[left][:, [side, other]].sum(axis=0) for table in (ready.runs, ready.antes)]
        packed = int(np.maximum(ready.shared[left, side], ready.shared[left, other]).sum())
        offset, bits = ready.packing
        center = packed >> bits
        base = int(own[0] @ (one, two)) + int(own[1].sum()) - offset * cross_runs.CENTERS
        base += packed & ((1 << bits) - 1)
        best = rules.bets[-1 if center > 0 else 0]
        fold = rules.fold_at("center", one, two) * cross_runs.CENTERS
        return best.word if base + best.times * center > fold else "fold"

    def _bets(self, *made: int) -> dict[str, int]:
        return dict(zip(self.rules.wagers, made, strict=False))

    def _made(self, bets: Mapping[str, int] | None) -> list[int]:
        return [(bets or {}).get(wager, 1) for wager in self.rules.wagers]

    def _last(
        self, cards: Sequence[Card], board: Sequence[Card], one: int, two: int
    ) -> list[tuple[str, int, Fraction]]:
        """The options of the center street: all 46 centers through the game's own `judge`."""
        rules = self.rules
        left = [card for card in range(52) if card not in cards and card not in board]
        showdowns = [judge(rules.house, cards, (*board[:4], card)) for card in left]
        options = [("fold", 0, Fraction(rules.fold_at("center", one, two)))]
        for bet in rules.bets:
            stakes = rules.staked(one, two, bet.times)
            total = sum((rules.offered.net(facts, stakes) for facts in showdowns), Fraction(0))
            options.append((bet.word, bet.times, total / len(showdowns)))
        return options

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Every legal option with its exact value, best first.

        `community` is left, right, top, bottom.
        """
        rules = self.rules
        one, two, _ = self._made(bets)
        if street == rules.center.name:
            return rank_options(self._last(cards, community, one, two))
        if street == rules.second.name:
            sums = self._second(cards, community[:2])[rules.multiples.index(one)].tolist()
            options = [("fold", 0, Fraction(rules.fold_at("second", one)))]
            options += [
                (bet.word, bet.times, Fraction(total, LAST * rules.scale))
                for bet, total in zip(rules.bets, sums, strict=True)
            ]
            return rank_options(options)
        seen = int(starting_hands.hand_classes().ids[0, flops.hand_number(cards)])
        options = [("fold", 0, Fraction(rules.fold_at("first")))]
        options += [
            (bet.word, bet.times, Fraction(total, cross_runs.SIDES * LAST * rules.scale))
            for bet, total in zip(rules.bets, self.arrays["firsts"][seen].tolist(), strict=True)
        ]
        return rank_options(options)

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The word of the best option."""
        rules = self.rules
        one, two, _ = self._made(bets)
        if street == rules.center.name:
            return self._center_word(cards, community, one, two)
        if street == rules.second.name:
            sums = self._second(cards, community[:2])[rules.multiples.index(one)]
            fold = rules.fold_at("second", one) * LAST * rules.scale
        else:
            seen = int(starting_hands.hand_classes().ids[0, flops.hand_number(cards)])
            sums = self.arrays["firsts"][seen]
            fold = rules.fold_at("first") * cross_runs.SIDES * LAST * rules.scale
        best = int(np.argmax(sums))
        return rules.bets[best].word if int(sums[best]) > fold else "fold"


def judge(house: House[RunChoices], cards: Sequence[Card], cross: Sequence[Card]) -> Runs:
    """The facts of a box that was not folded, by the game's own `judge`."""
    from croupier.games import DealtHand

    seen = DealtHand(cards=cards, dealer=(), community=cross, box=(), folded_at="", wagers=())
    facts = next(house.game.judge(seen, house))
    assert isinstance(facts, Runs)
    return facts


def solve(
    house: House[RunChoices],
    distribution: bool,
    report: parallel.Progress = parallel.no_progress,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution of Run 'Em Twice."""
    rules = RunRules(house, ante)
    report(0.0, "first sides")
    classes = starting_hands.hand_classes()
    values, firsts, best_first = decide(rules)
    fold_first = rules.fold_at("first") * cross_runs.SIDES * LAST * rules.scale
    plays = best_first >= 0
    worth = np.where(plays, firsts.max(axis=1), fold_first)
    ev = Fraction(sum((worth * classes.sizes).tolist()), DEALS * rules.scale)
    starts = np.cumsum([0, *(len(sums) for sums in values)])[:-1]
    strategy = RunStrategy(
        house, {"sides": np.concatenate(values), "starts": starts, "firsts": firsts}, ante
    )
    rounds = EMPTY_TALLY
    if distribution:
        report(0.4, "distribution")
        rounds = _play_out(rules, values, best_first)
    chart = _chart(rules, firsts, best_first)
    report(1.0, "solved")
    return build_solution(house, ev=ev, deals=DEALS, chart=chart, strategy=strategy, rounds=rounds)


def decide(rules: RunRules) -> tuple[list[Longs], Longs, Longs]:
    """Sums by side and bets, sums by first bet, and the best first bet (-1 for a fold)."""
    order = range(len(starting_hands.hand_classes().names))
    values: list[Longs] = list(parallel.pool().map(lambda at: value_hand(rules, at), order))
    last = LAST * rules.scale
    fold_second = np.array([rules.fold_at("second", bet) * last for bet in rules.multiples])
    firsts = np.zeros((len(values), len(rules.multiples)), np.int64)
    for at, sums in enumerate(values):
        firsts[at] = sides(at).sizes @ np.maximum(sums.max(axis=2), fold_second)
    fold_first = rules.fold_at("first") * cross_runs.SIDES * last
    return values, firsts, np.where(firsts.max(axis=1) > fold_first, np.argmax(firsts, axis=1), -1)


def bets_made(rules: RunRules, sums: Longs, one: int) -> Longs:
    """The second bet on every side after a first bet: its index, or -1 for a fold."""
    if one < 0:
        return np.full(len(sums), -1)
    fold = rules.fold_at("second", rules.multiples[one]) * LAST * rules.scale
    second = np.argmax(sums[:, one], axis=1)
    return np.where(sums[:, one].max(axis=1) > fold, second, -1)


# Tally of one starting hand: counts of facts, folds on the last street and before, last actions,
# and the closest of these.
Parts: TypeAlias = tuple[Longs, Longs, Longs, Longs, Longs]
_parts: HandCache[Parts] = HandCache()


def _play_out(rules: RunRules, values: Sequence[Longs], best_first: Longs) -> RoundTally:
    """Distribution, action frequencies and average wager under optimal play."""
    bets = len(rules.multiples)
    hands = starting_hands.hand_classes().sizes

    def tally_hand(at: int) -> Parts:
        tally = np.zeros((bets, bets, bets, len(rules.space)), np.int64)
        last_folds = np.zeros((bets, bets), np.int64)
        early = np.zeros(bets, np.int64)
        actions = np.zeros(bets + 1, np.int64)
        closest = closest_decisions.closest_buffer(1)
        one = int(best_first[at])
        if one < 0:
            return tally, last_folds, early, actions, closest
        second = bets_made(rules, values[at], one)
        hand_sides = sides(at)
        classes = run_classes(rules, hand_sides)
        alike = rules.alike[classes]
        sets = np.zeros((cross_runs.OTHERS, cross_runs.CLASSES, cross_runs.WORDS + 1), np.uint64)
        cross_runs.class_sets(alike, sets)
        sizes = hand_sides.sizes * hands[at]
        early[one] = sizes[second < 0].sum() * LAST
        cross_runs.tally_sides(
            hand_sides.chosen, sizes, side_cards(), *prepare(rules, classes), alike, sets, one,
            second, cuts(rules, classes), rules.codes, tally[one], last_folds[one], actions,
            closest,
        )  # fmt: skip
        return tally, last_folds, early, actions, closest

    def cached_tally(at: int) -> Parts:
        behind = run_classes(rules, sides(at)), rules.alike, rules.codes, values[at], best_first[at]
        return _parts.get(at, lambda: tally_hand(at), *behind, *rules.inputs())

    parts = list(parallel.pool().map(cached_tally, range(len(values))))
    closest = np.concatenate([part[4] for part in parts])
    tally, last_folds, early, actions = (
        np.sum([part[at] for part in parts], axis=0) for at in range(4)
    )
    streets = [
        _second_summary(rules, values, best_first),
        _center_summary(rules, actions, closest),
    ]
    occurrences = list(_occurrences(rules, tally, last_folds, early))
    return tally_rounds(
        rules.offered, rules.space, occurrences, DEALS, _frequencies(rules, occurrences), streets
    )


def _second_summary(rules: RunRules, values: Sequence[Longs], best_first: Longs) -> StreetSummary:
    """Summary of the second street: classes of first sides, after the best first bet."""
    words = [*(bet.word for bet in rules.bets), "fold"]
    actions = dict.fromkeys(words, 0)
    close: list[tuple[int, int, int]] = []
    for at, sums in enumerate(values):
        one = int(best_first[at])
        if one < 0:
            continue
        second = bets_made(rules, sums, one).tolist()
        for bet in second:
            actions[words[bet]] += 1
        fold = rules.fold_at("second", rules.multiples[one]) * LAST * rules.scale
        options = np.column_stack([sums[:, one], np.full(len(sums), fold)])
        options.sort(axis=1)
        gaps = options[:, -1] - options[:, -2]
        side = int(np.argmin(gaps))  # one of each starting hand
        close.append((int(gaps[side]), at, side))
    shown = []
    for gap, at, side in sorted(close)[:MARGINAL_SHOWN]:
        hand_sides = sides(at)
        pair = hand_sides.others[side_cards()[hand_sides.chosen[side]]].tolist()
        held = " ".join(names(hand_sides.hand.tolist()[::-1]))
        shown.append(CloseDecision(held, " ".join(names(pair)), Fraction(gap, LAST * rules.scale)))
    return StreetSummary(
        street=rules.second.name,
        situations=sum(actions.values()),
        actions=actions,
        marginal=tuple(shown),
    )


def _center_summary(rules: RunRules, actions: Longs, closest: Longs) -> StreetSummary:
    """Summary of the last street after the best bets: classes of first sides, all second sides."""
    words = [*(bet.word for bet in rules.bets), "fold"]
    shift = cross_runs.SIDES**2  # a situation is numbered by hand, first side, second side
    numbered = closest + np.outer(np.arange(len(closest)) * shift, (0, 1))

    def dealt(number: int) -> tuple[list[Card], list[Card], list[Card]]:
        at, pair = divmod(number, shift)
        hand_sides = sides(at)
        first, second = divmod(pair, cross_runs.SIDES)
        one, two = hand_sides.others[side_cards()[[hand_sides.chosen[first], second]]].tolist()
        return hand_sides.hand.tolist(), one, two

    return StreetSummary(
        street=rules.center.name,
        situations=int(actions.sum()),
        actions=dict(zip(words, actions.tolist(), strict=True)),
        marginal=marginal(numbered, dealt, cross_runs.CENTERS * rules.scale),
    )


def _occurrences(
    rules: RunRules, tally: Longs, last_folds: Longs, early: Longs
) -> Iterator[FactsCounts]:
    """Counts of facts by the bets made: completed rounds, then folds from the last street on."""
    multiples = rules.multiples

    def folds(street: str, count: int) -> list[int]:
        counts = [0] * len(rules.space)
        counts[rules.space.code(folded(street))] = count
        return counts

    for one, two, three in product(range(len(multiples)), repeat=3):
        bets = (multiples[one], multiples[two], multiples[three])
        yield FactsCounts(rules.staked(*bets), tally[one, two, three].tolist())
    for one, two in product(range(len(multiples)), repeat=2):
        stakes = rules.staked(multiples[one], multiples[two])
        yield FactsCounts(stakes, folds(rules.center.name, int(last_folds[one, two])))
    for one, bet in enumerate(multiples):
        yield FactsCounts(rules.staked(bet), folds(rules.second.name, int(early[one])))
    at_once = DEALS - int(tally.sum() + last_folds.sum() + early.sum())
    yield FactsCounts(rules.antes, folds(rules.first.name, at_once))


def _frequencies(
    rules: RunRules, occurrences: Sequence[FactsCounts]
) -> dict[str, dict[str, Fraction]]:
    """The frequency of each action, among the rounds that reach the decision."""
    words = {bet.times: bet.word for bet in rules.bets}
    streets = (rules.first.name, rules.second.name, rules.center.name)
    counted = {name: dict.fromkeys([*words.values(), "fold"], 0) for name in streets}
    for stakes, counts in occurrences:
        bets = [words[stakes[wager]] for wager in rules.wagers if wager in stakes]
        for name, word in zip(streets, [*bets, "fold"], strict=False):
            counted[name][word] += sum(counts)
    return {
        name: {word: Fraction(count, max(1, sum(taken.values()))) for word, count in taken.items()}
        for name, taken in counted.items()
    }


def _chart(rules: RunRules, firsts: Longs, best_first: Longs) -> list[ChartRow]:
    """The chart of the 169 starting hands."""
    classes = starting_hands.hand_classes()
    fold = Fraction(rules.fold_at("first"))
    words = [bet.word for bet in rules.bets]
    return [
        ChartRow(
            hand=name,
            deals=int(classes.sizes[at]),
            options={
                word: Fraction(total, cross_runs.SIDES * LAST * rules.scale)
                for word, total in zip(words, firsts[at].tolist(), strict=True)
            }
            | {"fold": fold},
            best=words[best_first[at]] if best_first[at] >= 0 else "fold",
        )
        for at, name in enumerate(classes.names)
    ]
