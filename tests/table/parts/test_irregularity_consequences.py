"""Consequences of irregularities: what a person reads before confirming one."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from croupier.table.core.steps import Step
from tests.support.attended_table import ANN, DEE, Floor
from tests.support.rounds import UTH, house, opening_wagers


def consequence_of(floor: Floor, kind: str) -> str:
    """The consequence of a step of the dealer."""
    steps: list[Step] = [
        s for s in floor.table.next_steps(floor.at) if s.kind == kind and s.is_for(DEE)
    ]
    return steps[0].consequence


@pytest.fixture
def floor() -> Floor:
    """Ann has bet, and the first cards are due."""
    ready = Floor(house(UTH)).ready()
    ready.do(cmd.PlaceWagers(1, opening_wagers(ready.house)), ANN)
    ready.do(cmd.NoMoreBets(), DEE)
    return ready


def test_a_void_says_what_it_returns(floor: Floor) -> None:
    """The refund that is announced is the one that is made."""
    stakes = sum(floor.table.in_progress().boxes[1].stakes.values())
    said = consequence_of(floor, "jam_shoe")
    assert said == f"Void the round: returns ${stakes // 100} to 1 player"
    before = floor.rack("ann")
    floor.do(cmd.JamShoe(), DEE)
    floor.do(cmd.Settle(), DEE)
    assert floor.rack("ann") - before == stakes


def test_a_tolerated_card_is_set_aside(floor: Floor) -> None:
    """Chapter 13 tolerates one card face up."""
    assert (
        consequence_of(floor, "find_card_face_up") == "The card is set aside; the round continues"
    )
    assert consequence_of(floor, "draw_in_error").endswith("the round continues")


def test_other_steps_have_none(floor: Floor) -> None:
    """A deal is no irregularity."""
    assert consequence_of(floor, "deal_cards") == ""
