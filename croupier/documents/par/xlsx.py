"""PAR sheet as an Excel workbook: a summary page, then one page per wager."""

from __future__ import annotations

import io
from typing import Any

from croupier.documents.imprint import created_at, imprint
from croupier.documents.par.par_sheet import (
    BAND_TITLES,
    LEVEL,
    LINE_TITLES,
    MAIN,
    SHARES,
    VOLATILITY,
    ParLine,
    ParSheet,
    WagerSheet,
    detail_tables,
    line_cells,
)

SHEET_NAME_MAX = 31  # characters; Excel's limit
WIDTHS = (38, 34, 20, 16, 18, 22, 14)
FIRST_FIGURE = 3  # row


def write_xlsx(par: ParSheet) -> bytes:
    """The workbook; equal sheets made at one time give equal bytes."""
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, "strings_to_formulas": False})
    created = created_at()
    book.set_properties(
        {
            "title": par.title,
            "author": par.operator,
            "created": created.replace(tzinfo=None),
            "comments": imprint(created),
        }
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
    """The first page: what was analyzed, and a row for each wager, read from its page."""
    target.set_column(0, 0, 26)
    target.set_column(1, 7, 18)
    target.write(0, 0, par.title, formats["title"])
    row = 2
    for name, value in par.head:
        target.write(row, 0, name)
        target.write_string(row, 1, value)
        row += 1
    row += 1
    columns = (
        ("house edge", "percent"),
        ("long-run house edge", "percent"),
        ("element of risk", "percent"),
        ("return", "percent"),
        ("hit frequency", "percent"),
        ("standard deviation", "cycle"),
        ("volatility index (90%)", "cycle"),
    )
    for column, text in enumerate(("wager", *(name for name, _ in columns))):
        target.write(row, column, text, formats["head" if column else "name"])
    for sheet in par.sheets:
        row += 1
        figures = dict(sheet.figures())
        target.write(row, 0, sheet.title)
        for column, (name, style) in enumerate(columns, start=1):
            if name in figures:
                at = f"='{sheet.title[:SHEET_NAME_MAX]}'!B{figure_rows(sheet)[name]}"
                target.write_formula(row, column, at, formats[style], figures[name])
    row += 2
    for assumption in par.assumptions:
        target.merge_range(row, 0, row, 7, assumption, formats["wrap"])
        row += 1


def figure_rows(sheet: WagerSheet) -> dict[str, int]:
    """The row number of each figure on the page of a wager, as formulas count them."""
    return {name: FIRST_FIGURE + number + 1 for number, (name, _) in enumerate(sheet.figures())}


def write_wager(target: Any, sheet: WagerSheet, formats: dict[str, Any]) -> None:
    """The page of one wager: figures and return table as formulas of the counts, then details."""
    for column, width in enumerate(WIDTHS):
        target.set_column(column, column, width)
    target.write(0, 0, sheet.title, formats["title"])
    target.write(1, 0, sheet.about)
    row = FIRST_FIGURE + len(dict(sheet.figures())) + 1
    for column, text in enumerate((*LINE_TITLES, "units")):
        target.write(row, column, text, formats["head" if column > 1 else "name"])
    first = row + 1
    for line in sheet.lines:
        row += 1
        write_line(target, row, line, figure_rows(sheet)["deals counted"], formats)
    write_figures(target, sheet, (first + 1, row + 1), formats)
    row += 2
    target.write(row, 0, f"{LEVEL:.0%} of all series", formats["name"])
    for column, text in enumerate(BAND_TITLES, start=1):
        target.write(row, column, text, formats["head"])
    for band in sheet.bands:
        row += 1
        target.write(row, 1, band.rounds, formats["whole"])
        target.write(row, 2, float(band.low), formats["percent"])
        target.write(row, 3, float(band.high), formats["percent"])
    for heading, titles, rows in detail_tables(sheet):
        row += 2
        target.write(row, 0, heading, formats["name"])
        for cells in (titles, *rows):
            row += 1
            for column, cell in enumerate(cells):
                target.write_string(row, column, cell)
    for note in sheet.notes:
        row += 2
        target.write_string(row, 0, note)


def write_line(
    target: Any, row: int, line: ParLine, deals_row: int, formats: dict[str, Any]
) -> None:
    """One result: probability, cycle and contribution are formulas of the count and the units.

    A count of more than 15 digits is text, so its probability is a number.
    """
    result, pays, count, probability, cycle, contribution = line_cells(line)
    at = row + 1
    target.write_string(row, 0, result)
    target.write_string(row, 1, pays)
    if isinstance(count, str):
        target.write_string(row, 2, count)
        target.write(row, 3, probability, formats["share"])
    else:
        target.write(row, 2, count, formats["whole"])
        target.write_formula(row, 3, f"=C{at}/B${deals_row}", formats["share"], probability)
    target.write_formula(row, 4, f'=IF(D{at}>0,1/D{at},"never")', formats["cycle"], cycle)
    target.write_formula(row, 5, f"=D{at}*G{at}", formats["share"], contribution)
    target.write(row, 6, float(line.units), formats["share"])


def write_figures(
    target: Any, sheet: WagerSheet, lines: tuple[int, int], formats: dict[str, Any]
) -> None:
    """The summary figures, as formulas of the return table where it determines them."""
    rows = figure_rows(sheet)
    first, last = lines
    shares, units = f"D{first}:D{last}", f"G{first}:G{last}"
    stake = 0 if sheet.name == MAIN else 1
    formulas = {
        "return": f"=SUM(F{first}:F{last})" + ("" if stake else "+1"),
        "house edge": f"=1-B{rows['return']}",
        "hit frequency": f'=SUMIF({units},">{stake}",{shares})',
        "standard deviation": (
            f"=SQRT(SUMPRODUCT({shares},({units}-{stake})^2)-(B{rows['return']}-1)^2)"
        ),
        "volatility index (90%)": f"={VOLATILITY}*B{rows['standard deviation']}",
        "element of risk": f"=B{rows['house edge']}",
    }
    if sheet.average_wager:
        average = rows["average total wager, in antes"]
        formulas["element of risk"] = f"=B{rows['house edge']}/B{average}"
    if sheet.long_run:
        formulas["long-run house edge"] = f"=1-B{rows['long-run return']}"
    for name, value in sheet.figures():
        row = rows[name] - 1
        target.write(row, 0, name)
        style = formats["percent" if name in SHARES else "share"]
        if name in formulas:
            target.write_formula(row, 1, formulas[name], style, value)
        elif isinstance(value, str):
            target.write_string(row, 1, value)
        else:
            target.write(row, 1, value, formats["whole"] if isinstance(value, int) else style)
