"""The commands of the mathematics: what they print, and what they refuse."""

from __future__ import annotations

import json

import pytest

from croupier import submission
from tests.support.cli import invoke

# One worker solves each game once.


def run(*words: str, status: int = 0) -> str:
    """What a command prints, errors included."""
    result = invoke(words)
    assert status == result.exit_code, result.output
    return result.output


def test_analyze_at_an_ante() -> None:
    """The value as offered, and how it changes with the ante."""
    file = str(submission.example_path("top_five"))
    found = json.loads(run("analyze", "--submission", file, "--ante", "25", "--json"))

    assert 25_00 == found["ante"]
    assert {"ante", "ev", "house_edge"} == set(found["by_ante"][0])
    assert "as offered, by ante" in run("analyze", "--submission", file, "--ante", "$25")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("top_five", "--ante", "25"), "--submission"),
        (("--ante", "lots"), "not a dollar amount"),
        (("--ante", "1"), "is not taken"),
    ],
)
def test_analyze_refuses(words: tuple[str, ...], told: str) -> None:
    """An ante without a submission, one that is none, one that nobody may bet."""
    file = str(submission.example_path("top_five"))
    source = () if words[0] == "top_five" else ("--submission", file)

    assert told in run("analyze", *source, *words, status=2)


def test_advise_is_told_earlier_bets() -> None:
    """In Texas the bet on the flop doubles what the river is about; ties are explained."""
    question = ("advise", "texas_holdem_bonus", "--hand", "A♥A♦", "--board", "As7d2c9d")
    without, told = (
        json.loads(run(*question, *bets, "--json")) for bets in ((), ("--bet", "turn=1"))
    )

    assert without["options"]["1x"] == told["options"]["check"]
    assert "risks less" in told["ties"]
    assert "no such bet" in run(*question, "--bet", "turn=3", status=2)
    assert "is not WAGER=MULTIPLE" in run(*question, "--bet", "turn", status=2)
