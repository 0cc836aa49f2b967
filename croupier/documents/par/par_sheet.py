"""PAR sheet of a House: exact counts, return, hit frequency and volatility of every wager.

`make_par_sheet` builds it; `write_csv`, `write_pdf` and `xlsx.write_xlsx` print it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from croupier.documents.formatting import percent
from croupier.games import House, title
from croupier.money import dollars

if TYPE_CHECKING:
    from croupier.analysis import Analysis, MainResult, SideResult

Cell: TypeAlias = str | int | float
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LEVEL = 0.95
VOLATILITY = 1.645  # standard deviations of a 90% interval, the usual volatility index
LINE_TITLES = ("result", "pays", "count", "probability", "hit cycle", "contribution")
SHARES = ("return", "house edge", "hit frequency")
BAND_TITLES = ("rounds", "return from", "return to")


class ParLine(msgspec.Struct, frozen=True, kw_only=True):
    """One result with its exact count and its contribution to the return per unit."""

    result: str
    pays: str
    count: Fraction  # of the wager's deals; fractional if a fold forfeits part of them
    probability: Fraction
    contribution: Fraction


class Interval(msgspec.Struct, frozen=True):
    """The band that contains the return of 95% of all series of `rounds` rounds."""

    rounds: int
    low: Fraction
    high: Fraction


class WagerSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The sheet of one wager, or of the main game per ante."""

    name: str
    title: str
    about: str
    deals: int
    lines: tuple[ParLine, ...]
    ev: Fraction
    hit_frequency: Fraction
    variance: Fraction
    bands: tuple[Interval, ...]
    notes: tuple[str, ...] = ()

    @property
    def deviation(self) -> float:
        """The standard deviation of one round."""
        return sqrt(self.variance)

    def figures(self) -> Iterator[tuple[str, Cell]]:
        """The summary figures of the wager."""
        yield "deals counted", self.deals
        yield "expected value", str(self.ev)
        yield "return", float(1 + self.ev)
        yield "house edge", float(-self.ev)
        yield "hit frequency", float(self.hit_frequency)
        yield "standard deviation", self.deviation
        yield "volatility index (90%)", VOLATILITY * self.deviation


class ParSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The PAR sheet of a game."""

    title: str
    operator: str
    head: tuple[tuple[str, str], ...]
    assumptions: tuple[str, ...]
    sheets: tuple[WagerSheet, ...]


def make_par_sheet(house: House, analysis: Analysis, rounds: Sequence[int] = ROUNDS) -> ParSheet:
    """Build the PAR sheet from an analysis, with return bands for each number of rounds."""
    sheets = [main_sheet(house, analysis.main, rounds)]
    for wager, letter, _, result in analysis.sides():
        sheets.append(side_sheet(house, wager, letter, result, rounds))
    head = (
        ("game", f"{analysis.title}, edition {analysis.edition}"),
        ("operator", house.operator),
        ("Rules Submission", analysis.digest),
        ("Croupier", analysis.version),
    )
    return ParSheet(
        title=f"PAR sheet: {analysis.title}",
        operator=house.operator,
        head=head,
        assumptions=(
            *analysis.assumptions,
            "a return includes the stake where it is returned; a hit is a winning result",
            f"the volatility index is {VOLATILITY} standard deviations of one round",
            f"{LEVEL:.0%} of all series of that many rounds have a return within the band",
        ),
        sheets=tuple(sheets),
    )


def main_sheet(house: House, result: MainResult, rounds: Sequence[int]) -> WagerSheet:
    """The main game per ante with perfect play, by net result."""
    total = sum(result.distribution.values())
    shares = {value: Fraction(count, total) for value, count in result.distribution.items()}
    lines = tuple(
        ParLine(
            result=f"net {signed(value)}",
            pays="",
            count=Fraction(result.distribution[value]),
            probability=shares[value],
            contribution=value * shares[value],
        )
        for value in sorted(shares, reverse=True)
    )
    return WagerSheet(
        name="main",
        title="Main game",
        about=f"net result of a round in units of the {house.game.ante.title}, perfect play",
        deals=total,
        lines=lines,
        ev=result.ev,
        hit_frequency=result.outcomes["win"],
        variance=result.variance,
        bands=intervals(shares, rounds),
        notes=(
            f"{result.compulsory} units are required, {float(result.average_wager):.6f} are "
            f"staked on average; element of risk {float(result.element_of_risk):.6%}",
        ),
    )


def side_sheet(
    house: House, wager: str, letter: str, result: SideResult, rounds: Sequence[int]
) -> WagerSheet:
    """A side wager per unit staked, by paytable line."""
    definition = house.game.wager(wager)
    assert definition is not None, f"{house.game.key} has no {wager}"
    lines = [
        ParLine(
            result=title(line.hand),
            pays=line.pays,
            count=line.probability * result.deals,
            probability=line.probability,
            contribution=line.contribution,
        )
        for line in result.lines
    ]
    lost = 1 - sum((line.probability for line in lines), Fraction(0))
    lines.append(
        ParLine(
            result="loses",
            pays="",
            count=lost * result.deals,
            probability=lost,
            contribution=Fraction(0),
        )
    )
    return WagerSheet(
        name=wager,
        title=definition.title,
        about=f"paytable {letter} [{house.paytable(wager).clause}], "
        f"in units of its {dollars(result.stake)} stake",
        deals=result.deals,
        lines=tuple(lines),
        ev=result.ev,
        hit_frequency=result.hit_frequency,
        variance=result.variance,
        bands=intervals(result.shares, rounds),
        notes=tuple(side_notes(result)),
    )


def side_notes(result: SideResult) -> Iterator[str]:
    """Notes on meters, envy bonuses and forfeiture."""
    for meter, worth in result.meters.items():
        reset = f"meter {meter} at its reset amount of {dollars(worth.reset)}"
        yield f"{reset}; one wager is worth {float(worth.coefficient):.3e} of the meter"
    if result.envy:
        value = float(result.envy[min(result.envy)])
        yield f"envy bonuses add {value:.6f} of the stake per other player; not included here"
    if result.upper_bound:
        yield "assumes the hand is never folded; folding forfeits this wager"


def intervals(shares: dict[Fraction, Fraction], rounds: Sequence[int]) -> tuple[Interval, ...]:
    """The bands of a distribution of net results, as returns per unit."""
    from croupier.analysis import prediction_interval

    bands = (prediction_interval(shares, count, LEVEL) for count in rounds)
    return tuple(Interval(item.rounds, 1 + item.low, 1 + item.high) for item in bands)


def signed(value: Fraction) -> str:
    """Format a net result: "+1", "-2", "+1/2"."""
    return f"{'+' if value > 0 else ''}{value}"


def line_cells(line: ParLine) -> tuple[Cell, ...]:
    """A line as spreadsheet cells; a count above 2**53 is text because it would lose digits."""
    count = line.count
    whole: Cell = float(count)
    if count.denominator == 1:
        whole = int(count) if count < 2**53 else str(count)
    cycle: Cell = float(1 / line.probability) if line.probability else "never"
    probability, contribution = float(line.probability), float(line.contribution)
    return line.result, line.pays, whole, probability, cycle, contribution


def write_csv(par: ParSheet) -> bytes:
    """The sheet as CSV: one block per wager, the wager in the first column."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    for name, value in par.head:
        writer.writerow([name, value])
    for assumption in par.assumptions:
        writer.writerow(["assumption", assumption])
    for sheet in par.sheets:
        target.write("\n")
        writer.writerow(["wager", *LINE_TITLES])
        for line in sheet.lines:
            writer.writerow([sheet.title, *map(_plain, line_cells(line))])
        for figure, worth in sheet.figures():
            writer.writerow([sheet.title, figure, _plain(worth)])
        for band in sheet.bands:
            label = f"{LEVEL:.0%} of {band.rounds} rounds return"
            writer.writerow([sheet.title, label, float(band.low), float(band.high)])
        for note in sheet.notes:
            writer.writerow([sheet.title, "note", note])
    return target.getvalue().encode()


