"""A report of the record on paper: across the page, and what is too wide in parts below each other.

Each part repeats the columns that name its rows, so that no figure loses what it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.documents.filing.document_blocks import (
    Block,
    Heading,
    Pairs,
    Paragraph,
    Row,
    TableBlock,
)
from croupier.documents.pdf import compiled, day_of
from croupier.documents.reports.model import NO_ACTIVITY, Column, Report, Section, shown
from croupier.ledger.errors import printable as harmless

WIDTH = 150  # characters that a line across the page holds, gaps between columns included
GAP = 3
WRAPPED = 34  # a column of words that is longer than this may break its lines


def pdf(report: Report) -> bytes:
    """The report as PDF; the same report gives the same bytes."""
    first, last = report.entries
    said: dict[str, Any] = {
        "title": report.title,
        "subject": f"from {report.since or 'the beginning'} to {report.until or 'now'}",
        "operator": harmless(", ".join(report.operators)),
        "approval": f"Entries {first:,} to {last:,} of the record",
        "stamp": f"gaming days begin at {report.day_starts} {report.timezone}; times are UTC",
        "own": "",
        "day": day_of(report.until).isoformat(),
        "wide": True,
        "blocks": blocks(report),
    }
    return compiled("document", {"data": msgspec.json.encode(said).decode()})


def blocks(report: Report) -> list[Block]:
    """What stands on the pages."""
    tables = harmless(", ".join(report.tables)) or "none"
    found: list[Block] = [Pairs(rows=(("Tables", tables),))]
    if report.empty:
        return [*found, Paragraph(text=NO_ACTIVITY, tone="large")]
    for section in report.sections:
        found.append(Heading(text=section.title))
        found += tables_of(section) if section.rows else [Paragraph(text=NO_ACTIVITY, tone="quiet")]
        found += [Paragraph(text=harmless(note), tone="quiet") for note in section.notes]
    return found


def tables_of(section: Section) -> list[Block]:
    """A section as one table, or as several where its columns are too many for a line."""
    cells = {
        column.key: [shown(column, row.get(column.key)) for row in section.rows]
        for column in section.columns
    }
    wide = {column.key: _wide(column, cells[column.key]) for column in section.columns}
    names = naming(section.columns, cells)
    if sum(wide.values()) <= WIDTH:
        return [_table(section.columns, cells, wide)]
    room = WIDTH - sum(wide[column.key] for column in names)
    rest = section.columns[len(names) :]
    return [_table([*names, *part], cells, wide) for part in parts(rest, wide, room)]


def naming(columns: Sequence[Column], cells: dict[str, list[str]]) -> Sequence[Column]:
    """The first columns, as many as it takes to tell the rows apart; three at the most."""
    rows = len(cells[columns[0].key])
    for many in range(1, 3):
        told = set(zip(*(cells[column.key] for column in columns[:many])))
        if len(told) == rows:
            return columns[:many]
    return columns[:3]


def parts(columns: Sequence[Column], wide: dict[str, int], room: int) -> list[list[Column]]:
    """As few parts as fit the room, and among those the ones that are most equally full."""
    fewest = len(_filled(columns, wide, room))
    narrowest = max(wide[column.key] for column in columns)
    equal = next(
        most
        for most in range(narrowest, max(room, narrowest) + 1)
        if len(_filled(columns, wide, most)) <= fewest
    )
    return _filled(columns, wide, equal)


def _filled(columns: Sequence[Column], wide: dict[str, int], most: int) -> list[list[Column]]:
    found: list[list[Column]] = [[]]
    filled = 0
    for column in columns:
        if found[-1] and filled + wide[column.key] > most:
            found.append([])
            filled = 0
        found[-1].append(column)
        filled += wide[column.key]
    return found


def _wide(column: Column, cells: Sequence[str]) -> int:
    """The characters a column needs: its longest value and the longest word of its title."""
    longest = max((len(cell) for cell in cells), default=0)
    if column.kind == "text":
        longest = min(longest, WRAPPED)
    return max(longest, *(len(word) for word in column.title.split())) + GAP


def _table(
    columns: Sequence[Column], cells: dict[str, list[str]], wide: dict[str, int]
) -> TableBlock:
    return TableBlock(
        titles=tuple(column.title for column in columns),
        rows=tuple(Row(line) for line in zip(*(cells[column.key] for column in columns))),
        widths=tuple(f"{wide[column.key]}fr" for column in columns),
        sides=tuple("left" if column.kind == "text" else "right" for column in columns),
    )
