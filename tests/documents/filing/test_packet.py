"""The filing packet: content of its pages, clause checklist, request and amendment."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from typer.testing import Result

from croupier import analysis as study
from croupier import submission
from croupier.cli.output_files import write_new_folder
from croupier.documents import filing
from croupier.documents.charts import document_charts
from croupier.documents.felt import inscriptions
from croupier.documents.filing.checklist import UNANSWERED, checklist, filing_clauses
from croupier.documents.filing.mathematics import SideWagerAnalysis
from croupier.documents.filing.rules_submission import raw_value, sentence_of
from croupier.documents.filing.rules_submission import rules as rules_document
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.expected_returns import side_wagers
from croupier.rulebook import clauses, field_label, readings
from tests.documents import small_analysis
from tests.support.cli import invoke
from tests.support.rounds import EVERY_GAME, RUN, TOP, UTH, house

pytestmark = pytest.mark.xdist_group("packet")  # one worker makes each packet once

DAY = "Order 31-7 of 2031-03-01"


@pytest.fixture(autouse=True, scope="module")
def drawn_once() -> Iterator[None]:
    """Cache charts of the same numbers; they take most of the time of a packet."""
    draw = document_charts.distribution

    @cache
    def drawn(shares: tuple[tuple[Fraction, Fraction], ...], unit: str) -> str:
        return draw(dict(shares), unit)

    def look_up(shares: Mapping[Fraction, Fraction], unit: str) -> str:
        return drawn(tuple(shares.items()), unit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_charts, "distribution", look_up)
        yield


def fast_analysis(of: House) -> filing.FilingAnalysis:
    """A fast analysis, the same at every ante."""
    ev = small_analysis.EV
    by_ante = (study.ValueAtAnte(500, ev), study.ValueAtAnte(50_000, ev))
    analysis = dataclasses.replace(small_analysis.analysis(of), ante=500, by_ante=by_ante)
    sides = {wager: study.analyze_side_wager(of, wager) for wager in side_wagers(of)}
    return filing.FilingAnalysis(
        by_odds=analysis,
        offered=analysis,
        sides=tuple(
            SideWagerAnalysis(wager=wager, by_odds=result, least=result, most=result)
            for wager, result in sides.items()
        ),
    )


@cache
def made(game: str) -> tuple[filing.FilingDocument, ...]:
    """The documents of an example."""
    of = submission.example(game)
    approvals = filing.FilingApprovals(rules=DAY, guide=DAY)
    return filing.documents(of, fast_analysis(of), approvals=approvals)


def pages(content: bytes) -> list[str]:
    """The text of every page with single spaces."""
    read = pypdfium2.PdfDocument(content)
    texts = [page.get_textpage().get_text_range() for page in read]
    return [re.sub(r"\s+", " ", text) for text in texts]


def document(game: str, name: str) -> filing.FilingDocument:
    """One document of an example."""
    return next(each for each in made(game) if name in each.name)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_page_has_digest_and_approval(game: str) -> None:
    """COMAR 36.05.03.19D: each page has its approval and the digest of the submission."""
    of = submission.example(game)
    for text in pages(document(game, "rules").pdf()):
        assert of.digest in text
        assert f"Approved: {DAY}" in text
    for text in pages(document(game, "mathematics").pdf()):
        assert "not yet approved" in text


@pytest.mark.parametrize("game", EVERY_GAME)
def test_files_are_archivable_and_the_same_every_time(game: str) -> None:
    """PDF/A and PDF/UA, and equal bytes for equal Houses."""
    for each in made(game):
        content = each.pdf()
        assert re.search(rb"pdfuaid:part(>|=\")1", content)
        assert re.search(rb"pdfaid:part(>|=\")2", content)
        assert content == each.pdf()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_clause_of_layout_and_submission_has_its_place(game: str) -> None:
    """No clause is unanswered; without the Rules Submission some are."""
    of = submission.example(game)
    text = " ".join(pages(document(game, "checklist").pdf()))
    assert UNANSWERED not in text
    for clause in filing_clauses(of):
        assert clause.id in text
    assert UNANSWERED in " ".join(pages(checklist(of, [document(game, "layout")]).pdf()))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_place_is_where_it_is_said_to_be(game: str) -> None:
    """The page that the checklist names has the clause on it."""
    for name in ("rules", "layout"):
        each = document(game, name)
        text = pages(each.pdf())
        for place in each.places():
            if place.under in (
                "Dealing procedure",
                "Choices",
                "Requirements met by the drawings",
            ):
                assert place.clause in text[place.page - 1], place


@pytest.mark.parametrize("game", EVERY_GAME)
def test_clauses_on_what_is_not_offered_are_not_applicable(game: str) -> None:
    """Wagers that are not offered need no area; floors of other paytables do not apply."""
    every = submission.example(game).game.wagers
    optional = [w.name for w in every if w.role in ("optional", "progressive")]
    bare = house(game, without=[n for n in optional if not must_be_offered(game, n)])
    text = " ".join(pages(checklist(bare, filing.documents(bare, fast_analysis(bare))[:2]).pdf()))
    assert "not applicable" in text
    assert UNANSWERED not in text


def must_be_offered(game: str, wager: str) -> bool:
    """Whether a submission without the wager is illegal."""
    known = submission.example(game).game.wager(wager)
    return known is not None and known.always_offered


@pytest.mark.parametrize("game", EVERY_GAME)
def test_choices_wagers_and_odds_are_complete(game: str) -> None:
    """Every field is in the Rules Submission, every line of odds in the guide."""
    of = submission.example(game)
    rules = " ".join(pages(document(game, "rules").pdf()))
    for choice in of.game.form.choices:
        assert field_label(choice.name), choice.name
        assert field_label(choice.name) in rules, choice.name
    guide = " ".join(pages(document(game, "guide").pdf()))
    for block in inscriptions.odds(of):
        for hand, pays in block.lines:
            assert f"{hand} {pays}" in guide, block.heading


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_submission_states_what_is_in_force_and_nothing_else(game: str) -> None:
    """One sentence per choice and reading, no debate; no chips or colors nobody stated."""
    of = submission.example(game)
    text = " ".join(pages(document(game, "rules").pdf()))
    for reading in readings(game).values():
        assert reading.why not in text, reading.id
        assert reading.question not in text, reading.id
        if in_force := game in reading.games and reading.rule != "":
            assert reading.rule_of(game) in text, reading.id
        for letter, words in reading.readings.items():
            stated = in_force and words in reading.rule_of(game)
            assert stated or len(words.split()) <= 4 or words not in text, (reading.id, letter)
    for choice in of.game.form.choices:
        if raw_value(of, choice) is not None:
            assert sentence_of(of, choice) in text
            assert sentence_of(of, choice) != choice.note, choice.name
    assert not re.search(r"[a-z]_[a-z]", text)
    equipment = " ".join(pages(document(game, "layout").pdf()))
    for page in (text, equipment):
        assert "to be listed by the operator" in page
        assert "$0.01" not in page
        for chip in of.chips:
            assert f"{chip.colour} chip" not in page


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_row_of_a_long_table_is_alone_on_a_page(game: str) -> None:
    """The last rows of the procedure and of the interpretations stay together."""
    texts = pages(document(game, "rules").pdf())
    rules = [
        reading.rule_of(game)
        for reading in readings(game).values()
        if game in reading.games and reading.rule
    ]
    for rows in (rules, [clause.summary for clause in clauses(game)]):
        shown = [sum(row in text for row in rows) for text in texts]
        assert [count for count in shown if count][-1] >= 4, shown


def test_the_submission_has_lines_to_sign_and_things_to_do(tmp_path: Path) -> None:
    """Date, license, contact and signature; outstanding approvals by their labels."""
    file = tmp_path / "table.toml"
    text = submission.example_path(UTH).read_text("utf-8")
    for field in ("layout_approval", "internal_controls_ref", "bad_beat_scope"):
        text = re.sub(rf"{field} = .*\n", "", text)
    file.write_text(text)
    checked = submission.draft(file)
    assert checked.drafted is not None
    made_document = rules_document(checked.drafted, checked.issues, "")
    text = " ".join(pages(made_document.pdf()))
    for line in ("License number", "Date of submission", "Contact:", "Signature"):
        assert line in text
    assert "To do before a table opens" in text
    assert "Approval of the layout: not on file (clause 2.B)." in text
    assert "Internal controls for progressive awards: not on file" in text
    assert "Rules Submission: written approval (COMAR 36.05.03.19)." in text
    assert "Chips: list the chips of the table with their colors (clause 7.A)." in text
    assert "Losing hand of the Bad Beat: A Bad Beat is paid by the rank" in text


def test_other_warnings_are_not_called_unstated() -> None:
    """The basis of Run 'Em Twice is stated, and noted for the reader without its key."""
    path = submission.example_path(RUN)
    of = submission.example(RUN)
    text = " ".join(pages(rules_document(of, submission.draft(path).issues, DAY).pdf()))
    assert "Not stated by the operator" not in text
    assert 'Cards of the progressive hand: "first run" judges the 1st Run hand alone' in text


