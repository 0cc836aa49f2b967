"""The PAR sheet: counts, hit cycles and bands, as workbook, CSV and PDF."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

from croupier import analysis as study
from croupier import submission
from croupier.documents.par import par_sheet, worked_examples, xlsx
from tests.documents.small_analysis import analysis
from tests.support.cli import invoke
from tests.support.rounds import EVERY_GAME, RUN, UTH


def made(game: str = UTH) -> par_sheet.ParSheet:
    """The PAR sheet of an example House."""
    house = submission.example(game)
    return par_sheet.make_par_sheet(house, analysis(house))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_wager_adds_up(game: str) -> None:
    """Counts add up to the deals, probabilities to one, contributions to the return."""
    for sheet in made(game).sheets:
        assert sheet.deals == sum(line.count for line in sheet.lines)
        assert 1 == sum(line.probability for line in sheet.lines)
        back = sum((line.contribution for line in sheet.lines), Fraction(0))
        assert sheet.ev == (back if sheet.name == "main" else back - 1)


def test_the_cards_that_decide_a_side_wager_are_named() -> None:
    """The progressive of Run 'Em Twice by what the submission chooses (A3)."""
    sheets = {sheet.name: sheet for sheet in made(RUN).sheets}
    assert "Decided by your 1st Run hand alone." in sheets["progressive"].notes
    assert "Decided by the five cards of the cross." in sheets["five_card_bonus"].notes


def test_bands_narrow_around_the_return() -> None:
    """The return lies inside; with rare awards, few rounds may spread less than many."""
    for sheet in made().sheets:
        widths = [band.high - band.low for band in sheet.bands]
        assert widths[-1] < widths[-2]
        assert [1_000, 10_000, 100_000, 1_000_000, 10_000_000] == [b.rounds for b in sheet.bands]
        last = sheet.bands[-1]
        assert last.low < 1 + sheet.ev < last.high


def test_known_figures() -> None:
    """Trips B hits once in 4.2 deals and has a house edge of 1.9 percent."""
    trips = next(sheet for sheet in made().sheets if sheet.name == "trips")
    figures = dict(trips.figures())

    assert 133_784_560 == trips.deals == figures["deals counted"]
    assert ("royal flush", "50 to 1", Fraction(4324)) == (
        trips.lines[0].result,
        trips.lines[0].pays,
        trips.lines[0].count,
    )
    assert "1.9040" == f"{100 * float(-trips.ev):.4f}"
    assert 1.645 * trips.deviation == figures["volatility index (90%)"]


def test_csv_is_safe_in_a_spreadsheet() -> None:
    """Every row names its wager; no cell starts like a formula."""
    rows = list(csv.reader(io.StringIO(par_sheet.write_csv(made()).decode())))

    assert ["Trips", "royal flush", "50 to 1", "4324"] == next(
        row[:4] for row in rows if row[:2] == ["Trips", "royal flush"]
    )
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "@")), row


def test_the_workbook_has_a_page_for_each_wager() -> None:
    """Equal sheets give equal bytes."""
    sheet = made()
    content = xlsx.write_xlsx(sheet)

    assert content == xlsx.write_xlsx(sheet)
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        pages = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        names = book.read("xl/workbook.xml").decode()
        words = book.read("xl/sharedStrings.xml").decode()
    assert 1 + len(sheet.sheets) == len(pages)
    assert 'name="Play the Board"' in names
    assert dict(sheet.head)["Rules Submission"] in words


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_formulas_of_the_workbook_give_its_figures(game: str) -> None:
    """Every formula, computed from the other cells, has the value stored beside it."""
    sheet = made(game)
    with zipfile.ZipFile(io.BytesIO(xlsx.write_xlsx(sheet))) as book:
        pages = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        computed = sum(check_formulas(book.read(page).decode()) for page in pages[1:])
        summary = book.read(pages[0]).decode()
    lines = sum(len(each.lines) for each in sheet.sheets)
    assert computed >= 2 * lines + 6 * len(sheet.sheets)
    assert summary.count("<f>'") >= 6 * len(sheet.sheets)


def check_formulas(page: str) -> int:
    """Compute the formulas of a page from its values; returns their number."""
    found = re.findall(r'<c r="(\w+)"[^>]*?(?:/>|>(?:<f>(.*?)</f>)?<v>(.*?)</v></c>)', page)
    values = {at: float(value) if is_number(value) else 0.0 for at, _, value in found}

    def cells(first: str, last: str) -> np.ndarray[Any, Any]:
        column, start, end = first[0], int(first[1:]), int(last[1:])
        return np.array([values.get(f"{column}{row}", 0.0) for row in range(start, end + 1)])

    functions = {
        "cells": cells,
        "cell": lambda at: values.get(at, 0.0),
        "SUM": np.sum,
        "SQRT": np.sqrt,
        "SUMPRODUCT": lambda one, other: float(np.sum(one * other)),
        "SUMIF": lambda tested, test, added: float(np.sum(added[tested > float(test[1:])])),
        "IF": lambda test, yes, no: yes() if test else no(),
    }
    number = 0
    for at, formula, value in found:
        if not formula:
            continue
        number += 1
        text = html.unescape(formula).replace("$", "").replace("^", "**")
        text = re.sub(r'IF\((.*),(.*),("never")\)', r"IF(\1,lambda: \2,lambda: \3)", text)
        text = re.sub(r"([A-G]\d+):([A-G]\d+)", r"cells('\1','\2')", text)
        text = re.sub(r"(?<!')\b([A-G]\d+)\b(?!')", r"cell('\1')", text)
        result = eval(text, functions)
        if result == "never":
            assert value == "never"
        else:
            assert float(value) == pytest.approx(result, rel=1e-9, abs=1e-12), (at, formula)
    return number


