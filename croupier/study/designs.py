"""Paytables to order: pays for a wanted edge, hit frequency and deviation, as proposals.

Pays are tried from round numbers near those of the printed tables, the better hand never paid
less; what comes closest is then valued exactly, under a House that proposes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadInput
from croupier.games import House, Proposal, with_digest
from croupier.games.returns import side_wagers
from croupier.rulebook import Line, letters, paytable
from croupier.study.analysis import side_result
from croupier.study.sides import SideResult

ROUND = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150),
    *(200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000),
)
WIDEST = 4  # round numbers on either side of the printed one
MOST_TRIED = 400_000
NEAR = 0.001  # a tenth of a percent beside what was asked is as good as that
NEAR_DEVIATION = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Designed:
    """A paytable that was found: its lines as a proposal has them, and its exact worth."""

    lines: tuple[tuple[str, str], ...]
    result: SideResult

    @property
    def house_edge(self) -> Fraction:
        """What one unit loses on average."""
        return -self.result.ev


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked of a paytable."""

    edge: Fraction
    hit: Fraction | None = None
    deviation: float | None = None

    def compared(self, found: Designed) -> dict[str, tuple[float, float, bool]]:
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


def design(
    house: House,
    wager: str,
    edge: Fraction,
    hit: Fraction | None = None,
    deviation: float | None = None,
    shown: int = 5,
) -> list[Designed]:
    """Paytables of a side wager with nearly that edge, best first.

    With `hit`, as many lines are kept as come closest to that hit frequency; with `deviation`,
    among equally good edges those near that deviation of one unit come first.
    """
    if wager not in side_wagers(house):
        offered = ", ".join(side_wagers(house))
        raise BadInput(f"{wager!r} is no side wager here; expected one of {offered}")
    if not -1 < edge < 1:
        raise BadInput(f"an edge of {float(edge):.2%}; expected between -100 and 100 percent")
    printed = _most_lines(house, wager)
    lines = list(_offering(house, wager, [(line.hand, str(line.pays)) for line in printed]).lines)
    if hit is not None:
        hits = np.cumsum([float(line.probability) for line in lines])
        kept = 1 + int(np.argmin(np.abs(hits - float(hit))))
        printed, lines = printed[:kept], lines[:kept]
    chances = np.array([float(line.probability) for line in lines])
    tried = _tried(printed)
    # What comes back of lines that pay no odds does not depend on the odds.
    backs = np.array([float(line.contribution) for line in lines])
    odds = np.array([line.pays.unit in ("to", "for") for line in printed])
    stake = np.array([float(line.pays.unit == "to") for line in printed])
    each = np.where(odds, (tried + stake) * chances, backs)
    evs = each.sum(axis=1) - 1
    squares = np.where(odds, (tried + stake) ** 2 * chances, 0.0).sum(axis=1)
    spread = np.sqrt(np.maximum(squares - (evs + 1) ** 2, 0.0))
    miss = np.abs(evs + float(edge))
    usual = np.array([float(line.pays.win) for line in printed])
    far = np.abs(np.log(tried / usual)).sum(axis=1)
    if deviation is not None:
        far = np.abs(np.log(np.maximum(spread, 1e-9) / deviation))
    # Where the edge is as good as asked, what is asked besides decides.
    order = np.lexsort((far, np.round(miss, 3)))[:shown]
    return [
        Designed(lines=told, result=_offering(house, wager, told))
        for told in (_told(printed, tried[at]) for at in order)
    ]


def _most_lines(house: House, wager: str) -> list[Line]:
    """The printed table with the most lines, the posted one before others, the best hand first."""
    posted = house.letters.get(wager)
    every = sorted(letters(house.game.document, wager), key=lambda letter: letter != posted)
    tables = [list(paytable(house.game.document, wager, letter).lines) for letter in every]
    return max(tables, key=lambda lines: len(lines))


def _tried(printed: Sequence[Line]) -> NDArray[np.float64]:
    """Pays to try, one column a line: round numbers around each, never less for a better hand."""
    width = WIDEST
    while True:
        choices = [_around(line, width) for line in printed]
        if prod(map(len, choices)) <= MOST_TRIED or width == 1:
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


def _around(line: Line, width: int) -> list[float]:
    win = line.pays.win / line.pays.per
    if line.pays.unit not in ("to", "for"):
        return [float(line.pays.win)]
    at = int(np.argmin([abs(value - win) for value in ROUND]))
    return [float(value) for value in ROUND[max(0, at - width) : at + width + 1]]


def _told(printed: Sequence[Line], pays: NDArray[np.float64]) -> tuple[tuple[str, str], ...]:
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
