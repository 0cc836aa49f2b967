"""The imprint: version, commit and creation time on every document, the time as an input."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime

import pypdfium2
import pytest

from croupier import __version__, software_identity, submission
from croupier.documents import imprint
from croupier.documents.felt import felt, full_size, sign
from croupier.documents.filing import guide
from croupier.documents.filing.layout import layout
from croupier.documents.filing.rules_submission import rules
from croupier.documents.par import par_sheet, xlsx
from croupier.documents.pdf import compile_pdf
from croupier.errors import BadInput
from croupier.games import House
from croupier.rulebook import clauses
from tests.documents.small_analysis import analysis
from tests.documents.test_patron_pages import card, web_text
from tests.support.cli import invoke
from tests.support.rounds import EVERY_GAME, RUN, TOP

COMMIT = "0123456789abcdef0123"
LINE = f"Croupier {__version__} (0123456789ab), created 2031-01-01 00:26:40 UTC"


def par(of: House) -> par_sheet.ParSheet:
    """The PAR sheet of a House."""
    return par_sheet.make_par_sheet(of, analysis(of))


DOCUMENTS: dict[str, Callable[[House], bytes]] = {
    "rules": lambda of: rules(of, (), "").pdf(),
    "layout": lambda of: layout(of).pdf(),
    "guide": lambda of: guide(of).pdf(),
    "card": lambda of: card(of).pdf(),
    "par": lambda of: par_sheet.write_pdf(par(of)),
}


@pytest.fixture(autouse=True)
def inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time and a commit."""
    monkeypatch.setenv(imprint.EPOCH, "1924993600")
    monkeypatch.setenv(software_identity.COMMIT, COMMIT)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_page_of_every_document_has_it(
    name: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same time gives the same bytes, another time others; no page is blank."""
    of = submission.example(game)
    made = DOCUMENTS[name](of)
    document = pypdfium2.PdfDocument(made)
    for page in document:
        text = " ".join(page.get_textpage().get_text_range().split())
        assert LINE in text
        assert len(text) > 300, f"{name} has a page with hardly any text: {text}"
    assert LINE in document.get_metadata_value("Keywords")
    assert document.get_metadata_value("CreationDate").startswith("D:20310101002640")
    assert made == DOCUMENTS[name](of)
    monkeypatch.setenv(imprint.EPOCH, "1925000000")
    assert made != DOCUMENTS[name](of)


BRITISH = re.compile(
    r"\b\w*(?:[cn]olour|avour|hbour|eviour|aviour|honour|centre|metre|licence|cheque|labelled|"
    r"cancelled|travell|organis|recognis|programme|whilst)\w*",
    re.IGNORECASE,
)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_american_spelling(game: str) -> None:
    """Every document, every clause summary and every patron sentence."""
    of = submission.example(game)
    for name, make in DOCUMENTS.items():
        document = pypdfium2.PdfDocument(make(of))
        text = " ".join(page.get_textpage().get_text_range() for page in document)
        assert [] == BRITISH.findall(text), name
    assert [] == BRITISH.findall(" ".join(clause.summary for clause in clauses(game)))
    assert [] == BRITISH.findall(submission.example_path(game).read_text("utf-8"))


def test_other_files() -> None:
    """Full-size drawings visibly and in their properties, as the workbook; CSV and text a line."""
    of = submission.example(RUN)
    drawn = felt(of)
    posted = sign(of, drawn, everything=True)
    assert posted is not None
    for drawing in (drawn, posted):
        page = pypdfium2.PdfDocument(full_size(of, drawing))
        assert LINE in page.get_metadata_value("Keywords")
        shown = f"Rules Submission {of.digest[:16]}. {LINE}"
        assert shown in " ".join(page[0].get_textpage().get_text_bounded().split())
    with zipfile.ZipFile(io.BytesIO(xlsx.write_xlsx(par(of)))) as book:
        properties = book.read("docProps/core.xml").decode()
    assert LINE in properties
    assert "2031-01-01T00:26:40Z" in properties
    assert LINE in par_sheet.write_csv(par(of)).decode()
    assert LINE in card(submission.example(TOP)).text()


def test_the_web_guide() -> None:
    """The page of the server is made when it is asked for."""
    assert LINE in web_text(submission.example(TOP))


def test_a_drawing_file_of_the_command(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An SVG file shows it; the page of the server does not change with the time."""
    file = tmp_path_factory.mktemp("felt") / "felt.svg"
    done = invoke(["felt", str(submission.example_path(TOP)), "-o", str(file)])
    assert 0 == done.exit_code, done.output
    assert LINE in file.read_text("utf-8")
    assert LINE not in felt(submission.example(TOP)).page_svg()


def test_without_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now, and the commit that is checked out if there is one."""
    monkeypatch.delenv(imprint.EPOCH)
    monkeypatch.delenv(software_identity.COMMIT)
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= imprint.created_at() <= datetime.now(UTC)
    assert re.fullmatch(
        rf"Croupier {re.escape(__version__)}( \([0-9a-f]{{12}}\))?, created .* UTC",
        imprint.imprint(),
    )


@pytest.mark.parametrize("stated", ["", "soon", "1" * 40])
def test_an_unusable_time_is_refused(stated: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One reason, naming the variable."""
    monkeypatch.setenv(imprint.EPOCH, stated)
    with pytest.raises(BadInput, match="SOURCE_DATE_EPOCH"):
        compile_pdf("drawing", {})
