"""Paytables to order: pays for a wanted edge, hit frequency and deviation, as proposals.

Pays are tried from round numbers near those of the printed tables, the better hand never paid
less; what comes closest is then valued exactly, under a House that proposes it. Where more hands
are to be paid than a table prints, lines are added below it and all pays are scaled to the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.analyzer import side_result
from croupier.analysis.side_wagers import SideResult
from croupier.errors import BadInput
from croupier.games import House, Proposal, with_digest
from croupier.games.expected_returns import side_wagers
from croupier.games.hand_names import PAIRS, PLURALS, covered_by
from croupier.money import parse_pays
from croupier.rulebook import PaytableLine, letters, paytable

ROUND = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150),
    *(200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000),
)
WIDEST = 4  # round numbers on either side of the printed one
MOST_TRIED = 400_000
NEAR = 0.001  # a tenth of a percent beside what was asked is as good as that
NEAR_DEVIATION = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableDesign:
    """A paytable that was found: its lines as a proposal has them, and its exact worth."""

    lines: tuple[tuple[str, str], ...]
    result: SideResult

    @property
    def house_edge(self) -> Fraction:
        """What one unit loses on average."""
        return -self.result.ev


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignGoal:
    """What is asked of a paytable."""

    edge: Fraction
    hit: Fraction | None = None
    deviation: float | None = None

    def compared(self, found: PaytableDesign) -> dict[str, tuple[float, float, bool]]:
        """By the name of a figure: asked, reached, and whether that is as good as asked."""
        near = {"house_edge": (float(self.edge), float(found.house_edge), NEAR)}
        if self.hit is not None:
            near["hit_frequency"] = float(self.hit), float(found.result.hit_frequency), NEAR
        if self.deviation is not None:
            spread = found.result.standard_deviation
            near["standard_deviation"] = self.deviation, spread, NEAR_DEVIATION * self.deviation
        return {
            name: (asked, reached, abs(asked - reached) <= miss)
            for name, (asked, reached, miss) in near.items()
        }


def design_paytable(
    house: House,
    wager: str,
    edge: Fraction,
    hit: Fraction | None = None,
    deviation: float | None = None,
    shown: int = 5,
) -> list[PaytableDesign]:
    """Paytables of a side wager with nearly that edge, best first.

    With `hit`, as many lines are paid as come closest to that hit frequency; with `deviation`,
    among equally good edges those near that deviation of one unit come first.
    """
    if not -1 < edge < 1:
        raise BadInput(f"an edge of {float(edge):.2%}; expected between -100 and 100 percent")
    if hit is not None and not 0 < hit < 1:
        raise BadInput(f"a hit frequency of {float(hit):.2%}; expected between 0 and 100 percent")
    table = _most_lines(house, wager)
    if hit is not None:
        wanted = hit
        table = list(min(reachable_hit_frequencies(house, wager), key=lambda one: abs(one.hit - wanted)).lines)
    lines = _offering(house, wager, [(line.hand, str(line.pays)) for line in table]).lines
    chances = np.array([float(line.probability) for line in lines])
    # What comes back of lines that pay no odds does not depend on the odds.
    backs = np.array([float(line.contribution) for line in lines])
    odds = np.array([line.pays.unit in ("to", "for") for line in table])
    stake = np.array([float(line.pays.unit == "to") for line in table])
    usual = np.array([float(line.pays.win) / line.pays.per for line in table])
    if any(not line.clause for line in table):  # others have to make room for what is added
        usual = np.where(odds, _scaled(usual, stake, chances, odds, backs, 1 - float(edge)), usual)
    tried = _tried(table, usual)
    each = np.where(odds, (tried + stake) * chances, backs)
    evs = each.sum(axis=1) - 1
    squares = np.where(odds, (tried + stake) ** 2 * chances, 0.0).sum(axis=1)
    spread = np.sqrt(np.maximum(squares - (evs + 1) ** 2, 0.0))
    miss = np.abs(evs + float(edge))
    far = np.abs(np.log(tried / usual)).sum(axis=1)
    if deviation is not None:
        far = np.abs(np.log(np.maximum(spread, 1e-9) / deviation))
    # Where the edge is as good as asked, what is asked besides decides.
    order = np.lexsort((far, np.round(miss, 3)))[:shown]
    return [
        PaytableDesign(lines=told, result=_offering(house, wager, told))
        for told in (_told(table, tried[at]) for at in order)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class HitFrequencyOption:
    """How often a wager wins if it pays down to the last of these lines."""

    hit: Fraction
    lines: tuple[PaytableLine, ...]


def reachable_hit_frequencies(house: House, wager: str) -> list[HitFrequencyOption]:
    """Every hit frequency that a table of this wager can have, the rarest first."""
    printed = _most_lines(house, wager)
    every = [*printed, *_lower(house, wager, printed)]
    lines = _offering(house, wager, [(line.hand, str(line.pays)) for line in every]).lines
    found, hit = [], Fraction(0)
    for at, line in enumerate(lines, 1):
        hit += line.probability
        if line.probability:  # some games never see every hand
            found.append(HitFrequencyOption(hit=hit, lines=tuple(_without_narrower(every[:at]))))
    return found


def _lower(house: House, wager: str, printed: Sequence[PaytableLine]) -> Iterator[PaytableLine]:
    """Lines for hands that are worse than all printed ones, the best first; the worst loses."""
    known = house.game.wager(wager)
    hands = list(known.hands) if known else []
    paid = {hands.index(hand) for line in printed for hand in covered_by(line.hand) & {*hands}}
    unit = "for" if printed[-1].pays.unit == "for" else "to"
    for hand in reversed(hands[1 : min(paid, default=0)]):
        name = f"pair_{PLURALS[hand[-1]]}_or_better" if hand in PAIRS else hand
        yield PaytableLine(hand=name, pays=parse_pays(f"1 {unit} 1"), clause="")


def _without_narrower(lines: Sequence[PaytableLine]) -> list[PaytableLine]:
    """Of added lines for pairs only the last, which covers those before it."""
    return [
        line
        for at, line in enumerate(lines)
        if line.clause or not any(covered_by(line.hand) < covered_by(o.hand) for o in lines[at:])
    ]


def _scaled(
    usual: NDArray[np.float64],
    stake: NDArray[np.float64],
    chances: NDArray[np.float64],
    odds: NDArray[np.bool_],
    backs: NDArray[np.float64],
    back: float,
) -> NDArray[np.float64]:
    """The same pays times one number, none below 1, that return so much in all, or the least."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        pays = np.maximum(1.0, middle * usual)
        returned = np.where(odds, (pays + stake) * chances, backs).sum()
        low, high = (low, middle) if returned > back else (middle, high)
    scaled: NDArray[np.float64] = np.maximum(1.0, low * usual)
    return scaled