def test_stated_chips_are_printed(tmp_path: Path) -> None:
    """With a chip set there is nothing to list."""
    stated = 'chip_set = ["1 white", "5 red", "25 green"]\nchip_rounding'
    of = submission.build(changed("chip_rounding", stated))
    text = " ".join(pages(rules_document(of, (), DAY).pdf()))
    assert "$1 white, $5 red, $25 green" in text
    assert "to be listed" not in text
    assert "To do" not in text


def test_a_request_has_nine_items() -> None:
    """COMAR 36.05.03.20A: nine items; five of them are for the operator to fill in."""
    of = submission.example(UTH)
    (request,) = [
        each
        for each in filing.documents(of, fast_analysis(of), new=["trips"])
        if each.name == "5-request"
    ]
    text = " ".join(pages(request.pdf()))
    for number in range(1, 10):
        assert f" {number}. " in text
    assert 5 == text.count("To be stated by the operator")
    assert "30,939.00 to 1 50 to 1" in text  # a royal flush once in 30,940 hands
    assert "House advantage 1.9040%" in text


def test_an_amendment_lists_all_changes() -> None:
    """COMAR 36.05.03.21: raising a minimum is an amendment, a maximum changes by notice."""
    old = submission.example(UTH)
    new = submission.build(changed('trips = "B"', 'trips = "A"', "min = 5, max = 500", RAISED))
    lines = [str(change) for change in filing.changes(old, new)]
    assert "law: Trips, paytable: B -> A [12.C]" in lines
    assert "law: Ante, minimum: $5 -> $10 [36.05.03.21B, amended]" in lines
    assert "law: Ante, maximum: $500 -> $1,000 [36.05.03.21C, by notice]" in lines
    assert "felt: Trips: Full house: 8 to 1 -> 9 to 1" in lines
    assert "money: Trips, house edge: 1.9040% -> 0.9018%" in lines
    # A higher maximum: the royal flush on the Blind, 4x on the Play, and 2.185 percent of the Ante.
    assert "money: Ante at its maximum, largest payout: $500 -> $1,000" in lines
    assert "money: Blind at its maximum, largest payout: $250,000 -> $500,000" in lines
    assert "money: Play at its maximum, largest payout: $2,000 -> $4,000" in lines
    expected = "Ante at its maximum, expected win of the house: $10.93 -> $21.85"
    assert f"money: {expected}" in lines
    assert not any("Bad Beat at its maximum" in line for line in lines)
    assert () == filing.changes(old, old)
    text = " ".join(pages(filing.amendment(old, new).pdf()))
    assert old.digest in text
    assert new.digest in text


