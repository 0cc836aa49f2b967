"""The PAR sheet of a House: what a laboratory expects of every wager, from exact counts.

`par(house, analysis)` is a value; `write_csv` and `write_pdf` print it, `par_book.write_xlsx` too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from croupier.games import House, title
from croupier.money import dollars

if TYPE_CHECKING:
    from croupier.analysis import Analysis, MainResult, SideResult

Cell: TypeAlias = str | int | float
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LEVEL = 0.95
VOLATILITY = 1.645  # deviations of a 90 % interval, by which laboratories index volatility
LINE_TITLES = ("result", "pays", "count", "probability", "hit cycle", "contribution")
SHARES = ("return", "house edge", "hit frequency")
BAND_TITLES = ("rounds", "return from", "return to")


class ParLine(msgspec.Struct, frozen=True, kw_only=True):
    """One result: how many of the deals bring it, and what it adds to the return of one unit."""

    result: str
    pays: str
    count: Fraction  # of the wager's deals; a fold may take a part of one
    probability: Fraction
    contribution: Fraction


class Interval(msgspec.Struct, frozen=True):
    """Between which returns the middle 95 % of so many rounds lie."""

    rounds: int
    low: Fraction
    high: Fraction


class ParSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One wager, or the main game per ante."""

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
        """The standard deviation of one round, printed."""
        return sqrt(self.variance)

    def figures(self) -> Iterator[tuple[str, Cell]]:
        """What is said of the wager as a whole."""
        yield "deals counted", self.deals
        yield "expected value", str(self.ev)
        yield "return", float(1 + self.ev)
        yield "house edge", float(-self.ev)
        yield "hit frequency", float(self.hit_frequency)
        yield "standard deviation", self.deviation
        yield "volatility index (90 %)", VOLATILITY * self.deviation


class Par(msgspec.Struct, frozen=True, kw_only=True):
    """The whole sheet."""

    title: str
    operator: str
    head: tuple[tuple[str, str], ...]
    assumptions: tuple[str, ...]
    sheets: tuple[ParSheet, ...]


def par(house: House, analysis: Analysis, rounds: Sequence[int] = ROUNDS) -> Par:
    """Every wager of a House, from its analysis; bands are worked out for so many rounds."""
    sheets = [main_sheet(house, analysis.main, rounds)]
    for wager, letter, _, result in analysis.sides():
        sheets.append(side_sheet(house, wager, letter, result, rounds))
    head = (
        ("game", f"{analysis.title}, edition {analysis.edition}"),
        ("operator", house.operator),
        ("Rules Submission", analysis.digest),
        ("Croupier", analysis.version),
    )
    return Par(
        title=f"PAR sheet: {analysis.title}",
        operator=house.operator,
        head=head,
        assumptions=(
            *analysis.assumptions,
            "a return includes the stake where it comes back; a hit is a result that wins",
            f"the volatility index is {VOLATILITY} standard deviations of one round",
            f"{LEVEL:.0%} of all series of so many rounds end between the returns of a band",
        ),
        sheets=tuple(sheets),
    )


def main_sheet(house: House, result: MainResult, rounds: Sequence[int]) -> ParSheet:
    """The main game per unit of one ante under perfect play, by net result."""
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
    return ParSheet(
        name="main",
        title="Main game",
        about=f"net result of a round in units of one {house.game.ante.title}, perfect play",
        deals=total,
        lines=lines,
        ev=result.ev,
        hit_frequency=result.outcomes["win"],
        variance=result.variance,
        bands=intervals(shares, rounds),
        notes=(
            f"{result.compulsory} units are compulsory, {float(result.average_wager):.6f} are "
            f"staked on average; element of risk {float(result.element_of_risk):.6%}",
        ),
    )


def side_sheet(
    house: House, wager: str, letter: str, result: SideResult, rounds: Sequence[int]
) -> ParSheet:
    """A side wager per unit staked, line by line."""
    known = house.game.wager(wager)
    assert known is not None, f"{house.game.key} has no {wager}"
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
    nothing = Fraction(0)
    lines.append(
        ParLine(
            result="loses",
            pays="",
            count=lost * result.deals,
            probability=lost,
            contribution=nothing,
        )
    )
    return ParSheet(
        name=wager,
        title=known.title,
        about=f"paytable {letter} [{house.paytable(wager).clause}], "
        f"in units of its stake of {dollars(result.stake)}",
        deals=result.deals,
        lines=tuple(lines),
        ev=result.ev,
        hit_frequency=result.hit_frequency,
        variance=result.variance,
        bands=intervals(result.shares, rounds),
        notes=tuple(side_notes(result)),
    )


def side_notes(result: SideResult) -> Iterator[str]:
    """What the figures of a side wager do not say by themselves."""
    for meter, worth in result.meters.items():
        part = f"meter {meter} at its reset amount of {dollars(worth.reset)}"
        yield f"{part}; one wager is worth {float(worth.coefficient):.3e} of it"
    if result.envy:
        one = float(result.envy[min(result.envy)])
        yield f"each other player's hand adds {one:.6f} of the stake by envy, not counted here"
    if result.upper_bound:
        yield "valued as carried to the end: a fold would forfeit it"