def _most_lines(house: House, wager: str) -> list[PaytableLine]:
    """The printed table with the most lines, the posted one before others, the best hand first."""
    if wager not in side_wagers(house):
        offered = ", ".join(side_wagers(house))
        raise BadInput(f"{wager!r} is no side wager here; expected one of {offered}")
    posted = house.letters.get(wager)
    every = sorted(letters(house.game.document, wager), key=lambda letter: letter != posted)
    tables = [list(paytable(house.game.document, wager, letter).lines) for letter in every]
    return max(tables, key=lambda lines: len(lines))


def _tried(table: Sequence[PaytableLine], usual: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pays to try, one column a line: round numbers around each, never less for a better hand."""
    width = WIDEST
    while True:
        choices = [_around(line, pay, width) for line, pay in zip(table, usual, strict=True)]
        if _falling(choices) <= MOST_TRIED or width == 1:
            break
        width -= 1
    found = np.array([[]])
    for column in choices:
        if found.shape[1] == 0:
            found = np.array(column)[:, None]
            continue
        grown = np.repeat(found, len(column), axis=0)
        new = np.tile(column, len(found))
        found = np.column_stack([grown, new])[new <= grown[:, -1]]
    return found


def _falling(choices: Sequence[Sequence[float]]) -> int:
    """How many tables there are in which no better hand is paid less."""
    ways = dict.fromkeys(choices[0], 1)
    for column in choices[1:]:
        ways = {pay: sum(n for above, n in ways.items() if pay <= above) for pay in column}
    return sum(ways.values())


def _around(line: PaytableLine, usual: float, width: int) -> list[float]:
    if line.pays.unit not in ("to", "for"):
        return [float(line.pays.win)]
    at = int(np.argmin([abs(value - usual) for value in ROUND]))
    return [float(value) for value in ROUND[max(0, at - width) : at + width + 1]]


def _told(
    printed: Sequence[PaytableLine], pays: NDArray[np.float64]
) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            line.hand,
            f"{int(win)} {line.pays.unit} 1" if line.pays.unit in ("to", "for") else str(line.pays),
        )
        for line, win in zip(printed, pays.tolist(), strict=True)
    )


def _offering(house: House, wager: str, lines: Sequence[tuple[str, str]]) -> SideResult:
    """The exact worth of a wager with these lines."""
    other = house.proposal or Proposal()
    proposal = msgspec.structs.replace(other, pays={**other.pays, wager: tuple(lines)})
    return side_result(with_digest(replace(house, proposal=proposal)), wager)
