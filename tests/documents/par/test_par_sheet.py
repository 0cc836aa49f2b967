"""The PAR sheet: counts, hit cycles and bands, as workbook, CSV and PDF."""

from __future__ import annotations

import csv
import io
import zipfile
from fractions import Fraction
from pathlib import Path

import pypdfium2
import pytest

from croupier import analysis as study
from croupier import submission
from croupier.documents.par import par_sheet, xlsx
from tests.documents.small_analysis import analysis
from tests.support.cli import invoke
from tests.support.rounds import EVERY_GAME, UTH


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
