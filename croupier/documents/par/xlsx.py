"""A PAR sheet as a workbook: one page of facts, then one page for each wager."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from croupier.documents.par.par_sheet import (
    BAND_TITLES,
    LEVEL,
    LINE_TITLES,
    SHARES,
    Par,
    ParSheet,
    line_cells,
)

MOST_NAME = 31  # letters that a spreadsheet allows in the name of a page
WIDTHS = (38, 16, 20, 16, 18, 16)


def write_xlsx(made: Par) -> bytes:
    """The workbook; the same sheet gives the same bytes."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    # A workbook says when it was made; a fixed day keeps it the same.
    book.set_properties(
        {"title": made.title, "author": made.operator, "created": datetime(2000, 1, 1)}
    )
    looks = {
        "title": book.add_format({"bold": True, "font_size": 15}),
        "head": book.add_format({"bold": True, "bottom": 1, "align": "right"}),
        "name": book.add_format({"bold": True, "bottom": 1}),
        "whole": book.add_format({"num_format": "#,##0"}),
        "share": book.add_format({"num_format": "0.0000000000"}),
        "cycle": book.add_format({"num_format": "#,##0.00"}),
        "percent": book.add_format({"num_format": "0.0000%"}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
    }
    facts(book.add_worksheet("PAR"), made, looks)
    for sheet in made.sheets:
        page(book.add_worksheet(sheet.title[:MOST_NAME]), sheet, looks)
    book.close()
    return buffer.getvalue()


def facts(target: Any, made: Par, looks: dict[str, Any]) -> None:
    """The first page: what was analysed, and a line for each wager."""
    target.set_column(0, 0, 26)
    target.set_column(1, 6, 18)
    target.write(0, 0, made.title, looks["title"])
    row = 2
    for name, value in made.head:
        target.write(row, 0, name)
        target.write_string(row, 1, value)
        row += 1
    row += 1
    titles = ("wager", "house edge", "return", "hit frequency", "deviation", "volatility index")
    for column, text in enumerate(titles):
        target.write(row, column, text, looks["head" if column else "name"])
    for sheet in made.sheets:
        row += 1
        figures = dict(sheet.figures())
        target.write(row, 0, sheet.title)
        for column, name in enumerate(("house edge", "return", "hit frequency"), start=1):
            target.write(row, column, figures[name], looks["percent"])
        target.write(row, 4, figures["standard deviation"], looks["cycle"])
        target.write(row, 5, figures["volatility index (90 %)"], looks["cycle"])
    row += 2
    for assumption in made.assumptions:
        target.merge_range(row, 0, row, 6, assumption, looks["wrap"])
        row += 1


def page(target: Any, sheet: ParSheet, looks: dict[str, Any]) -> None:
    """One wager: its figures, its lines, its bands."""
    for column, width in enumerate(WIDTHS):
        target.set_column(column, column, width)
    target.write(0, 0, sheet.title, looks["title"])
    target.write(1, 0, sheet.about)
    row = 3
    for name, value in sheet.figures():
        target.write(row, 0, name)
        shown = "percent" if name in SHARES else "share"
        if isinstance(value, str):
            target.write_string(row, 1, value)
        else:
            target.write(row, 1, value, looks["whole" if isinstance(value, int) else shown])
        row += 1
    row += 1
    for column, text in enumerate(LINE_TITLES):
        target.write(row, column, text, looks["head" if column > 1 else "name"])
    formats = ("", "", "whole", "share", "cycle", "share")
    for line in sheet.lines:
        row += 1
        for column, (cell, shown) in enumerate(zip(line_cells(line), formats, strict=True)):
            if isinstance(cell, str):
                target.write_string(row, column, cell)
            else:
                target.write(row, column, cell, looks.get(shown))
    row += 2
    target.write(row, 0, f"{LEVEL:.0%} of all series", looks["name"])
    for column, text in enumerate(BAND_TITLES, start=1):
        target.write(row, column, text, looks["head"])
    for each in sheet.bands:
        row += 1
        target.write(row, 1, each.rounds, looks["whole"])
        target.write(row, 2, float(each.low), looks["percent"])
        target.write(row, 3, float(each.high), looks["percent"])
    for note in sheet.notes:
        row += 2
        target.write_string(row, 0, note)
