"""Report model: sections of typed columns, rendered as text, CSV or JSON.

Money is integer cents in JSON and CSV, dollars in text. The title and key of a percentage column
name its denominator.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from croupier.games import catalogue
from croupier.ledger.errors import printable as printable
from croupier.ledger.ledger import Ledger
from croupier.ledger.queries.activity import Activity, collect_activity
from croupier.ledger.queries.periods import Period
from croupier.money import dollars
from croupier.software_identity import version_text
from croupier.table import Event

if TYPE_CHECKING:
    from croupier.documents.reports.theoretical_win import FindTheory

Kind: TypeAlias = Literal["text", "count", "cents", "meter", "percent"]
NO_ACTIVITY = "No activity"
KEYS = ("game", "wager", "bet", "base")  # columns whose keys are printed as words


class Column(msgspec.Struct, frozen=True):
    """A typed column of a section."""

    key: str
    title: str
    kind: Kind = "text"

    def __post_init__(self) -> None:
        if self.kind == "percent":
            assert "% of " in self.title and "_percent_of_" in self.key, f"{self.title}: of what?"


Row: TypeAlias = Mapping[str, Any]
_FORMULA_PREFIXES = ("=", "+", "-", "@")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(/\d+)?")


class Section(msgspec.Struct, kw_only=True):
    """A titled table with notes below it."""

    title: str
    columns: Sequence[Column]
    rows: list[Row]
    notes: tuple[str, ...] = ()


class Report(msgspec.Struct, kw_only=True):
    """A finished report."""

    kind: str
    title: str
    since: str
    until: str
    timezone: str  # of the property; gaming days start at `day_starts` in it
    day_starts: str
    tables: list[str]
    operators: list[str]
    entries: tuple[int, int]  # positions in the log, the end exclusive
    sections: list[Section]

    @property
    def empty(self) -> bool:
        """Whether no section has rows; an empty report is still issued."""
        return not any(section.rows for section in self.sections)

    def text(self, width: int | None = None) -> str:
        """The report as text; tables wider than `width` are printed as blocks."""
        lines = [
            self.title,
            f"from {self.since or 'the start of the record'} to {self.until or 'now'}",
        ]
        lines.append(f"gaming days start at {self.day_starts} {self.timezone}; times are UTC")
        lines.append(f"entries {self.entries[0]:,} to {self.entries[1]:,} of the record")
        lines.append(printable(f"tables: {', '.join(self.tables) or 'none'}"))
        lines.append(f"Croupier {version_text()}")
        if self.empty:
            return "\n".join([*lines, "", NO_ACTIVITY]) + "\n"
        for section in self.sections:
            lines += ["", section.title]
            lines += text_table(section, width) if section.rows else [f"  {NO_ACTIVITY}"]
            lines += [f"  {note}" for note in section.notes]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """The report as CSV: one block per section, the section title in the first column."""
        target = io.StringIO()
        writer = csv.writer(target, lineterminator="\n")
        if self.empty:
            writer.writerow([self.kind, NO_ACTIVITY])
        for index, section in enumerate(self.sections):
            if self.empty:
                break
            if index:
                target.write("\n")
            writer.writerow(["section", *(column_key(column) for column in section.columns)])
            for row in section.rows:
                cells = [data_cell(column, row.get(column.key)) for column in section.columns]
                writer.writerow([section.title, *map(escape_cell, cells)])
        target.write("\n")
        writer.writerow(["software", f"Croupier {version_text()}"])
        return target.getvalue()

    def data(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "report": self.kind,
            "software": f"Croupier {version_text()}",
            "title": self.title,
            "since": self.since,
            "until": self.until,
            "timezone": self.timezone,
            "day_starts": self.day_starts,
            "tables": self.tables,
            "entries": list(self.entries),
            "no_activity": self.empty,
            "sections": [
                {
                    "title": section.title,
                    "rows": [
                        {column_key(c): data_cell(c, row.get(c.key)) for c in section.columns}
                        for row in section.rows
                    ],
                    "notes": list(section.notes),
                }
                for section in self.sections
            ],
        }

    def json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.data(), indent=2) + "\n"

    def render(self, style: str = "table", width: int | None = None) -> str:
        """The report in a style: "table" (at most `width` columns), "csv" or "json"."""
        if style == "table":
            return self.text(width)
        return {"csv": self.csv, "json": self.json}[style]()


class Scope:
    """What a report covers: tables, period, and the source of theoretical figures."""

    def __init__(
        self, ledger: Ledger, tables: list[str], period: Period, find_theory: FindTheory
    ) -> None:
        self.ledger, self.tables = ledger, tables
        self.period = period
        self.find_theory = find_theory

    def activities(self, note: Callable[[Event], bool] = lambda event: False) -> list[Activity]:
        """The activity of every table that had any; `note` selects the events to keep."""
        collected = [
            collect_activity(self.ledger, table, self.period, note=note) for table in self.tables
        ]
        return [activity for activity in collected if not activity.empty]


def column_key(column: Column) -> str:
    """The key of a column in CSV and JSON, with its unit."""
    return f"{column.key}_cents" if column.kind in ("cents", "meter") else column.key


def data_cell(column: Column, value: Any) -> Any:
    """A value for CSV and JSON: cents as integers, exact meters as decimals, percent as text."""
    if value is None:
        return None
    if column.kind == "percent":
        return decimal(value, 4)
    if isinstance(value, Fraction):
        return exact_decimal(value)
    return value


def format_cell(column: Column, value: Any) -> str:
    """Format a value for print."""
    if value is None:
        return "-"
    match column.kind:
        case "cents":
            return dollars(int(value))
        case "meter":
            cents = Fraction(value)
            whole = abs(cents.numerator) // cents.denominator
            sign = "-" if cents < 0 else ""
            return f"{sign}{dollars(whole)}" + ("" if cents.denominator == 1 else "+")
        case "percent":
            return f"{decimal(value, 2)}%"
        case "count":
            return f"{value:,}"
    words = str(value)
    if column.key in KEYS:
        titles = {game.key: game.title for game in catalogue()}
        words = titles.get(words) or words.replace("_", " ")
    return printable(words)


def escape_cell(value: Any) -> Any:
    """Escape a cell against spreadsheet formulas and terminal control sequences."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return (
        f"'{text}" if text.startswith(_FORMULA_PREFIXES) and not _NUMBER.fullmatch(text) else text
    )


