"""Cost of decisions on streets with few situations, and mistakes described by cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.strategies.cost import (
    Mistake,
    StrategyDecisions,
    StrategyLine,
    StreetCost,
    StreetDecision,
    ordered_options,
)
from croupier.analysis.strategies.rule_language import Features
from croupier.cards import Card, names
from croupier.games import Street

Longs = NDArray[np.int64]
Describe: TypeAlias = Callable[[int], tuple[str, str]]  # hand and board of a situation, as text
MISTAKES_KEPT = 200  # before similar ones are merged


def costliest(buffers: Sequence[Longs]) -> list[list[int]]:
    """The costliest mistakes of several buffers (`decision_costs.mistake_buffer`)."""
    rows: list[list[int]] = [row for buffer in buffers for row in buffer.tolist() if row[0] > 0]
    return sorted(rows, key=lambda row: (-row[0], row[1]))[:MISTAKES_KEPT]


def small_decision(
    street: Street,
    features: Features,
    worth: Longs,
    weights: Longs,
    unit: int,
    rounds: int,
    describe: Describe,
) -> StreetDecision:
    """A street with few situations, from their values: worth[situation, option in order].

    A value of `unit` is one ante per round; a situation occurs `weights` times.
    """

    def cost(decisions: Sequence[StrategyDecisions]) -> list[StreetCost]:
        return [small_street_cost(street, decisions[0], worth, weights, unit, rounds, describe)]

    def sum_gains(keys: Sequence[NDArray[np.int64]], count: int) -> NDArray[np.float64]:
        gains = (worth - worth[:, :1]) * (weights / unit)[:, None]
        columns = [np.bincount(keys[0], column, count) for column in gains.T]
        return np.stack(columns, axis=1)

    return StreetDecision(street=street, features=(features,), cost=cost, sum_gains=sum_gains)


def small_street_cost(
    street: Street,
    decisions: StrategyDecisions,
    worth: Longs,
    weights: Longs,
    unit: int,
    rounds: int,
    describe: Describe,
) -> StreetCost:
    """The cost of decisions on a street with few situations."""
    best = worth.max(axis=1)
    taken = np.take_along_axis(worth, decisions.taken[:, None], 1)[:, 0]
    loss = best - taken
    costs = [[0, 0, 0] for _ in decisions.lines]
    wrong = []
    rows = zip(decisions.which.tolist(), loss.tolist(), weights.tolist(), strict=True)
    for at, (line, lost, weight) in enumerate(rows):
        costs[line][0] += lost * weight
        costs[line][1] += weight
        if lost and weight:
            costs[line][2] += weight
            wrong.append((at, line, lost, weight))
    wrong.sort(key=lambda row: -row[2] * row[3])
    listed = [
        mistake(
            street,
            decisions.lines[line],
            describe(at),
            Fraction(lost * rounds, unit),
            weight,
            rounds,
        )
        for at, line, lost, weight in wrong[:MISTAKES_KEPT]
    ]
    # Python integers: the sums may exceed 64 bits.
    return StreetCost(decisions.lines, np.array(costs, object), unit, rounds, tuple(listed))


def mistake(
    street: Street, line: StrategyLine, where: tuple[str, str], loss: Fraction, weight: int, of: int
) -> Mistake:
    """A mistake of a rule: its loss, and its weight `of` all rounds."""
    hand, board = where
    return Mistake(
        street=street.name,
        hand=hand,
        board=board,
        played=[option.word for option in ordered_options(street)][line.action],
        rule=line.rule,
        loss=loss,
        share=Fraction(weight, of),
    )


def card_text(cards: Sequence[Card]) -> str:
    """Cards as text, the highest first."""
    return " ".join(names(sorted(cards, reverse=True)))


def mistakes(
    street: Street,
    decisions: StrategyDecisions,
    buffers: Sequence[Longs],
    per: int,
    unit: int,
    describe: Describe,
) -> tuple[Mistake, ...]:
    """Return the costliest mistakes collected by kernels; a loss of `per` is one ante."""
    return tuple(
        mistake(
            street,
            decisions.lines[line],
            describe(place),
            Fraction(loss, per),
            cost // loss * per,
            unit,
        )
        for cost, place, line, loss in costliest(buffers)
    )
