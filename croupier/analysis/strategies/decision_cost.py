"""What answers cost on a street, for streets of few situations, and mistakes in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.strategies.cost import (
    StreetCost,
    Mistake,
    StrategyDecisions,
    StrategyLine,
    StreetDecision,
    ordered_options,
)
from croupier.analysis.strategies.rule_language import Features
from croupier.cards import Card, names
from croupier.games import Street

Longs = NDArray[np.int64]
Describe: TypeAlias = Callable[[int], tuple[str, str]]  # the hand and the board of a situation
MISTAKES_KEPT = 200  # before those of one kind are put together


def costliest(rooms: Sequence[Longs]) -> list[list[int]]:
    """What kernels kept of the costliest mistakes, first first: see `charges.room`."""
    kept: list[list[int]] = [row for room in rooms for row in room.tolist() if row[0] > 0]
    return sorted(kept, key=lambda row: (-row[0], row[1]))[:MISTAKES_KEPT]


def small_decision(
    street: Street,
    sight: Features,
    worth: Longs,
    weights: Longs,
    unit: int,
    rounds: int,
    told: Describe,
) -> StreetDecision:
    """A street whose situations are few: worth[situation, option in order].

    A worth is in units of which `unit` make one ante in every round, met `weights` times.
    """

    def charge(answers: Sequence[StrategyDecisions]) -> list[StreetCost]:
        return [small_street_cost(street, answers[0], worth, weights, unit, rounds, told)]

    def summed(keys: Sequence[NDArray[np.int64]], count: int) -> NDArray[np.float64]:
        gains = (worth - worth[:, :1]) * (weights / unit)[:, None]
        columns = [np.bincount(keys[0], column, count) for column in gains.T]
        return np.stack(columns, axis=1)

    return StreetDecision(street=street, sights=(sight,), charge=charge, summed=summed)


def small_street_cost(
    street: Street,
    answer: StrategyDecisions,
    worth: Longs,
    weights: Longs,
    unit: int,
    rounds: int,
    told: Describe,
) -> StreetCost:
    """What an answer costs on a street whose situations are few."""
    best = worth.max(axis=1)
    got = np.take_along_axis(worth, answer.taken[:, None], 1)[:, 0]
    loss = best - got
    costs = [[0, 0, 0] for _ in answer.lines]
    wrong = []
    rows = zip(answer.which.tolist(), loss.tolist(), weights.tolist(), strict=True)
    for at, (line, lost, weight) in enumerate(rows):
        costs[line][0] += lost * weight
        costs[line][1] += weight
        if lost and weight:
            costs[line][2] += weight
            wrong.append((at, line, lost, weight))
    wrong.sort(key=lambda one: -one[2] * one[3])
    found = [
        mistake(street, answer.lines[line], told(at), Fraction(lost * rounds, unit), weight, rounds)
        for at, line, lost, weight in wrong[:MISTAKES_KEPT]
    ]
    # Python's integers may be beyond 64 bits.
    return StreetCost(answer.lines, np.array(costs, object), unit, rounds, tuple(found))


def mistake(
    street: Street, line: StrategyLine, where: tuple[str, str], loss: Fraction, weight: int, of: int
) -> Mistake:
    """A decision of a line that loses so much, in so many of all rounds."""
    hand, board = where
    return Mistake(
        street=street.name,
        hand=hand,
        board=board,
        played=[option.word for option in ordered_options(street)][line.action],
        told=line.told,
        loss=loss,
        share=Fraction(weight, of),
    )


def card_text(cards: Sequence[Card]) -> str:
    """Cards as they are told, the best first."""
    return " ".join(names(sorted(cards, reverse=True)))


def mistakes(
    street: Street,
    answer: StrategyDecisions,
    rooms: Sequence[Longs],
    per: int,
    unit: int,
    told: Describe,
) -> tuple[Mistake, ...]:
    """What kernels kept, in words."""
    found = [
        mistake(
            street, answer.lines[line], told(place), Fraction(loss, per), cost // loss * per, unit
        )
        for cost, place, line, loss in costliest(rooms)
    ]
    return tuple(found)
