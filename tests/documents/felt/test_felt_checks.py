"""The check of a finished drawing finds whatever somebody does to it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from croupier.documents.felt import examine, felt
from croupier.documents.felt.pdf_reader import differences
from croupier.documents.pdf import drawing_page
from croupier.errors import BadInput
from croupier.games import House
from tests.clauses.layout.drawings import Change, changed, drawn, moved, says, sized, without
from tests.support.rounds import JACKPOT, UTH, house

pytestmark = pytest.mark.xdist_group("drawings")  # one worker draws each felt once


def found(svg: str, rules: House | None = None) -> list[str]:
    """What the check finds on a felt of Ultimate."""
    return [str(finding) for finding in examine(rules or house(UTH), svg).findings]


@pytest.fixture(scope="module")
def ultimate() -> str:
    """A felt on which nothing is wrong."""
    svg, _ = drawn(house(UTH))
    assert [] == found(svg)
    return svg


def test_odds_that_were_altered(ultimate: str) -> None:
    """Every single payout is held against the paytable."""
    wrong = changed(ultimate, "odds-trips-4-pays", says("7 to 1"))

    assert ["felt: Trips: Flush 6 to 1 is inscribed as '7 to 1' [2.B.7]"] == found(wrong)


@pytest.mark.parametrize(
    ("id", "said", "altered"),
    [
        ("odds-progressive-3-pays", "50 for 1", "50 to 1"),
        ("odds-trips-0-pays", "50 to 1", "50 for 1"),
    ],
)
def test_to_is_not_for(ultimate: str, id: str, said: str, altered: str) -> None:
    """The two words differ by the stake, so one is never taken for the other."""
    (problem,) = found(changed(ultimate, id, says(altered)))

    assert f"{said} is inscribed as {altered!r} [2.B.7]" in problem


@pytest.mark.parametrize(
    "id", ["odds-trips-0-hand", "odds-trips-0-pays", "odds-trips-heading", "odds-ante-0-pays"]
)
def test_an_inscription_that_was_removed(ultimate: str, id: str) -> None:
    """A line, half a line or a heading."""
    assert any("2.B.7" in problem for problem in found(without(ultimate, id)))


def test_a_line_that_no_paytable_has(ultimate: str) -> None:
    """Odds of a smaller paytable are no excuse for a line too many."""
    rules = house(UTH, letters={"blind": "B"})
    before, _ = drawn(house(UTH, letters={"blind": "A"}))
    problems = found(before, rules)

    assert "felt: Blind: Straight 1 to 1 is not on the paytable [2.B.7]" in problems


CLUMSY: list[tuple[str, Change, str]] = [
    ("seat-3-ante-label", moved(down=30), "'Ante' lies across the border of"),
    ("seat-3-ante", moved(right=45), "the area spot ante of position 3 and the area spot blind"),
    ("odds-trips-2-pays", moved(down=-9), "overlap"),
    ("odds-trips-2-hand", moved(right=40), "'Four of a kind'"),
    ("odds-trips-2-hand", sized(6.5), "has capitals of 4.3 mm, expected 4.5 mm or more"),
    ("operator-0", moved(down=2000), "'Test House' leaves the drawing"),
    ("operator-0", moved(right=-860), "'Test House' leaves the cloth"),
    ("odds-play_the_board-heading", sized(40.0), "'Play the Board' lies across the border of"),
]


@pytest.mark.parametrize(("id", "change", "told"), CLUMSY)
def test_what_cannot_be_read(ultimate: str, id: str, change: Change, told: str) -> None:
    """Moved out of its area, over another one, too small, too large."""
    problems = found(changed(ultimate, id, change))

    assert any(told in problem for problem in problems), problems


def test_a_notice_over_a_betting_area() -> None:
    """Letters on a curve are measured one by one."""
    rules = house(JACKPOT)
    svg, _ = drawn(rules)
    assert [] == found(svg, rules)
    wrong = changed(svg, "seat-3-play", moved(down=-300))

    assert any("lies across the border" in problem for problem in found(wrong, rules))


def page(svg: str) -> bytes:
    """A drawing of Ultimate as a page."""
    size = felt(house(UTH))
    return drawing_page(
        svg, width=size.width, height=size.height, title="Felt", author="Test House", alt="A felt"
    )


def test_a_page_shows_its_drawing(ultimate: str) -> None:
    """Letter by letter, in place, and nothing else; the same bytes each time."""
    made = page(ultimate)

    assert () == differences(ultimate, made)
    assert made == page(ultimate)


def flipped(element: ElementTree.Element) -> None:
    """Other words of as many letters, so that each has its place on the curve."""
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
    """One payout altered or moved, one notice altered."""
    assert differences(ultimate, page(changed(ultimate, id, change)))


@pytest.mark.parametrize("text", ["", "<svg", "<p/>", '<svg xmlns="http://www.w3.org/2000/svg"/>'])
def test_what_is_no_drawing(text: str) -> None:
    """It says so instead of failing."""
    with pytest.raises(BadInput):
        examine(house(UTH), text)


def test_what_is_no_page(ultimate: str) -> None:
    """It says so instead of failing."""
    with pytest.raises(BadInput, match="not PDF"):
        differences(ultimate, b"not a page")


def test_an_unknown_face_cannot_be_measured(ultimate: str) -> None:
    """A drawing in other letters proves nothing."""
    wrong = changed(ultimate, "game", lambda element: element.set("font-family", "Comic Neue"))

    with pytest.raises(BadInput, match="Comic Neue"):
        found(wrong)
