"""Titles of commands, events and steps."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from croupier.table.core.titles import STEP_TITLES, TITLES, step_title, title_of
from croupier.table.event_text import does


def test_every_title_belongs_to_a_command() -> None:
    """A tag that no command has would never be shown."""
    tags = {
        str(kind.__struct_config__.tag)
        for kind in vars(cmd).values()
        if hasattr(kind, "__struct_config__")
    }
    assert set(TITLES) <= tags
    assert set(STEP_TITLES) <= tags


@pytest.mark.parametrize(
    ("command", "fixed", "title"),
    [
        (cmd.JamShoe(), {}, "Shoe jammed"),
        (
            cmd.PrepareDeck("red deck", "verify"),
            {"deck": "red deck", "step": "verify"},
            "Verify the red deck",
        ),
        (
            cmd.ReportFault("progressive"),
            {"device": "progressive"},
            "Progressive system out of order",
        ),
        (cmd.FindWrongNumber("seat 3"), {"where": "seat 3"}, "Wrong number of cards: seat 3"),
        (cmd.SettleSeat(2), {}, "Pay the seat"),
        (cmd.TurnHand("box"), {"place": "box"}, "Turn over the box"),
        (cmd.FindWrongCount(), {"misdealt": True}, "Stub count wrong: cards misdealt"),
        (cmd.SpreadIdle(True, "ann"), {"face_up": True}, "Spread the cards face up"),
    ],
)
def test_step_titles(command: cmd.Command, fixed: dict[str, object], title: str) -> None:
    """A title names the values that the step fixes, and none that it leaves open."""
    assert title == step_title(command, fixed)


def test_a_title_without_an_entry_is_the_class_name() -> None:
    """Two commands that people call what they are called here."""
    assert ("No more bets", "Decide") == (
        title_of(cmd.NoMoreBets).title,
        title_of(cmd.Decide).title,
    )


def test_verbs_of_sentences() -> None:
    """The titles are imperatives; with a person they become sentences."""
    verbs = ("verify", "pay", "wash", "witness", "match", "confirm")
    said = [does("Frank", verb) for verb in verbs]
    assert said == [
        f"Frank {verb}"
        for verb in ("verifies", "pays", "washes", "witnesses", "matches", "confirms")
    ]
