"""The felt: reproducible bytes, anchors for chips and cards, a safe SVG for web pages."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from math import fsum, hypot
from typing import Any
from xml.etree import ElementTree

import pytest

from croupier import submission
from croupier.documents.felt import felt, felt_checks, sign, text_fitting
from tests.support.rounds import EVERY_GAME, RUN, TOP, UTH, house

SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("game", EVERY_GAME)


@every_game
def test_the_same_house_gives_the_same_bytes(game: str) -> None:
    """Two loads of one submission draw the same felt."""
    path = submission.example_path(game)

    assert felt(submission.load(path)).svg() == felt(submission.load(path)).svg()


@every_game
def test_the_bytes_do_not_depend_on_the_python_version(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 3.12 `sum` of floats is compensated, which moves a coordinate now and then."""
    drawings = []
    for one in (naive_sum, exact_sum):
        text_fitting._relative_width.cache_clear()
        text_fitting.basis_lines.cache_clear()
        monkeypatch.setattr(builtins, "sum", one)
        drawn = felt(submission.example(game))
        drawings.append((drawn.svg(), sign(submission.example(game), drawn, everything=True)))
        monkeypatch.undo()

    assert drawings[0] == drawings[1]


def naive_sum(values: Iterable[Any], start: Any = 0) -> Any:
    """The sum as Python 3.11 computes it."""
    for value in values:
        start += value
    return start


def exact_sum(values: Iterable[Any], start: Any = 0) -> Any:
    """The sum of floats without the errors of intermediate results."""
    parts = list(values)
    if any(isinstance(part, float) for part in parts):
        return fsum([start, *parts])
    return naive_sum(parts, start)


@every_game
def test_every_offered_wager_has_a_place_at_every_seat(game: str) -> None:
    """Anchors for all wagers and cards are within the drawing."""
    example = submission.example(game)
    anchors = felt(example).anchors()
    _, _, width, height = anchors["view_box"]

    assert {"1", "2", "3", "4", "5", "6"} == set(anchors["seats"])
    for seat in anchors["seats"].values():
        assert example.offered == set(seat["wagers"])
        assert example.game.player_cards == len(seat["cards"])
        for place in (*seat["wagers"].values(), *seat["cards"]):
            assert 0 < place["x"] < width
            assert 0 < place["y"] < height
    assert example.game.dealer_cards == len(anchors["dealer"])
    assert example.game.community_cards == len(anchors["community"])


@every_game
def test_no_two_betting_areas_touch(game: str) -> None:
    """Chips on one area cannot be mistaken for chips on another."""
    anchors = felt(submission.example(game)).anchors()
    spots = [spot for seat in anchors["seats"].values() for spot in seat["wagers"].values()]
    for number, one in enumerate(spots):
        for other in spots[number + 1 :]:
            distance = hypot(one["x"] - other["x"], one["y"] - other["y"])
            assert distance > one["r"] + other["r"]


def test_seat_one_is_at_the_dealers_left() -> None:
    """The dealer faces down the drawing, so seat 1 is on its right side."""
    seats = felt(house(UTH)).anchors()["seats"]
    across = [seats[str(seat)]["cards"][0]["x"] for seat in range(1, 7)]

    assert sorted(across, reverse=True) == across
    assert seats["1"]["rotation"] < 0 < seats["6"]["rotation"]


def test_cross_layout_of_community_cards() -> None:
    """Left and right of the center, above and below it."""
    places = {at["place"]: (at["x"], at["y"]) for at in felt(house(RUN)).anchors()["community"]}
    x, y = places["center"]

    assert places["left"][0] < x < places["right"][0]
    assert places["top"][1] < y < places["bottom"][1]
    assert {y} == {places["left"][1], places["right"][1]}
    assert {x} == {places["top"][0], places["bottom"][0]}


def test_a_box_is_drawn_only_for_its_wager() -> None:
    """The box has four cards."""
    assert 4 == len(felt(house(UTH)).anchors()["box"])
    assert [] == felt(house(UTH, without=["six_card_bonus"])).anchors()["box"]


@every_game
def test_page_svg_is_safe_under_a_strict_content_policy(game: str) -> None:
    """No style, script or external reference; ids are unique."""
    text = felt(submission.example(game)).page_svg()
    root = ElementTree.fromstring(text)
    ids = [element.get("id") for element in root.iter() if element.get("id")]

    assert len(set(ids)) == len(ids)
    assert not [element for element in root.iter() if element.get("style") is not None]
    assert not [
        element for element in root.iter() if element.tag in (f"{SVG}style", f"{SVG}script")
    ]
    assert not re.findall(r"(?:href|src)=", text)


@pytest.mark.parametrize("game", ["texas_holdem_bonus", UTH, "jackpot_holdem"])
@pytest.mark.parametrize("positions", [1, 2, 3, 4, 5])
def test_a_table_with_fewer_positions(game: str, positions: int) -> None:
    """The felt, its anchors and its description have the positions of the submission."""
    rules = house(game, table={"positions": positions})
    drawing = felt(rules)
    seats = list(map(str, range(1, positions + 1)))
    assert seats == list(drawing.anchors()["seats"])
    assert drawing.description.startswith(f"{positions} position")
    needed = sign(rules, drawing)
    result = felt_checks.examine(rules, drawing.svg(), needed.svg() if needed else "")
    assert () == result.findings
    assert ("2.A",) == next(met.clauses for met in result.met if "betting position" in met.what)
    other = house(game, table={"positions": 6})
    problems = [finding.problem for finding in felt_checks.examine(other, drawing.svg()).findings]
    assert f"{positions} betting positions, expected 6" in problems


@pytest.mark.proves("run_em_twice", "2.B.2")
@pytest.mark.parametrize("sides", [True, False])
def test_a_blank_sixth_area(sides: bool) -> None:
    """Every seat has another area without a wager, if the submission says so (A139)."""
    without = () if sides else ("five_card_bonus", "ultimate_pairs_bonus", "progressive")
    for place, expected in (("blank", {1, 2, 3, 4, 5, 6}), ("none", set())):
        rules = house("run_em_twice", without=without, sixth_area=place)
        drawing = felt(rules)
        blank = [area for area in drawing.areas if area.kind == "spot" and not area.wager]
        assert expected == {area.seat for area in blank}
        result = felt_checks.examine(rules, drawing.svg())
        assert () == result.findings
        met = [item for item in result.met if item.what.startswith("a blank betting area")]
        assert [("2.B.2",)] * bool(expected) == [item.clauses for item in met]


def test_many_cards_overlap() -> None:
    """Seven cards of Top Five fit in front of a player."""
    cards = felt(house(TOP)).anchors()["seats"]["3"]["cards"]
    width = hypot(cards[-1]["x"] - cards[0]["x"], cards[-1]["y"] - cards[0]["y"])

    assert 7 == len(cards)
    assert width < 200
