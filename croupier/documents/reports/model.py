"""A report as data: sections of typed columns, printed as a table, CSV, JSON or PDF.

Money is integer cents in JSON and CSV and dollars in print. A percentage always names what it is
a percentage of, in its column's title and key.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.ledger.errors import printable as harmless
from croupier.money import dollars

Kind: TypeAlias = Literal["text", "count", "cents", "meter", "percent"]
NO_ACTIVITY = "No activity"


class Column(msgspec.Struct, frozen=True):
    """One column; a percentage's title ends with what it is of."""

    key: str
    title: str
    kind: Kind = "text"

    def __post_init__(self) -> None:
        if self.kind == "percent":
            assert "% of " in self.title and "_percent_of_" in self.key, f"{self.title}: of what?"


Row: TypeAlias = Mapping[str, Any]
_ACTS = ("=", "+", "-", "@")  # what a spreadsheet takes a formula for
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(/\d+)?")


class Section(msgspec.Struct, kw_only=True):
    """A titled table with notes beneath."""

    title: str
    columns: Sequence[Column]
    rows: list[Row]
    notes: tuple[str, ...] = ()


class Report(msgspec.Struct, kw_only=True):
    """Everything that is printed on one report."""

    kind: str
    title: str
    since: str
    until: str
    timezone: str  # of the property, by which its gaming days are cut
    day_starts: str
    tables: list[str]
    operators: list[str]  # whose tables these are
    entries: tuple[int, int]  # positions in the log, the last one exclusive
    sections: list[Section]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to report; it is reported all the same."""
        return not any(section.rows for section in self.sections)

    def text(self, width: int | None = None) -> str:
        """For people, on a screen of so many columns; left out, as wide as it comes."""
        lines = [self.title, f"from {self.since or 'the beginning'} to {self.until or 'now'}"]
        lines.append(f"gaming days begin at {self.day_starts} {self.timezone}; times are UTC")
        lines.append(f"entries {self.entries[0]:,} to {self.entries[1]:,} of the record")
        lines.append(harmless(f"tables: {', '.join(self.tables) or 'none'}"))
        if self.empty:
            return "\n".join([*lines, "", NO_ACTIVITY]) + "\n"
        for section in self.sections:
            lines += ["", section.title]
            lines += grid(section, width) if section.rows else [f"  {NO_ACTIVITY}"]
            lines += [f"  {note}" for note in section.notes]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """For spreadsheets: one block per section, each line naming its section."""
        target = io.StringIO()
        writer = csv.writer(target, lineterminator="\n")
        if self.empty:
            writer.writerow([self.kind, NO_ACTIVITY])
        for index, section in enumerate(self.sections):
            if self.empty:
                break
            if index:
                target.write("\n")
            writer.writerow(["section", *(header(column) for column in section.columns)])
            for row in section.rows:
                cells = [bare(column, row.get(column.key)) for column in section.columns]
                writer.writerow([section.title, *map(inert, cells)])
        return target.getvalue()

    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "report": self.kind,
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
                        {header(c): bare(c, row.get(c.key)) for c in section.columns}
                        for row in section.rows
                    ],
                    "notes": list(section.notes),
                }
                for section in self.sections
            ],
        }

    def json(self) -> str:
        """The data as text."""
        return json.dumps(self.data(), indent=2) + "\n"

    def render(self, style: str = "table", width: int | None = None) -> str:
        """As a table of so many columns at the most, csv or json."""
        if style == "table":
            return self.text(width)
        return {"csv": self.csv, "json": self.json}[style]()


def header(column: Column) -> str:
    """A key that carries its unit."""
    return f"{column.key}_cents" if column.kind in ("cents", "meter") else column.key


def bare(column: Column, value: Any) -> Any:
    """A value for programs: cents as integers, exact meters as decimals, percent as text."""
    if value is None:
        return None
    if column.kind == "percent":
        return decimal(value, 4)
    if column.kind == "meter" and isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, Fraction):
        return exact(value)
    return value


def shown(column: Column, value: Any) -> str:
    """A value for people."""
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
            return f"{decimal(value, 2)} %"
        case "count":
            return f"{value:,}"
    return harmless(str(value))


def inert(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, and no terminal for a command."""
    if not isinstance(value, str):
        return value
    text = harmless(value)
    return f"'{text}" if text.startswith(_ACTS) and not _NUMBER.fullmatch(text) else text


def exact(value: Fraction) -> int | str:
    """An exact number without loss: an int, a finite decimal, or a fraction."""
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
    """A fraction with so many places, rounded half away from zero, without a float on the way."""
    scaled = Fraction(value) * 10**places
    whole = (abs(scaled.numerator) * 2 + scaled.denominator) // (2 * scaled.denominator)
    digits = str(whole).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if scaled < 0 and whole else text


def percent(part: int | Fraction, whole: int | Fraction) -> Fraction | None:
    """Part of whole in percent; nothing if there is no whole."""
    return Fraction(part) / Fraction(whole) * 100 if whole else None


def grid(section: Section, width: int | None = None) -> list[str]:
    """An aligned table; numbers to the right. One that is too wide is told row by row instead."""
    columns = section.columns
    cells = [[column.title for column in columns]]
    cells += [[shown(column, row.get(column.key)) for column in columns] for row in section.rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    if width is not None and 2 * len(widths) + sum(widths) > width:
        return blocks(cells)
    lines = [_line(columns, line, widths) for line in cells]
    rule = "  " + "  ".join("-" * each for each in widths)
    return [lines[0], rule, *lines[1:]]


def blocks(cells: Sequence[Sequence[str]]) -> list[str]:
    """A table on a narrow screen: every row a block of its own, each value behind its title."""
    titles, *rows = cells
    margin = max(map(len, titles))
    lines: list[str] = []
    for row in rows:
        told = [f"  {name.ljust(margin)}  {cell}".rstrip() for name, cell in zip(titles, row)]
        lines += ["", *told] if lines else told
    return lines


def _line(columns: Sequence[Column], cells: Iterable[str], widths: list[int]) -> str:
    parts = [
        cell.ljust(width) if column.kind == "text" else cell.rjust(width)
        for column, cell, width in zip(columns, cells, widths, strict=True)
    ]
    return ("  " + "  ".join(parts)).rstrip()