RAISED = "min = 10, max = 1000"


def test_an_amendment_names_choices_by_their_labels() -> None:
    """A choice that changes what decides a wager also changes the layout."""
    old = submission.example(UTH)
    new = submission.build(changed('"either_hand"', '"player_hand"'))
    lines = [str(change) for change in filing.changes(old, new)]
    assert "law: Losing hand of the Bad Beat: either hand -> player hand [7.F.6]" in lines
    assert any(line.startswith("felt: Bad Beat, decided by: the best five") for line in lines)
    text = " ".join(pages(filing.amendment(old, new).pdf()))
    for line in ("License number", "Date of submission", "Contact:", "Signature"):
        assert line in text


def test_a_payout_limit_caps_what_a_higher_maximum_costs() -> None:
    """The largest payout on the Blind stays at the limit."""
    limited = ("[choices]", "[choices]\npayout_limit = 100000")
    old = submission.build(changed(*limited))
    new = submission.build(changed(*limited, "min = 5, max = 500", "min = 5, max = 1000"))
    lines = [str(change) for change in filing.changes(old, new)]
    assert "money: Play at its maximum, largest payout: $2,000 -> $4,000" in lines
    assert not any("Blind at its maximum" in line for line in lines)


def changed(*pairs: str) -> dict[str, Any]:
    """The example of Ultimate Texas Hold'Em with replacements in its text."""
    import tomllib

    text = submission.example_path(UTH).read_text("utf-8")
    for before, after in zip(pairs[::2], pairs[1::2], strict=True):
        assert before in text
        text = text.replace(before, after, 1)
    return tomllib.loads(text)


