"""PAR sheet as an Excel workbook: a summary page, then one page per wager."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from croupier.documents.par.par_sheet import (
    BAND_TITLES,
    LEVEL,
    LINE_TITLES,
    SHARES,
    ParSheet,
    WagerSheet,
    line_cells,
)

SHEET_NAME_MAX = 31  # characters; Excel's limit
WIDTHS = (38, 16, 20, 16, 18, 16)


def write_xlsx(par: ParSheet) -> bytes:
    """The workbook; equal sheets give equal bytes."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    # A fixed creation date keeps the bytes the same.
    book.set_properties(
        {"title": par.title, "author": par.operator, "created": datetime(2000, 1, 1)}
    )
    formats = {
        "title": book.add_format({"bold": True, "font_size": 15}),
        "head": book.add_format({"bold": True, "bottom": 1, "align": "right"}),
        "name": book.add_format({"bold": True, "bottom": 1}),
        "whole": book.add_format({"num_format": "#,##0"}),
        "share": book.add_format({"num_format": "0.0000000000"}),
        "cycle": book.add_format({"num_format": "#,##0.00"}),
        "percent": book.add_format({"num_format": "0.0000%"}),
        "wrap": book.add_format({"text_wrap": True, "valign": "top"}),
    }
    write_summary(book.add_worksheet("PAR"), par, formats)
    for sheet in par.sheets:
        write_wager(book.add_worksheet(sheet.title[:SHEET_NAME_MAX]), sheet, formats)
    book.close()
    return buffer.getvalue()


def write_summary(target: Any, par: ParSheet, formats: dict[str, Any]) -> None:
    """The first page: what was analyzed, and a row for each wager."""
    target.set_column(0, 0, 26)
    target.set_column(1, 6, 18)
    target.write(0, 0, par.title, formats["title"])
    row = 2
    for name, value in par.head:
        target.write(row, 0, name)
        target.write_string(row, 1, value)
        row += 1
    row += 1
    titles = ("wager", "house edge", "return", "hit frequency", "deviation", "volatility index")
    for column, text in enumerate(titles):
        target.write(row, column, text, formats["head" if column else "name"])
    for sheet in par.sheets:
        row += 1
        figures = dict(sheet.figures())
        target.write(row, 0, sheet.title)
        for column, name in enumerate(("house edge", "return", "hit frequency"), start=1):
            target.write(row, column, figures[name], formats["percent"])
        target.write(row, 4, figures["standard deviation"], formats["cycle"])
        target.write(row, 5, figures["volatility index (90%)"], formats["cycle"])
    row += 2
    for assumption in par.assumptions:
        target.merge_range(row, 0, row, 6, assumption, formats["wrap"])
        row += 1


def write_wager(target: Any, sheet: WagerSheet, formats: dict[str, Any]) -> None:
    """The page of one wager: figures, return table, bands."""
    for column, width in enumerate(WIDTHS):
        target.set_column(column, column, width)
    target.write(0, 0, sheet.title, formats["title"])
    target.write(1, 0, sheet.about)
    row = 3
    for name, value in sheet.figures():
        target.write(row, 0, name)
        style = "percent" if name in SHARES else "share"
        if isinstance(value, str):
            target.write_string(row, 1, value)
        else:
            target.write(row, 1, value, formats["whole" if isinstance(value, int) else style])
        row += 1
    row += 1
    for column, text in enumerate(LINE_TITLES):
        target.write(row, column, text, formats["head" if column > 1 else "name"])
    styles = ("", "", "whole", "share", "cycle", "share")
    for line in sheet.lines:
        row += 1
        for column, (cell, style) in enumerate(zip(line_cells(line), styles, strict=True)):
            if isinstance(cell, str):
                target.write_string(row, column, cell)
            else:
                target.write(row, column, cell, formats.get(style))
    row += 2
    target.write(row, 0, f"{LEVEL:.0%} of all series", formats["name"])
    for column, text in enumerate(BAND_TITLES, start=1):
        target.write(row, column, text, formats["head"])
    for band in sheet.bands:
        row += 1
        target.write(row, 1, band.rounds, formats["whole"])
        target.write(row, 2, float(band.low), formats["percent"])
        target.write(row, 3, float(band.high), formats["percent"])
    for note in sheet.notes:
        row += 2
        target.write_string(row, 0, note)
