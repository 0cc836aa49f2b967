"""PDF of a report: landscape pages, wide tables split into parts.

Each part repeats the columns that identify its rows.
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
from croupier.documents.pdf import compile_pdf
from croupier.documents.reports.model import NO_ACTIVITY, Column, Report, Section, format_cell
from croupier.ledger.errors import printable as printable

WIDTH = 150  # characters on a landscape line, gaps between columns included
GAP = 3
TEXT_WIDTH_MAX = 34  # longer text cells wrap


def report_pdf(report: Report) -> bytes:
    """The report as PDF; the same report made at one time gives the same bytes."""
    first, last = report.entries
    data: dict[str, Any] = {
        "title": report.title,
        "subject": f"from {report.since or 'the start of the record'} to {report.until or 'now'}",
        "operator": printable(", ".join(report.operators)),
        "approval": f"Entries {first:,} to {last:,} of the record",
        "stamp": f"gaming days start at {report.day_starts} {report.timezone}; times are UTC",
        "own": "",
        "wide": True,
        "blocks": blocks(report),
    }
    return compile_pdf("document", {"data": msgspec.json.encode(data).decode()})


def blocks(report: Report) -> list[Block]:
    """The content of the pages."""
    tables = printable(", ".join(report.tables)) or "none"
    content: list[Block] = [Pairs(rows=(("Tables", tables),))]
    if report.empty:
        return [*content, Paragraph(text=NO_ACTIVITY, tone="large")]
    for section in report.sections:
        content.append(Heading(text=section.title))
        content += (
            tables_of(section) if section.rows else [Paragraph(text=NO_ACTIVITY, tone="quiet")]
        )
        content += [Paragraph(text=printable(note), tone="quiet") for note in section.notes]
    return content


def tables_of(section: Section) -> list[Block]:
    """A section as one table, or as several if its columns do not fit on a line."""
    cells = {
        column.key: [format_cell(column, row.get(column.key)) for row in section.rows]
        for column in section.columns
    }
    widths = {column.key: _column_width(column, cells[column.key]) for column in section.columns}
    names = key_columns(section.columns, cells)
    if sum(widths.values()) <= WIDTH:
        return [_table(section.columns, cells, widths)]
    available = WIDTH - sum(widths[column.key] for column in names)
    rest = section.columns[len(names) :]
    return [_table([*names, *part], cells, widths) for part in parts(rest, widths, available)]


def key_columns(columns: Sequence[Column], cells: dict[str, list[str]]) -> Sequence[Column]:
    """The leading columns that identify each row; at most three."""
    rows = len(cells[columns[0].key])
    for count in range(1, 3):
        distinct = set(zip(*(cells[column.key] for column in columns[:count])))
        if len(distinct) == rows:
            return columns[:count]
    return columns[:3]


def parts(columns: Sequence[Column], widths: dict[str, int], available: int) -> list[list[Column]]:
    """Split columns into as few parts as fit `available`, as evenly filled as possible."""
    fewest = len(_fill(columns, widths, available))
    widest = max(widths[column.key] for column in columns)
    limit = next(
        limit
        for limit in range(widest, max(available, widest) + 1)
        if len(_fill(columns, widths, limit)) <= fewest
    )
    return _fill(columns, widths, limit)


def _fill(columns: Sequence[Column], widths: dict[str, int], limit: int) -> list[list[Column]]:
    """Fill parts one after the other, each up to a width."""
    result: list[list[Column]] = [[]]
    filled = 0
    for column in columns:
        if result[-1] and filled + widths[column.key] > limit:
            result.append([])
            filled = 0
        result[-1].append(column)
        filled += widths[column.key]
    return result


def _column_width(column: Column, cells: Sequence[str]) -> int:
    """Characters a column needs: its longest value or the longest word of its title."""
    longest = max((len(cell) for cell in cells), default=0)
    if column.kind == "text":
        longest = min(longest, TEXT_WIDTH_MAX)
    return max(longest, *(len(word) for word in column.title.split())) + GAP


def _table(
    columns: Sequence[Column], cells: dict[str, list[str]], widths: dict[str, int]
) -> TableBlock:
    return TableBlock(
        titles=tuple(column.title for column in columns),
        rows=tuple(Row(line) for line in zip(*(cells[column.key] for column in columns))),
        widths=tuple(f"{widths[column.key]}fr" for column in columns),
        sides=tuple("left" if column.kind == "text" else "right" for column in columns),
    )
