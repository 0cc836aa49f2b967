"""Paytable search: payouts for a target house edge, hit frequency and standard deviation.

Candidates are round numbers near those of the printed tables, with a better hand never paid less;
the closest ones are then valued exactly, as proposals of the House. To pay more hands than a
table prints, lines are added below it and all payouts are scaled to the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.analyzer import side_result
from croupier.analysis.result_display import ResultDisplay
from croupier.analysis.side_wagers import SideResult
from croupier.errors import BadInput
from croupier.games import House, Proposal, with_digest
from croupier.games.expected_returns import side_wagers
from croupier.games.hand_names import PAIRS, PLURALS, covered_by
from croupier.money import parse_pays
from croupier.rulebook import PaytableLine, letters, paytable

ROUND_NUMBERS = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150),
    *(200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000),
)
WIDEST = 4  # round numbers tried on either side of the printed one
MOST_CANDIDATES = 400_000
TOLERANCE = 0.001  # of house edge and hit frequency
DEVIATION_TOLERANCE = 0.01  # relative


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PaytableDesign(ResultDisplay):
    """A designed paytable: its lines as in a proposal, and its exact value."""

    lines: tuple[tuple[str, str], ...]
    result: SideResult

    @property
    def house_edge(self) -> Fraction:
        """The average loss per unit staked."""
        return -self.result.ev


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DesignGoal(ResultDisplay):
    """Target figures of a paytable."""

    edge: Fraction
    hit: Fraction | None = None
    deviation: float | None = None

    def compared(self, design: PaytableDesign) -> dict[str, tuple[float, float, bool]]:
        """By the name of a figure: target, value, and whether it is within the tolerance."""
        figures = {"house_edge": (float(self.edge), float(design.house_edge), TOLERANCE)}
        if self.hit is not None:
            frequency = float(design.result.hit_frequency)
            figures["hit_frequency"] = float(self.hit), frequency, TOLERANCE
        if self.deviation is not None:
            deviation = design.result.standard_deviation
            tolerance = DEVIATION_TOLERANCE * self.deviation
            figures["standard_deviation"] = self.deviation, deviation, tolerance
        return {
            name: (target, value, abs(target - value) <= tolerance)
            for name, (target, value, tolerance) in figures.items()
        }


def design_paytable(
    house: House,
    wager: str,
    edge: Fraction,
    hit: Fraction | None = None,
    deviation: float | None = None,
    shown: int = 5,
) -> list[PaytableDesign]:
    """Paytables of a side wager close to a target house edge, best first.

    With `hit`, the number of paid lines is chosen to come closest to that hit frequency. With
    `deviation`, among equally good edges those close to that standard deviation come first.
    Raises `BadInput` for an edge or hit frequency out of range, or an unknown side wager.
    """
    if not -1 < edge < 1:
        raise BadInput(f"an edge of {float(edge):.2%}; expected between -100 and 100 percent")
    if hit is not None and not 0 < hit < 1:
        raise BadInput(f"a hit frequency of {float(hit):.2%}; expected between 0 and 100 percent")
    table = _most_lines(house, wager)
    if hit is not None:
        target = hit
        options = reachable_hit_frequencies(house, wager)
        table = list(min(options, key=lambda option: abs(option.hit - target)).lines)
    lines = _value(house, wager, [(line.hand, str(line.pays)) for line in table]).lines
    probabilities = np.array([float(line.probability) for line in lines])
    # The return of lines that do not pay odds is fixed.
    returns = np.array([float(line.contribution) for line in lines])
    odds = np.array([line.pays.unit in ("to", "for") for line in table])
    stake = np.array([float(line.pays.unit == "to") for line in table])
    printed = np.array([float(line.pays.win) / line.pays.per for line in table])
    if any(not line.clause for line in table):  # added lines: the others must pay less
        target_return = 1 - float(edge)
        scaled = _scaled(printed, stake, probabilities, odds, returns, target_return)
        printed = np.where(odds, scaled, printed)
    candidates = _candidates(table, printed)
    by_line = np.where(odds, (candidates + stake) * probabilities, returns)
    evs = by_line.sum(axis=1) - 1
    squares = np.where(odds, (candidates + stake) ** 2 * probabilities, 0.0).sum(axis=1)
    deviations = np.sqrt(np.maximum(squares - (evs + 1) ** 2, 0.0))
    edge_error = np.abs(evs + float(edge))
    distance = np.abs(np.log(candidates / printed)).sum(axis=1)
    if deviation is not None:
        distance = np.abs(np.log(np.maximum(deviations, 1e-9) / deviation))
    # Among edges that are equally good, the distance decides.
    order = np.lexsort((distance, np.round(edge_error, 3)))[:shown]
    return [
        PaytableDesign(lines=lines, result=_value(house, wager, lines))
        for lines in (_proposal_lines(table, candidates[at]) for at in order)
    ]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HitFrequencyOption(ResultDisplay):
    """The hit frequency of a wager that pays exactly these lines."""

    hit: Fraction
    lines: tuple[PaytableLine, ...]


def reachable_hit_frequencies(house: House, wager: str) -> list[HitFrequencyOption]:
    """Every hit frequency that a table of this wager can have, the lowest first."""
    printed = _most_lines(house, wager)
    table = [*printed, *_lower_lines(house, wager, printed)]
    lines = _value(house, wager, [(line.hand, str(line.pays)) for line in table]).lines
    options, hit = [], Fraction(0)
    for count, line in enumerate(lines, 1):
        hit += line.probability
        if line.probability:  # not every hand can be dealt in every game
            paid = tuple(_without_narrower(table[:count]))
            options.append(HitFrequencyOption(hit=hit, lines=paid))
    return options


def _lower_lines(
    house: House, wager: str, printed: Sequence[PaytableLine]
) -> Iterator[PaytableLine]:
    """Lines for hands below all printed ones, the best first; the worst hand always loses."""
    definition = house.game.wager(wager)
    hands = list(definition.hands) if definition else []
    paid = {hands.index(hand) for line in printed for hand in covered_by(line.hand) & {*hands}}
    unit = "for" if printed[-1].pays.unit == "for" else "to"
    for hand in reversed(hands[1 : min(paid, default=0)]):
        name = f"pair_{PLURALS[hand[-1]]}_or_better" if hand in PAIRS else hand
        yield PaytableLine(hand=name, pays=parse_pays(f"1 {unit} 1"), clause="")


def _without_narrower(lines: Sequence[PaytableLine]) -> list[PaytableLine]:
    """Of the added lines for pairs only the last one, which covers the others."""
    return [
        line
        for at, line in enumerate(lines)
        if line.clause or not any(covered_by(line.hand) < covered_by(o.hand) for o in lines[at:])
    ]


def _scaled(
    printed: NDArray[np.float64],
    stake: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    odds: NDArray[np.bool_],
    returns: NDArray[np.float64],
    target: float,
) -> NDArray[np.float64]:
    """Scale the payouts by one factor, none below 1, to the target return (by bisection)."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        pays = np.maximum(1.0, middle * printed)
        returned = np.where(odds, (pays + stake) * probabilities, returns).sum()
        low, high = (low, middle) if returned > target else (middle, high)
    scaled: NDArray[np.float64] = np.maximum(1.0, low * printed)
    return scaled


