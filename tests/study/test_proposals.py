"""Proposals: own pays and bets are analyzed, drawn and marked, and no table opens under them."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier import study, submission
from croupier.cli import app
from croupier.errors import BadInput
from croupier.games import Proposal, canonical_text, house_from_text, with_digest
from croupier.ledger import Ledger
from croupier.papers.felt import words
from croupier.study import kept
from croupier.table import Table
from tests.ledger.record import SYSTEM

TRIPS = {
    "royal_flush": "60 to 1",
    "straight_flush": "40 to 1",
    "four_of_a_kind": "30 to 1",
    "full_house": "8 to 1",
    "flush": "6 to 1",
    "straight": "5 to 1",
    "three_of_a_kind": "3 to 1",
}


def written(game: str, **proposal: Any) -> dict[str, Any]:
    """The example of a game with a proposal."""
    data = tomllib.loads(submission.example_path(game).read_text("utf-8"))
    return {**data, "proposal": proposal}


def test_pays_are_proposed() -> None:
    """The edge follows the proposed lines, the felt has them, and everything says what it is."""
    printed = submission.example("ultimate_texas_holdem")
    house = submission.build(written("ultimate_texas_holdem", pays={"trips": TRIPS}))
    odds = next(block for block in words.odds(house) if "trips" in block.wagers)

    assert "60 to 1" == dict(odds.lines)["Royal flush"]
    assert "Harbor Casino (proposal)" == house.operator
    assert "proposal" in house.outstanding and not printed.outstanding
    royal = Fraction(4324, 133_784_560)
    gained = study.returns(house)["trips"] - study.returns(printed)["trips"]
    assert 10 * royal == gained
    assert house.digest != printed.digest
    assert house == house_from_text(house.digest, canonical_text(house))
    assert "proposal" not in canonical_text(printed)


def test_bets_are_proposed() -> None:
    """A first bet of five antes is offered, and the game is worth more to a player."""
    printed = submission.example("ultimate_texas_holdem")
    house = submission.build(
        {**written("ultimate_texas_holdem", raises={"preflop": [3, 5]}),
         "choices": {**written("ultimate_texas_holdem")["choices"], "accept_player_edge": True}}
    )  # fmt: skip

    assert ["check", "3x", "5x"] == [option.word for option in house.game.streets[0].options]
    assert study.returns(house)["main"] > study.returns(printed)["main"]
    assert house == house_from_text(house.digest, canonical_text(house))
    assert kept.file_name(house, None) != kept.file_name(printed, None)


@pytest.mark.parametrize(
    ("proposal", "told"),
    [
        ({"pay": {}}, "unknown key"),
        ({"pays": 3}, "is not a table"),
        ({"pays": {"tripe": TRIPS}}, "no paytable of this submission"),
        ({"pays": {"trips": {}}}, "are no lines"),
        ({"pays": {"trips": {"flash": "3 to 1"}}}, "unknown key"),
        ({"pays": {"trips": {"flush": "three"}}}, "is no payout"),
        ({"pays": {"trips": {"flush": "100% of giga"}}}, "is no meter here"),
        ({"raises": {"turn": [1]}}, "no street"),
        ({"raises": {"preflop": [3]}}, "expected 2 different sizes"),
        ({"raises": {"preflop": [3, 0]}}, "expected 2 different sizes"),
    ],
)
def test_what_cannot_be_proposed(proposal: dict[str, Any], told: str) -> None:
    """What is wrong is an error at its place."""
    errors = submission.draft(written("ultimate_texas_holdem", **proposal)).of("error")

    assert any(told in str(issue) for issue in errors), errors


def test_no_table_is_recorded_under_a_proposal(tmp_path: Path) -> None:
    """A ledger refuses it; whoever plays for nothing may try it."""
    house = submission.build(written("top_five", pays={"poker_bonus": {"royal_flush": "99 to 1"}}))
    refused = pytest.raises(BadInput, match="this is a proposal")
    with Ledger(tmp_path / "ledger.db") as ledger, refused:
        ledger.open_table("A", house, by=SYSTEM)
    assert Table(house, service="practice").house is house


def test_designs() -> None:
    """Pays near a wanted edge and hit frequency; valued exactly, better hands paid no less."""
    house = submission.example("ultimate_texas_holdem")
    found = study.design(house, "trips", Fraction(35, 1000))

    assert all(abs(one.house_edge - Fraction(35, 1000)) < Fraction(1, 1000) for one in found)
    for one in found:
        proposed = Proposal(pays={"trips": one.lines})
        offered = with_digest(replace(house, proposal=proposed))
        assert 1 - one.house_edge == study.returns(offered)["trips"]
        pays = [int(pays.split()[0]) for _, pays in one.lines]
        assert sorted(pays, reverse=True) == pays
    rare = study.design(house, "trips", Fraction(35, 1000), hit=Fraction(12, 100))
    assert "straight" == rare[0].lines[-1][0]
    wild, tame = (
        study.design(house, "trips", Fraction(35, 1000), deviation=spread, shown=1)[0]
        for spread in (4.0, 2.0)
    )
    assert wild.result.variance > tame.result.variance
    with pytest.raises(BadInput, match="no side wager"):
        study.design(house, "ante", Fraction(1, 100))
    with pytest.raises(BadInput, match="an edge of"):
        study.design(house, "trips", Fraction(3))


def test_commands(tmp_path: Path) -> None:
    """A proposal is analyzed and designed from; check says that no table opens under it."""
    file = tmp_path / "mine.toml"
    text = submission.example_path("top_five").read_text("utf-8")
    file.write_text(text + '\n[proposal.pays.poker_bonus]\nroyal_flush = "900 to 1"\n')
    run = CliRunner().invoke

    assert "no table opens under it" in run(app, ["check", str(file)]).output
    asked = ["design", str(file), "--wager", "poker_bonus", "--edge", "4"]
    told = run(app, [*asked, "--json"])
    assert 0 == told.exit_code, told.output
    assert 5 == len(json.loads(told.output)["candidates"])
    assert "[proposal.pays.poker_bonus]" in run(app, asked).output
    analysis = run(app, ["analyze", "--submission", str(file), "--json"])
    assert "proposal" in json.loads(analysis.output)["wagers"]["poker_bonus"]
