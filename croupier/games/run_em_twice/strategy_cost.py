"""Cost of Run 'Em Twice strategies: decisions depend on the feature codes of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.cross import cross_runs
from croupier.analysis.kernels.enumerate import board_features as kernel
from croupier.analysis.kernels.enumerate import decision_costs, flops
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies import features
from croupier.analysis.strategies.cost import (
    CostModel,
    Decisions,
    StrategyDecisions,
    StreetCost,
    StreetDecision,
    cached_perfect_play,
)
from croupier.analysis.strategies.decision_cost import Describe, card_text, mistakes, small_decision
from croupier.games import House
from croupier.games.run_em_twice import solver
from croupier.games.run_em_twice.boards import (
    RunRules,
    Sides,
    ValuedRuns,
    prepare,
    run_classes,
    side_cards,
    sides,
)
from croupier.games.run_em_twice.form import RunChoices

Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

# Features of the four cards of a run that are open before its center.
NAMES = ("made", "pair", "in_suit", "straight_draw", "jacks", "sixes")
HAND_CLASSES = 169


class Codes(NamedTuple):
    """Feature codes of every run without its center: equal features have equal codes."""

    seen: Bytes  # [code, feature]
    of_side: Longs  # [starting hand, side]


@cache
def codes() -> Codes:
    """The codes of all runs of all starting hands."""
    rows = np.concatenate([_features(at) for at in range(HAND_CLASSES)])
    packed = rows @ (1 << 4 * np.arange(len(NAMES))[::-1])  # no feature exceeds 15
    _, first, of_row = np.unique(packed, return_index=True, return_inverse=True)
    return Codes(rows[first], of_row.reshape(HAND_CLASSES, cross_runs.SIDES).astype(np.int64))


def _features(hand_class: int) -> Bytes:
    """[side, feature] of one starting hand."""
    hand_sides = sides(hand_class)
    pairs = hand_sides.others[side_cards()]
    cards = np.concatenate([np.tile(hand_sides.hand, (len(pairs), 1)), pairs], axis=1)
    ranks = cards >> 2
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    suits = (cards[:, :, None] & 3 == np.arange(4)).sum(axis=1)
    most, twos = counts.max(axis=1), (counts == 2).sum(axis=1)
    made = np.where(most == 4, 7, np.where(most == 3, 3, np.minimum(twos, 2)))
    pair = np.where(counts >= 2, np.arange(2, 15), 0).max(axis=1)
    ends = kernel.straight_completions()[(counts > 0) @ (1 << np.arange(13))]
    draw = np.bitwise_count(ends)
    high, middle = (ranks >= 9).sum(axis=1), ((ranks >= 4) & (ranks < 9)).sum(axis=1)
    columns = (made, pair, suits.max(axis=1), draw, high, middle)
    return np.stack(columns, axis=1).astype(np.uint8)


class RunsSolved(NamedTuple):
    """Perfect play of Run 'Em Twice: sums by side and bets, sums by first bet."""

    rules: RunRules
    values: list[Longs]
    firsts: Longs
    ev: Fraction


@lru_cache(maxsize=1)
def runs_solved(house: House[RunChoices]) -> RunsSolved:
    """Perfect play, solved once for many strategies."""
    rules = RunRules(house)

    def work() -> dict[str, Longs]:
        values, firsts, _ = solver.decide(rules)
        return {"sides": np.concatenate(values), "firsts": firsts}

    cached = cached_perfect_play(house, ("sides", "firsts"), work)
    firsts, values = cached["firsts"], np.split(cached["sides"], starts()[1:-1])
    fold = rules.fold_at("first") * cross_runs.SIDES * solver.LAST
    worth = np.maximum(firsts.max(axis=1), fold) * starting_hands.hand_classes().sizes
    ev = Fraction(sum(worth.tolist()), solver.DEALS)
    return RunsSolved(rules, values, firsts, ev)


def build_cost_model(house: House[RunChoices], report: parallel.Progress) -> CostModel:
    """The cost model of Run 'Em Twice."""
    report(0.0, "perfect play")
    solved = runs_solved(house)
    report(0.5, "the strategy")
    return CostModel(solved.ev, _decisions(solved))


def _decisions(solved: RunsSolved) -> Decisions:
    rules, unit = solved.rules, solver.DEALS
    classes = starting_hands.hand_classes()
    fold = np.full(HAND_CLASSES, rules.fold_at("first") * cross_runs.SIDES * solver.LAST)
    (first,) = yield small_decision(
        rules.first, features.of_starting_hands(rules.first),
        np.column_stack([fold, solved.firsts]), classes.sizes, unit, flops.HANDS,
        lambda at: (classes.names[at], ""),
    )  # fmt: skip
    (second,) = yield _second_decision(solved, first)
    yield _center_decision(solved, first, second)


def starts() -> Longs:
    """The first side class of each starting hand; the last entry is the end."""
    return np.cumsum([0, *(len(sides(at).chosen) for at in range(HAND_CLASSES))])