def exact_decimal(value: Fraction) -> int | str:
    """An exact number without loss: an int, a finite decimal, or a fraction as text."""
    if value.denominator == 1:
        return value.numerator
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return str(value)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return decimal(value, places)


def decimal(value: Fraction | int, places: int) -> str:
    """Format a fraction with decimal places, rounded half away from zero, without floats."""
    scaled = Fraction(value) * 10**places
    whole = (abs(scaled.numerator) * 2 + scaled.denominator) // (2 * scaled.denominator)
    digits = str(whole).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if scaled < 0 and whole else text


def percentage(part: int | Fraction, whole: int | Fraction) -> Fraction | None:
    """`part` of `whole` in percent; None if `whole` is zero."""
    return Fraction(part) / Fraction(whole) * 100 if whole else None


def text_table(section: Section, width: int | None = None) -> list[str]:
    """An aligned text table, numbers to the right; blocks if it is wider than `width`."""
    columns = section.columns
    cells = [[column.title for column in columns]]
    cells += [
        [format_cell(column, row.get(column.key)) for column in columns] for row in section.rows
    ]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    if width is not None and 2 * len(widths) + sum(widths) > width:
        return text_blocks(cells)
    lines = [_line(columns, line, widths) for line in cells]
    rule = "  " + "  ".join("-" * column_width for column_width in widths)
    return [lines[0], rule, *lines[1:]]


def text_blocks(cells: Sequence[Sequence[str]]) -> list[str]:
    """A table for a narrow screen: one block per row, one line per value."""
    titles, *rows = cells
    margin = max(map(len, titles))
    lines: list[str] = []
    for row in rows:
        block = [f"  {name.ljust(margin)}  {cell}".rstrip() for name, cell in zip(titles, row)]
        lines += ["", *block] if lines else block
    return lines


def _line(columns: Sequence[Column], cells: Iterable[str], widths: list[int]) -> str:
    parts = [
        cell.ljust(width) if column.kind == "text" else cell.rjust(width)
        for column, cell, width in zip(columns, cells, widths, strict=True)
    ]
    return ("  " + "  ".join(parts)).rstrip()