def _most_lines(house: House, wager: str) -> list[PaytableLine]:
    """The printed table with the most lines, best hand first; of equal ones the posted table."""
    if wager not in side_wagers(house):
        offered = ", ".join(side_wagers(house))
        raise BadInput(f"{wager!r} is not a side wager here; expected one of {offered}")
    posted = house.letters.get(wager)
    posted_first = sorted(letters(house.game.document, wager), key=lambda letter: letter != posted)
    tables = [list(paytable(house.game.document, wager, letter).lines) for letter in posted_first]
    return max(tables, key=lambda lines: len(lines))


def _candidates(table: Sequence[PaytableLine], printed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Payouts to try, [candidate, line]: round numbers, never less for a better hand."""
    width = WIDEST
    while True:
        choices = [_around(line, pay, width) for line, pay in zip(table, printed, strict=True)]
        if _count_monotone(choices) <= MOST_CANDIDATES or width == 1:
            break
        width -= 1
    rows = np.array([[]])
    for column in choices:
        if rows.shape[1] == 0:
            rows = np.array(column)[:, None]
            continue
        repeated = np.repeat(rows, len(column), axis=0)
        new = np.tile(column, len(rows))
        rows = np.column_stack([repeated, new])[new <= repeated[:, -1]]
    return rows


def _count_monotone(choices: Sequence[Sequence[float]]) -> int:
    """The number of tables in which no better hand is paid less."""
    ways = dict.fromkeys(choices[0], 1)
    for column in choices[1:]:
        ways = {pay: sum(n for above, n in ways.items() if pay <= above) for pay in column}
    return sum(ways.values())


def _around(line: PaytableLine, printed: float, width: int) -> list[float]:
    if line.pays.unit not in ("to", "for"):
        return [float(line.pays.win)]
    at = int(np.argmin([abs(value - printed) for value in ROUND_NUMBERS]))
    return [float(value) for value in ROUND_NUMBERS[max(0, at - width) : at + width + 1]]


def _proposal_lines(
    printed: Sequence[PaytableLine], pays: NDArray[np.float64]
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            line.hand,
            f"{int(win)} {line.pays.unit} 1" if line.pays.unit in ("to", "for") else str(line.pays),
        )
        for line, win in zip(printed, pays.tolist(), strict=True)
    )


def _value(house: House, wager: str, lines: Sequence[tuple[str, str]]) -> SideResult:
    """The exact value of a wager with these lines."""
    base = house.proposal or Proposal()
    proposal = msgspec.structs.replace(base, pays={**base.pays, wager: tuple(lines)})
    return side_result(with_digest(replace(house, proposal=proposal)), wager)