def croupier(*arguments: object) -> Result:
    """Run a command."""
    return invoke(arguments)


def test_the_command_writes_a_folder_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files are written; a second run does not overwrite the folder."""
    monkeypatch.setattr(filing, "analyze_for_filing", lambda of, report: fast_analysis(of))
    folder = tmp_path / "filing"
    path = submission.example_path(TOP)
    done = croupier("packet", path, "-o", folder, "--approved", DAY)
    assert 0 == done.exit_code, done.output
    names = sorted(each.name for each in folder.iterdir())
    assert [
        "1-rules-submission.pdf",
        "2-felt.pdf",
        "2-layout.pdf",
        "3-gaming-guide.pdf",
        "4-mathematics.pdf",
        "6-checklist.pdf",
    ] == names
    again = croupier("packet", path, "-o", folder)
    assert 2 == again.exit_code
    assert "exists already; nothing is overwritten" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["UTH"], "croupier packet TABLE.toml -o FOLDER"),
        (["UTH", "-o", "F", "--approved", "soon"], "names no date"),
        (["UTH", "-o", "F", "--new", "insurance"], "insurance is not offered here"),
        (["UTH", "-o", "no/F"], "cannot be created"),
        (["missing.toml", "-o", "F"], "missing.toml"),
        (["UTH", "--diff"], "expected two"),
        (["UTH", "TOP", "--diff"], "are different games"),
        (["UTH", "UTH", "--diff", "-o", "F.svg"], "expected a .pdf file"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], problem: str
) -> None:
    """Exit status 2, one reason, no file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(filing, "analyze_for_filing", lambda of, report: fast_analysis(of))
    known = {"UTH": str(submission.example_path(UTH)), "TOP": str(submission.example_path(TOP))}
    done = croupier("packet", *(known.get(word, word) for word in arguments))
    assert 2 == done.exit_code, done.output
    assert problem in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_after_all(tmp_path: Path) -> None:
    """The parent may be removed while the documents are made."""
    with pytest.raises(BadInput, match="cannot be created: No such file or directory"):
        write_new_folder(tmp_path / "no" / "F", {"a.pdf": b""})


def test_a_diff_is_printed_and_written(tmp_path: Path) -> None:
    """Lines on the terminal, and a PDF."""
    path = submission.example_path(TOP)
    other = tmp_path / "new.toml"
    other.write_text(path.read_text("utf-8").replace('poker_bonus = "A"', 'poker_bonus = "B"'))
    done = croupier("packet", "--diff", path, other, "-o", tmp_path / "amendment.pdf")
    assert 0 == done.exit_code, done.output
    assert "Poker Bonus, paytable: A -> B" in done.stdout
    assert (tmp_path / "amendment.pdf").read_bytes().startswith(b"%PDF")
    assert "no changes" in croupier("packet", "--diff", path, path).stdout