def second_features(rules: RunRules) -> features.FeatureArrays:
    """Features of the second street: every starting hand with every first side class."""
    run_codes = codes()
    by_hand = [run_codes.of_side[at][sides(at).chosen] for at in range(HAND_CLASSES)]
    seen = run_codes.seen[np.concatenate(by_hand)]
    classes = np.repeat(np.arange(HAND_CLASSES), [len(part) for part in by_hand])
    arrays: dict[str, Bytes] = {name: seen[:, at] for at, name in enumerate(NAMES)}
    own = features.own_cards(features.first_hands())
    arrays |= {name: own[name][classes] for name in ("high", "low", "pocket")}
    return features.FeatureArrays(
        rules.second.name, features.option_words(rules.second), arrays, classes
    )


def center_features(rules: RunRules) -> features.FeatureArrays:
    """Features of the last street: the maximum over two runs, and the minimum as "both_"."""
    seen = codes().seen
    arrays = {}
    for at, name in enumerate(NAMES):
        arrays[name] = np.maximum.outer(seen[:, at], seen[:, at])
        arrays[f"both_{name}"] = np.minimum.outer(seen[:, at], seen[:, at])
    return features.FeatureArrays(rules.center.name, features.option_words(rules.center), arrays)


def _second_decision(solved: RunsSolved, first: StrategyDecisions) -> StreetDecision:
    rules, hands = solved.rules, starting_hands.hand_classes().sizes
    worth, weights = [], []
    for at, bet in enumerate((first.taken - 1).tolist()):
        sums = solved.values[at][:, max(bet, 0)]
        fold = rules.fold_at("second", rules.multiples[max(bet, 0)]) * solver.LAST
        worth.append(np.column_stack([np.full(len(sums), fold), sums]))
        weights.append(sides(at).sizes * (hands[at] if bet >= 0 else 0))
    edges = starts()

    def describe(place: int) -> tuple[str, str]:
        at = int(np.searchsorted(edges, place, side="right")) - 1
        hand = sides(at)
        side = side_cards()[hand.chosen[place - edges[at]]]
        return card_text(hand.hand.tolist()), card_text(hand.others[side].tolist())

    unit, per = solver.DEALS, solver.LAST
    return small_decision(
        rules.second, second_features(rules), np.concatenate(worth), np.concatenate(weights), unit,
        unit // per, describe,
    )  # fmt: skip


def _center_decision(
    solved: RunsSolved, first: StrategyDecisions, second: StrategyDecisions
) -> StreetDecision:
    rules, hands = solved.rules, starting_hands.hand_classes().sizes
    edges, of_side = starts(), codes().of_side
    bets = second.taken - 1
    shift = cross_runs.SIDES * cross_runs.SIDES
    unit, per = solver.DEALS, cross_runs.CENTERS

    def hand(at: int) -> tuple[Sides, ValuedRuns, int]:
        """Kernel arguments of one starting hand; the last is its first bet."""
        hand_sides = sides(at)
        valued = prepare(rules, run_classes(rules, hand_sides))
        return hand_sides, valued, int(first.taken[at]) - 1

    played = np.flatnonzero(first.taken).tolist()

    def cost(decisions: Sequence[StrategyDecisions]) -> Iterator[StreetCost]:
        (last,) = decisions

        def cost_of_hand(at: int) -> tuple[Longs, Longs]:
            costs = np.zeros((len(last.lines), 3), np.int64)
            buffer = decision_costs.mistake_buffer()
            hand_sides, valued, one = hand(at)
            decision_costs.add_center_costs(
                hand_sides.chosen, hand_sides.sizes * hands[at], side_cards(), *valued, one,
                bets[edges[at] : edges[at + 1]], of_side[at], last.which, last.actions - 1,
                costs, buffer,
            )  # fmt: skip
            buffer[:, 1] += at * shift
            return costs, buffer

        parts = list(parallel.pool().map(cost_of_hand, played))
        buffers = [buffer for _, buffer in parts]
        worst = mistakes(rules.center, last, buffers, per, unit, _describe_center(shift))
        costs = sum((cost for cost, _ in parts), np.zeros((len(last.lines), 3), np.int64))
        yield StreetCost(last.lines, costs, unit, unit // per, worst)

    def sum_gains(keys: Sequence[Longs], count: int) -> NDArray[np.float64]:
        size = len(codes().seen)
        parts: list[Longs] = []

        def work(first_hand: int, last_hand: int) -> None:
            parts.append(part := np.zeros((size, size, len(rules.multiples)), np.int64))
            for at in played[first_hand:last_hand]:
                hand_sides, valued, one = hand(at)
                decision_costs.sum_centers_by_code(
                    hand_sides.chosen, hand_sides.sizes * hands[at], side_cards(), *valued, one,
                    bets[edges[at] : edges[at + 1]], of_side[at], part,
                )  # fmt: skip

        parallel.parallel_for(len(played), work, parts=parallel.cores())
        gains = np.sum(parts, axis=0).reshape(-1, len(rules.multiples)) / unit
        columns = [np.bincount(keys[0].reshape(-1), column, count) for column in gains.T]
        return np.stack([np.zeros(count), *columns], axis=1)

    return StreetDecision(
        street=rules.center, features=[center_features(rules)], cost=cost, sum_gains=sum_gains
    )


def _describe_center(shift: int) -> Describe:
    def describe(place: int) -> tuple[str, str]:
        at, pair = divmod(place, shift)
        hand = sides(at)
        one, two = divmod(pair, cross_runs.SIDES)
        cards = hand.others[side_cards()[[hand.chosen[one], two]]].tolist()
        return card_text(hand.hand.tolist()), " + ".join(map(card_text, cards))

    return describe
