"""Strategies of Run 'Em Twice, priced: what is seen of a run is a code, decisions are by codes."""

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
    StreetCost,
    Decisions,
    CostModel,
    StrategyDecisions,
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

# Of the four cards of a run that are seen before its center.
NAMES = ("made", "pair", "in_suit", "straight_draw", "jacks", "sixes")
HAND_CLASSES = 169


class Codes(NamedTuple):
    """What is seen of every run without its center: the same code where the same is seen."""

    seen: Bytes  # [code, name]
    of_side: Longs  # [starting hand, side]


@cache
def codes() -> Codes:
    """All runs of all starting hands."""
    rows = np.concatenate([_seen(at) for at in range(HAND_CLASSES)])
    packed = rows @ (1 << 4 * np.arange(len(NAMES))[::-1])  # nothing that is seen is above 15
    _, first, of_row = np.unique(packed, return_index=True, return_inverse=True)
    return Codes(rows[first], of_row.reshape(HAND_CLASSES, cross_runs.SIDES).astype(np.int64))


def _seen(hand_class: int) -> Bytes:
    """[side, name] of one starting hand."""
    found = sides(hand_class)
    pairs = found.others[side_cards()]
    cards = np.concatenate([np.tile(found.hand, (len(pairs), 1)), pairs], axis=1)
    ranks = cards >> 2
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    suits = (cards[:, :, None] & 3 == np.arange(4)).sum(axis=1)
    most, twos = counts.max(axis=1), (counts == 2).sum(axis=1)
    made = np.where(most == 4, 7, np.where(most == 3, 3, np.minimum(twos, 2)))
    pair = np.where(counts >= 2, np.arange(2, 15), 0).max(axis=1)
    ends = kernel.completing()[(counts > 0) @ (1 << np.arange(13))]
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
    """Solved once for many strategies."""
    rules = RunRules(house)

    def work() -> dict[str, Longs]:
        values, firsts, _ = solver.decide(rules)
        return {"sides": np.concatenate(values), "firsts": firsts}

    known = cached_perfect_play(house, ("sides", "firsts"), work)
    firsts, values = known["firsts"], np.split(known["sides"], starts()[1:-1])
    fold = rules.fold_at("first") * cross_runs.SIDES * solver.LAST
    worth = np.maximum(firsts.max(axis=1), fold) * starting_hands.hand_classes().sizes
    ev = Fraction(sum(worth.tolist()), solver.DEALS)
    return RunsSolved(rules, values, firsts, ev)


def price_runs(house: House[RunChoices], report: parallel.Progress) -> CostModel:
    """Strategies of Run 'Em Twice."""
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
    """Where the sides of each starting hand begin, up to suits; the last is the end."""
    return np.cumsum([0, *(len(sides(at).chosen) for at in range(HAND_CLASSES))])


def second_sight(rules: RunRules) -> features.FeatureArrays:
    """The second street: every starting hand with every first side up to suits."""
    found = codes()
    every = [found.of_side[at][sides(at).chosen] for at in range(HAND_CLASSES)]
    seen = found.seen[np.concatenate(every)]
    classes = np.repeat(np.arange(HAND_CLASSES), [len(part) for part in every])
    arrays: dict[str, Bytes] = {name: seen[:, at] for at, name in enumerate(NAMES)}
    own = features.own_cards(features.first_hands())
    arrays |= {name: own[name][classes] for name in ("high", "low", "pocket")}
    return features.FeatureArrays(
        rules.second.name, features.option_words(rules.second), arrays, classes
    )


def center_sight(rules: RunRules) -> features.FeatureArrays:
    """The last street: what is seen of two runs, the more of each, and the less as "both_"."""
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

    def told(place: int) -> tuple[str, str]:
        at = int(np.searchsorted(edges, place, side="right")) - 1
        found = sides(at)
        side = side_cards()[found.chosen[place - edges[at]]]
        return card_text(found.hand.tolist()), card_text(found.others[side].tolist())

    unit, per = solver.DEALS, solver.LAST
    return small_decision(
        rules.second, second_sight(rules), np.concatenate(worth), np.concatenate(weights), unit,
        unit // per, told,
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
        """What the kernels are told of one starting hand; the last is its first bet."""
        found = sides(at)
        return found, prepare(rules, run_classes(rules, found)), int(first.taken[at]) - 1

    played = np.flatnonzero(first.taken).tolist()

    def charge(answers: Sequence[StrategyDecisions]) -> Iterator[StreetCost]:
        (last,) = answers

        def play(at: int) -> tuple[Longs, Longs]:
            costs, room = np.zeros((len(last.lines), 3), np.int64), decision_costs.room()
            found, ready, one = hand(at)
            decision_costs.charge_centers(
                found.chosen, found.sizes * hands[at], side_cards(), *ready, one,
                bets[edges[at] : edges[at + 1]], of_side[at], last.which, last.actions - 1,
                costs, room,
            )  # fmt: skip
            room[:, 1] += at * shift
            return costs, room

        parts = list(parallel.pool().map(play, played))
        rooms = [room for _, room in parts]
        found = mistakes(rules.center, last, rooms, per, unit, _center_told(shift))
        costs = sum((cost for cost, _ in parts), np.zeros((len(last.lines), 3), np.int64))
        yield StreetCost(last.lines, costs, unit, unit // per, found)

    def summed(keys: Sequence[Longs], count: int) -> NDArray[np.float64]:
        size = len(codes().seen)
        parts: list[Longs] = []

        def work(first_hand: int, last_hand: int) -> None:
            parts.append(part := np.zeros((size, size, len(rules.multiples)), np.int64))
            for at in played[first_hand:last_hand]:
                found, ready, one = hand(at)
                decision_costs.sum_centers_by_code(
                    found.chosen, found.sizes * hands[at], side_cards(), *ready, one,
                    bets[edges[at] : edges[at + 1]], of_side[at], part,
                )  # fmt: skip

        parallel.parallel_for(len(played), work, parts=parallel.cores())
        gains = np.sum(parts, axis=0).reshape(-1, len(rules.multiples)) / unit
        columns = [np.bincount(keys[0].reshape(-1), column, count) for column in gains.T]
        return np.stack([np.zeros(count), *columns], axis=1)

    return StreetDecision(
        street=rules.center, sights=[center_sight(rules)], charge=charge, summed=summed
    )


def _center_told(shift: int) -> Describe:
    def told(place: int) -> tuple[str, str]:
        at, pair = divmod(place, shift)
        found = sides(at)
        one, two = divmod(pair, cross_runs.SIDES)
        cards = found.others[side_cards()[[found.chosen[one], two]]].tolist()
        return card_text(found.hand.tolist()), " + ".join(map(card_text, cards))

    return told