def is_number(text: str) -> bool:
    """Whether a cell has a number."""
    return bool(re.fullmatch(r"-?[\d.]+(E[-+]?\d+)?", text, re.IGNORECASE))


def test_reset_and_long_run_of_a_progressive() -> None:
    """Ultimate's example: 43.1 percent at the reset amounts, 23.1 percent in the long run."""
    sheet = next(sheet for sheet in made().sheets if sheet.name == "progressive")
    figures = dict(sheet.figures())
    assert sheet.long_run is not None
    assert "43.1" == f"{100 * float(-sheet.ev):.1f}"
    assert "23.1" == f"{100 * float(figures['long-run house edge']):.1f}"
    assert figures["share of a wager added to the meters"] == pytest.approx(0.2)
    assert -sheet.ev - sheet.long_run.increment == -sheet.long_run.ev
    assert {"mega", "major", "minor"} == {meter.name for meter in sheet.long_run.meters}
    for meter in sheet.long_run.meters:
        assert meter.mean == meter.reset + meter.added / meter.hit
    text = " ".join(page_texts(par_sheet.write_pdf(made())))
    for printed in ("43.1065%", "23.1065%", "once in 649,740", "$35,989.60"):
        assert printed in text


@pytest.mark.parametrize("game", EVERY_GAME)
def test_worked_examples_of_every_outcome(game: str) -> None:
    """Every wager has a win and a loss, and a push if settlement knows one; amounts add up."""
    house = submission.example(game)
    examples = [example for sheet in made(game).sheets for example in sheet.examples]
    assert {(each.wager, each.outcome) for each in examples} == worked_examples.outcomes(house)
    for each in examples:
        match each.outcome:
            case "lose":
                assert 0 == each.returned
            case "push":
                assert each.stake == each.returned
            case "win" if " to " in each.pays:
                win, per = each.pays.replace(",", "").split(" to ")
                assert each.stake + each.stake * Fraction(int(win), int(per)) == each.returned
    text = re.sub(r"\s+", "", "".join(page_texts(par_sheet.write_pdf(made(game)))))
    for each in examples:
        assert each.cards.replace(" ", "") in text


def test_each_wager_of_the_main_game() -> None:
    """Outcomes and expected values of Ante and Play add up to the main game."""
    house = submission.example("top_five")
    result = study.solve(house)
    sheet = par_sheet.main_sheet(house, result, ())
    assert ["Ante", "Play"] == [wager.title for wager in sheet.wagers]
    assert result.ev == sum(wager.ev for wager in sheet.wagers)
    for wager in sheet.wagers:
        assert wager.made == wager.wins + wager.pushes + wager.loses
    assert 1 == sheet.wagers[0].made
    assert result.element_of_risk == sheet.element_of_risk


def page_texts(content: bytes) -> list[str]:
    """The text of every page."""
    document = pypdfium2.PdfDocument(content)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def test_the_pages_carry_the_digest() -> None:
    """Every page has the digest, and every wager its heading."""
    sheet = made()
    content = par_sheet.write_pdf(sheet)
    document = pypdfium2.PdfDocument(content)
    try:
        texts = [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()

    assert content == par_sheet.write_pdf(sheet)
    assert all(dict(sheet.head)["Rules Submission"] in text for text in texts)
    for wager in sheet.sheets:
        assert any(wager.title in text for text in texts[1:])


@pytest.mark.parametrize("suffix", [".xlsx", ".csv", ".pdf"])
def test_the_command(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of each kind; existing files are not overwritten."""
    monkeypatch.setattr(study, "analyze", lambda house, *rest: analysis(house), raising=False)
    target = tmp_path / f"par{suffix}"
    arguments = ["par", str(submission.example_path(UTH)), "-o", str(target)]
    done = invoke(arguments)
    assert 0 == done.exit_code, done.output
    assert target.stat().st_size > 1000
    again = invoke(arguments)
    assert (2, True) == (again.exit_code, "nothing is overwritten" in again.stderr)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    """The suffix is checked before anything is analyzed."""
    arguments = ["par", str(submission.example_path(UTH)), "-o", str(tmp_path / "par.txt")]
    done = invoke(arguments)

    assert 2 == done.exit_code
    assert "par.txt: expected a .xlsx or .csv or .pdf file" in done.stderr
