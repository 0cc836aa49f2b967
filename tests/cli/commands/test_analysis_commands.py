"""The analyze and advise commands: output and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier import submission
from tests.support.cli import invoke


def run(*words: str, status: int = 0) -> str:
    """The output of a command, including errors."""
    result = invoke(words)
    assert status == result.exit_code, result.output
    return result.output


def test_analyze_at_an_ante() -> None:
    """The value as offered at an ante, and by ante."""
    file = str(submission.example_path("top_five"))
    result = json.loads(run("analyze", "--submission", file, "--ante", "25", "--json"))

    assert 25_00 == result["ante"]
    assert {"ante", "ev", "house_edge"} == set(result["by_ante"][0])
    assert "as offered, by ante" in run("analyze", "--submission", file, "--ante", "$25")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("top_five", "--ante", "25"), "requires a Rules Submission"),
        (("--ante", "lots"), "not a dollar amount"),
        (("--ante", "1"), "is outside the limits"),
    ],
)
def test_analyze_refuses(words: tuple[str, ...], message: str) -> None:
    """An ante without a submission, an invalid one, one below the minimum."""
    file = str(submission.example_path("top_five"))
    source = () if words[0] == "top_five" else ("--submission", file)

    assert message in run("analyze", *source, *words, status=2)


def test_advise_with_earlier_bets() -> None:
    """In Texas Hold 'Em Bonus an earlier bet changes the value of the river; ties are explained."""
    question = ("advise", "texas_holdem_bonus", "--hand", "A♥A♦", "--board", "As7d2c9d")
    without, with_bet = (
        json.loads(run(*question, *bets, "--json")) for bets in ((), ("--bet", "turn=1"))
    )

    assert without["options"]["1x"] == with_bet["options"]["check"]
    assert "risks less" in with_bet["ties"]
    assert "cannot precede the turn" in run(*question, "--bet", "turn=3", status=2)
    assert "is not WAGER=MULTIPLE" in run(*question, "--bet", "turn", status=2)


GENEROUS = """
[proposal.pays.trips]
royal_flush = "50 to 1"
straight_flush = "40 to 1"
four_of_a_kind = "50 to 1"
full_house = "9 to 1"
flush = "7 to 1"
straight = "5 to 1"
three_of_a_kind = "4 to 1"
"""


def test_a_bad_idea_is_analyzed(tmp_path: Path) -> None:
    """A proposal that favors the player is a question: answered, but refused as a submission."""
    file = tmp_path / "mine.toml"
    example = submission.example_path("ultimate_texas_holdem").read_text("utf-8")
    file.write_text(example + GENEROUS, "utf-8")
    edge = "The player has the edge: trips +11.9088%"

    assert edge in run("analyze", str(file))
    assert edge in run("meter", str(file))
    assert edge in run("simulate", str(file), "--rounds", "1000", "--seats", "1")
    assert "accept_player_edge" in run("check", str(file), status=2)
    assert "accept_player_edge" in run("felt", str(file), "-o", str(tmp_path / "f.svg"), status=2)
    assert "The player has" not in run("meter", "ultimate")
