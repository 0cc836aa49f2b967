"""Felts of Houses with unusual operator names, tip box places and devices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.documents.felt import examine, felt, sign
from croupier.games import House
from tests.support.rounds import METHODS, RUN, UTH, build_house, house, submission_data

NAMES = [
    "A",
    "X" * 60,
    "Résidence Łódź & Söhne <b>",
    "Baltimore Inner Harbor Grand Hotel & Casino Resort at Chesapeake Bay",
    "The " + "Very " * 30 + "Long Casino",
]
MOVED = {"tip_box_obstruction": "shuffler", "tip_box_approval": "T 1 of 2026-01-01"}
FAR_AWAY = (
    "on the far side of the shuffler, behind the light bar and below the camera arm, beside the "
    "rail of the table and sixteen inches from its corner, as shown in the second of its drawings"
)


def named(game: str, name: str) -> House[Any]:
    """A House of an operator."""
    return build_house(json.dumps(submission_data(game) | {"operator": {"name": name}}))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [UTH, RUN])
def test_any_name_fits(game: str, name: str) -> None:
    """Names of any length fit on the felt and the sign."""
    rules = named(game, name)
    table = felt(rules)
    posted = sign(rules, table, everything=True)
    assert posted is not None

    assert () == examine(rules, table.svg(), posted.svg()).findings


def test_characters_missing_from_the_font_are_reported() -> None:
    """A name printed as boxes is a finding."""
    rules = named(UTH, "海港")
    (finding,) = examine(rules, felt(rules).svg()).findings

    assert "felt: '海港' has 海, 港, not in the font Source Serif Pro" == str(finding)


@pytest.mark.parametrize("method", METHODS)
def test_every_dealing_method_has_its_device(method: str) -> None:
    """A dealing shoe, an automated shoe or a shuffler; none for a manual shuffle."""
    devices = {"manual_shoe": "Dealing", "hand": "Card", "automated_shoe": "Automated"}
    table = felt(house(UTH, method, table={"shuffle_method": "shuffler"}))
    label = [text.text for text in table.texts if text.id.startswith("shuffler-label")]

    assert devices[method] in " ".join(label)


def test_the_boxes_are_where_the_submission_puts_them() -> None:
    """On both sides of the table inventory, or both on one side."""
    usual = felt(house(UTH)).anchors()
    same = felt(house(UTH, drop_tip_box_position="same_side_as_dealer", **MOVED)).anchors()

    assert usual["drop_box"]["x"] < usual["tray"]["x"] < usual["tip_box"]["x"]
    assert same["tip_box"]["x"] < same["drop_box"]["x"] < same["tray"]["x"]


@pytest.mark.parametrize("place", ["below the rail", FAR_AWAY])
def test_another_place_of_the_tip_box_is_labeled(place: str) -> None:
    """The place is named if it fits; the drawing stays legible."""
    rules = house(UTH, tip_box_alternative=place, **MOVED)
    table = felt(rules)
    label = " ".join(text.text for text in table.texts if text.id.startswith("tip-box-label"))

    assert () == examine(rules, table.svg()).findings
    assert label == (f"Tip box: {place}" if place != FAR_AWAY else "Tip box")
