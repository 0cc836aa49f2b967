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
from croupier.documents.imprint import imprint
from croupier.documents.par.wager_details import (
    MAIN_WAGER_TITLES,
    METER_TITLES,
    LongRun,
    MainWager,
    long_run,
    main_wagers,
)
from croupier.documents.par.worked_examples import EXAMPLE_TITLES, WorkedExample, worked_examples
from croupier.games import House, Wager, title
from croupier.money import dollars
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.analysis import Analysis, MainResult, SideResult

Cell: TypeAlias = str | int | float
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LEVEL = 0.95
MAIN = "main"  # the name of the sheet of the main game
VOLATILITY = 1.645  # standard deviations of a 90% interval, the usual volatility index
LINE_TITLES = ("result", "pays", "count", "probability", "hit cycle", "contribution")
SHARES = (
    "return",
    "house edge",
    "hit frequency",
    "element of risk",
    "long-run return",
    "long-run house edge",
    "share of a wager added to the meters",
)
BAND_TITLES = ("rounds", "return from", "return to")


class ParLine(msgspec.Struct, frozen=True, kw_only=True):
    """One result with its exact count and its contribution to the return per unit."""

    result: str
    pays: str
    count: Fraction  # of the wager's deals; fractional if a fold forfeits part of them
    probability: Fraction
    contribution: Fraction

    @property
    def units(self) -> Fraction:
        """What one result is worth: returned per unit staked, or the net result of a round."""
        return self.contribution / self.probability if self.probability else Fraction(0)


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
    average_wager: Fraction | None = None  # of the main game, in antes
    wagers: tuple[MainWager, ...] = ()  # of the main game
    long_run: LongRun | None = None  # of a progressive
    examples: tuple[WorkedExample, ...] = ()

    @property
    def element_of_risk(self) -> Fraction:
        """The average loss over everything that is staked."""
        return -self.ev / (self.average_wager or 1)

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
        if self.average_wager:
            yield "average total wager, in antes", float(self.average_wager)
        yield "element of risk", float(self.element_of_risk)
        if self.long_run:
            yield "long-run return", float(1 + self.long_run.ev)
            yield "long-run house edge", float(-self.long_run.ev)
            yield "share of a wager added to the meters", float(self.long_run.increment)
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
    examples: dict[str, list[WorkedExample]] = {}
    sides = [wager for wager, _, _, _ in analysis.sides()]
    for example in worked_examples(house):
        name = example.wager if example.wager in sides else MAIN
        examples.setdefault(name, []).append(example)
    sheets = [main_sheet(house, analysis.main, rounds)]
    for wager, letter, _, result in analysis.sides():
        sheets.append(side_sheet(house, wager, letter, result, rounds))
    sheets = [
        msgspec.structs.replace(sheet, examples=tuple(examples.get(sheet.name, ())))
        for sheet in sheets
    ]
    head = (
        ("game", f"{analysis.title}, edition {analysis.edition}"),
        ("operator", house.operator),
        ("Rules Submission", analysis.digest),
        ("software", imprint()),
    )
    return ParSheet(
        title=f"PAR sheet: {analysis.title}",
        operator=house.operator,
        head=head,
        assumptions=(
            *analysis.assumptions,
            "a return includes the stake where it is returned; a hit is a winning result",
            "the element of risk is the average loss over everything that is staked",
            "the house edge of a progressive is at the reset amounts; in the long run its "
            "contributions return to the players as larger awards",
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
        name=MAIN,
        title="Main game",
        about=f"net result of a round in units of the {house.game.ante.title}, perfect play",
        deals=total,
        lines=lines,
        ev=result.ev,
        hit_frequency=result.outcomes["win"],
        variance=result.variance,
        bands=intervals(shares, rounds),
        notes=(f"{counted(result.compulsory, 'ante')} must be staked before the deal.",),
        average_wager=result.average_wager,
        wagers=tuple(main_wagers(house, result)),
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
        notes=(*decided_by(house, definition), *side_notes(result)),
        long_run=long_run(house) if result.meters else None,
    )


def decided_by(house: House, wager: Wager) -> Iterator[str]:
    """The note on the cards that decide a side wager."""
    if wager.judged_on is not None:
        yield f"Decided by {wager.judged_on(house).words}."


def side_notes(result: SideResult) -> Iterator[str]:
    """Notes on meters, envy bonuses and forfeiture."""
    for meter, worth in result.meters.items():
        yield (
            f"A wager is worth {100 * float(worth.coefficient):.6f}% of the {meter} meter, "
            f"{dollars(worth.reset)} after a reset."
        )
    if result.envy:
        value = float(result.envy[min(result.envy)])
        yield f"Envy bonuses add {100 * value:.4f}% of the stake per other player; not included."
    if result.upper_bound:
        yield "A hand is assumed never to be folded; a fold forfeits this wager."


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
        for _, titles, rows in detail_tables(sheet):
            writer.writerow([sheet.title, *titles])
            writer.writerows([sheet.title, *map(_plain, row)] for row in rows)
        for note in sheet.notes:
            writer.writerow([sheet.title, "note", note])
    return target.getvalue().encode()


def detail_tables(
    sheet: WagerSheet,
) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """The wagers of the main game, the meters, the worked examples: heading, titles and rows."""
    if sheet.wagers:
        yield "Each wager, with perfect play", MAIN_WAGER_TITLES, [w.cells for w in sheet.wagers]
    if sheet.long_run:
        rows = [meter.cells for meter in sheet.long_run.meters]
        yield "Meters in the long run", METER_TITLES, rows
    if sheet.examples:
        rows = [example.cells for example in sheet.examples]
        yield "Worked examples at the minimum stakes", EXAMPLE_TITLES, rows


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
    shares = (-sheet.ev, sheet.element_of_risk, 1 + sheet.ev, sheet.hit_frequency)
    later = percent(-sheet.long_run.ev) if sheet.long_run else ""
    edge, *others = map(percent, shares)
    return [sheet.title, edge, later, *others, f"{sheet.deviation:,.4f}"]


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
        "details": [
            {"heading": heading, "titles": titles, "rows": rows, "wide": titles == EXAMPLE_TITLES}
            for heading, titles, rows in detail_tables(sheet)
        ],
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
