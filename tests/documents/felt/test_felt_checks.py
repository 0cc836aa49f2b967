"""The check of a finished drawing detects tampering and illegible text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from croupier.documents.felt import examine, felt
from croupier.documents.felt.pdf_reader import pdf_differences
from croupier.documents.pdf import drawing_page
from croupier.errors import BadInput
from croupier.games import House
from tests.clauses.layout.drawings import Change, changed, drawn, moved, says, sized, without
from tests.support.rounds import JACKPOT, UTH, house

pytestmark = pytest.mark.xdist_group("drawings")  # one worker draws each felt once


def problems_of(svg: str, rules: House | None = None) -> list[str]:
    """The findings of the check, by default for Ultimate."""
    return [str(finding) for finding in examine(rules or house(UTH), svg).findings]


@pytest.fixture(scope="module")
def ultimate() -> str:
    """A felt without findings."""
    svg, _ = drawn(house(UTH))
    assert [] == problems_of(svg)
    return svg


def test_odds_that_were_altered(ultimate: str) -> None:
    """Every payout is compared with the paytable."""
    wrong = changed(ultimate, "odds-trips-4-pays", says("7 to 1"))

    assert ["felt: Trips: Flush 6 to 1 is inscribed as '7 to 1' [2.B.7]"] == problems_of(wrong)


@pytest.mark.parametrize(
    ("id", "inscribed", "altered"),
    [
        ("odds-progressive-3-pays", "50 for 1", "50 to 1"),
        ("odds-trips-0-pays", "50 to 1", "50 for 1"),
    ],
)
def test_to_is_not_for(ultimate: str, id: str, inscribed: str, altered: str) -> None:
    """ "To" and "for" differ by the stake, so they are never confused."""
    (problem,) = problems_of(changed(ultimate, id, says(altered)))

    assert f"{inscribed} is inscribed as {altered!r} [2.B.7]" in problem


@pytest.mark.parametrize(
    "id", ["odds-trips-0-hand", "odds-trips-0-pays", "odds-trips-heading", "odds-ante-0-pays"]
)
def test_an_inscription_that_was_removed(ultimate: str, id: str) -> None:
    """A line, half a line or a heading."""
    assert any("2.B.7" in problem for problem in problems_of(without(ultimate, id)))


def test_a_line_that_no_paytable_has(ultimate: str) -> None:
    """An extra line of odds is a finding."""
    rules = house(UTH, letters={"blind": "B"})
    before, _ = drawn(house(UTH, letters={"blind": "A"}))
    problems = problems_of(before, rules)

    assert "felt: Blind: Straight 1 to 1 is not on the paytable [2.B.7]" in problems


ILLEGIBLE: list[tuple[str, Change, str]] = [
    ("seat-3-ante-label", moved(down=30), "'Ante' crosses the border of"),
    ("seat-3-ante", moved(right=45), "the area spot ante of position 3 and the area spot blind"),
    ("odds-trips-2-pays", moved(down=-9), "overlap"),
    ("odds-trips-2-hand", moved(right=40), "'Four of a kind'"),
    ("odds-trips-2-hand", sized(6.5), "has capitals of 4.3 mm, expected 4.5 mm or more"),
    ("operator-0", moved(down=2000), "'Test House' extends beyond the drawing"),
    ("operator-0", moved(right=-860), "'Test House' extends beyond the cloth"),
    ("odds-play_the_board-heading", sized(40.0), "'Play the Board' crosses the border of"),
]


@pytest.mark.parametrize(("id", "change", "message"), ILLEGIBLE)
def test_illegible_text(ultimate: str, id: str, change: Change, message: str) -> None:
    """Moved out of its area, over another one, too small, too large."""
    problems = problems_of(changed(ultimate, id, change))

    assert any(message in problem for problem in problems), problems


def test_a_notice_over_a_betting_area() -> None:
    """Letters on a curve are measured individually."""
    rules = house(JACKPOT)
    svg, _ = drawn(rules)
    assert [] == problems_of(svg, rules)
    wrong = changed(svg, "seat-3-play", moved(down=-300))

    assert any("crosses the border" in problem for problem in problems_of(wrong, rules))


def page(svg: str) -> bytes:
    """A drawing of Ultimate as a page."""
    size = felt(house(UTH))
    return drawing_page(
        svg, width=size.width, height=size.height, title="Felt", author="Test House", alt="A felt"
    )


def test_a_page_shows_its_drawing(ultimate: str) -> None:
    """All letters in place and no others; reproducible bytes."""
    made = page(ultimate)

    assert () == pdf_differences(ultimate, made)
    assert made == page(ultimate)


def flipped(element: ElementTree.Element) -> None:
    """Another text of the same length, so that each letter has its place on the curve."""
    element.text = (element.text or "").replace("pair", "flip")


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("odds-trips-4-pays", says("7 to 1")),
        ("odds-trips-4-pays", moved(right=-30)),
        ("notice-ante", flipped),
    ],
)
def test_a_page_of_another_drawing(ultimate: str, id: str, change: Change) -> None:
    """A payout altered or moved, or a notice altered."""
    assert pdf_differences(ultimate, page(changed(ultimate, id, change)))


@pytest.mark.parametrize("text", ["", "<svg", "<p/>", '<svg xmlns="http://www.w3.org/2000/svg"/>'])
def test_invalid_svg_is_refused(text: str) -> None:
    """BadInput instead of another exception."""
    with pytest.raises(BadInput):
        examine(house(UTH), text)


def test_invalid_pdf_is_refused(ultimate: str) -> None:
    """BadInput instead of another exception."""
    with pytest.raises(BadInput, match="not PDF"):
        pdf_differences(ultimate, b"not a page")


def test_an_unknown_font_is_refused(ultimate: str) -> None:
    """Text in an unknown font cannot be measured."""
    wrong = changed(ultimate, "game", lambda element: element.set("font-family", "Comic Neue"))

    with pytest.raises(BadInput, match="Comic Neue"):
        problems_of(wrong)