def intervals(shares: dict[Fraction, Fraction], rounds: Sequence[int]) -> tuple[Interval, ...]:
    """The bands of a distribution of net results, as returns of one unit."""
    from croupier.analysis import prediction_interval

    found = (prediction_interval(shares, number, LEVEL) for number in rounds)
    return tuple(Interval(each.rounds, 1 + each.low, 1 + each.high) for each in found)


def signed(value: Fraction) -> str:
    """A net result: "+1", "-2", "+1/2"."""
    return f"{'+' if value > 0 else ''}{value}"


def line_cells(line: ParLine) -> tuple[Cell, ...]:
    """A line as numbers; a count beyond what a spreadsheet holds exactly is text."""
    count = line.count
    whole: Cell = float(count)
    if count.denominator == 1:
        whole = int(count) if count < 2**53 else str(count)
    cycle: Cell = float(1 / line.probability) if line.probability else "never"
    probability, contribution = float(line.probability), float(line.contribution)
    return line.result, line.pays, whole, probability, cycle, contribution


def write_csv(made: Par) -> bytes:
    """One block per wager, each line naming its wager."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    for name, value in made.head:
        writer.writerow([name, value])
    for assumption in made.assumptions:
        writer.writerow(["assumption", assumption])
    for sheet in made.sheets:
        target.write("\n")
        writer.writerow(["wager", *LINE_TITLES])
        for line in sheet.lines:
            writer.writerow([sheet.title, *map(_plain, line_cells(line))])
        for figure, worth in sheet.figures():
            writer.writerow([sheet.title, figure, _plain(worth)])
        for each in sheet.bands:
            told = f"{LEVEL:.0%} of {each.rounds} rounds return"
            writer.writerow([sheet.title, told, float(each.low), float(each.high)])
        for note in sheet.notes:
            writer.writerow([sheet.title, "note", note])
    return target.getvalue().encode()


def _plain(cell: Cell) -> Cell:
    # A spreadsheet takes "+1 antes" for a formula; a quotation mark keeps it a text.
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("+", "-", "=", "@") else cell


def write_pdf(made: Par) -> bytes:
    """Pages for people: an overview, then each wager."""
    from croupier.documents.pdf import compiled

    data = {
        "title": made.title,
        "operator": made.operator,
        "digest": dict(made.head)["Rules Submission"],
        "head": made.head,
        "level": f"{LEVEL:.0%}",
        "assumptions": made.assumptions,
        "summary": [_summary(sheet) for sheet in made.sheets],
        "sheets": [_printed(sheet) for sheet in made.sheets],
    }
    return compiled("par", {"data": msgspec.json.encode(data).decode()})


def _summary(sheet: ParSheet) -> list[str]:
    shares = (-sheet.ev, 1 + sheet.ev, sheet.hit_frequency)
    spread = (sheet.deviation, VOLATILITY * sheet.deviation)
    return [sheet.title, *map(_percent, shares), *(f"{value:,.4f}" for value in spread)]


def _printed(sheet: ParSheet) -> dict[str, object]:
    return {
        "title": sheet.title,
        "about": sheet.about,
        "figures": printed_figures(sheet),
        "titles": printed_lines(sheet)[0],
        "lines": printed_lines(sheet)[1],
        "bands": [
            [f"{each.rounds:,}", _percent(each.low), _percent(each.high)] for each in sheet.bands
        ],
        "notes": sheet.notes,
    }


def printed_figures(sheet: ParSheet) -> list[tuple[str, str]]:
    """The figures of a wager as they are printed."""
    return [(name, _figure(name, value)) for name, value in sheet.figures()]


def printed_lines(sheet: ParSheet) -> tuple[list[str], list[list[str]]]:
    """The titles and the lines of a wager's return table as they are printed."""
    titles = [text for text in LINE_TITLES if text != "pays" or priced(sheet)]
    return titles, [_line(line, priced(sheet)) for line in sheet.lines]


def priced(sheet: ParSheet) -> bool:
    """Whether its lines are those of a paytable."""
    return any(line.pays for line in sheet.lines)


def _line(line: ParLine, with_pays: bool) -> list[str]:
    count = f"{int(line.count):,}" if line.count.denominator == 1 else f"{float(line.count):,.1f}"
    cycle = f"{float(1 / line.probability):,.2f}" if line.probability else "never"
    contribution = f"{float(line.contribution):+.6f}"
    named = [line.result, line.pays] if with_pays else [line.result]
    return [*named, count, f"{float(line.probability):.8f}", cycle, contribution]


def _figure(name: str, value: Cell) -> str:
    if isinstance(value, float):
        return _percent(value) if name in SHARES else f"{value:.6f}"
    return f"{value:,}" if isinstance(value, int) else value


def _percent(value: Fraction | float) -> str:
    return f"{100 * float(value):.4f} %"