def _plain(cell: Cell) -> Cell:
    # A spreadsheet reads "+1 antes" as a formula; a leading apostrophe keeps it text.
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("+", "-", "=", "@") else cell


def write_pdf(par: ParSheet) -> bytes:
    """The sheet as PDF: an overview, then each wager."""
    from croupier.documents.pdf import compile_pdf

    data = {
        "title": par.title,
        "operator": par.operator,
        "digest": dict(par.head)["Rules Submission"],
        "head": par.head,
        "level": f"{LEVEL:.0%}",
        "assumptions": par.assumptions,
        "summary": [_summary(sheet) for sheet in par.sheets],
        "sheets": [_printed(sheet) for sheet in par.sheets],
    }
    return compile_pdf("par", {"data": msgspec.json.encode(data).decode()})


def _summary(sheet: WagerSheet) -> list[str]:
    shares = (-sheet.ev, 1 + sheet.ev, sheet.hit_frequency)
    spread = (sheet.deviation, VOLATILITY * sheet.deviation)
    return [sheet.title, *map(percent, shares), *(f"{value:,.4f}" for value in spread)]


def _printed(sheet: WagerSheet) -> dict[str, object]:
    titles, lines = printed_lines(sheet)
    return {
        "title": sheet.title,
        "about": sheet.about,
        "figures": printed_figures(sheet),
        "titles": titles,
        "lines": lines,
        "bands": [
            [f"{band.rounds:,}", percent(band.low), percent(band.high)] for band in sheet.bands
        ],
        "notes": sheet.notes,
    }


def printed_figures(sheet: WagerSheet) -> list[tuple[str, str]]:
    """The summary figures of a wager, formatted."""
    return [(name, _figure(name, value)) for name, value in sheet.figures()]


def printed_lines(sheet: WagerSheet) -> tuple[list[str], list[list[str]]]:
    """The titles and rows of a wager's return table, formatted."""
    with_pays = any(line.pays for line in sheet.lines)
    titles = [text for text in LINE_TITLES if text != "pays" or with_pays]
    return titles, [_line(line, with_pays) for line in sheet.lines]


def _line(line: ParLine, with_pays: bool) -> list[str]:
    count = f"{int(line.count):,}" if line.count.denominator == 1 else f"{float(line.count):,.1f}"
    cycle = f"{float(1 / line.probability):,.2f}" if line.probability else "never"
    contribution = f"{float(line.contribution):+.6f}"
    named = [line.result, line.pays] if with_pays else [line.result]
    return [*named, count, f"{float(line.probability):.8f}", cycle, contribution]


def _figure(name: str, value: Cell) -> str:
    if isinstance(value, float):
        return percent(value) if name in SHARES else f"{value:.6f}"
    return f"{value:,}" if isinstance(value, int) else value
