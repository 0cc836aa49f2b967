"""`croupier gaming`: disable and enable gaming by command line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from croupier.ledger import Ledger
from croupier.submission import example
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.cli import fail, invoke, succeed
from tests.support.floor_server import PASSWORD
from tests.support.founders import without_second_factor
from tests.support.rounds import refuses
from tests.support.server_fixtures import database as database

OTHER = "another horse battery"
ROBOT = Account("robot", "system")


def test_a_practice_ledger_needs_no_accounts(database: str) -> None:
    """Each table refuses until gaming is enabled; what is disabled is listed."""
    with Ledger(database) as ledger:
        ledger.open_table("T", example("top_five"), by=ROBOT)
    assert "gaming is enabled\n" == succeed("gaming")
    assert "disabled: Top Five Poker\n" == succeed(
        "gaming", "disable", "--game", "top", "--reason", "recount"
    )
    assert "Top Five Poker is disabled by system cli: recount\n" in succeed("gaming")
    orders = json.loads(succeed("gaming", "--json"))
    assert "recount" == orders["game top_five"]["reason"]
    with Ledger(database) as ledger, refuses("GLI-19 2.4.1"):
        ledger.open_table("T").do(cmd.PlaceWagers(1, {"ante": 500}), ROBOT)
    assert "already disabled [GLI-19 2.4.1]" in fail("gaming", "disable", "--game", "top_five")
    assert "all gaming is not disabled" in fail("gaming", "enable")
    assert "unknown game 'craps'" in fail("gaming", "disable", "--game", "craps")
    assert "no submission 'S' was sent" in fail("gaming", "disable", "--submission", "S")
    assert "enabled: Top Five Poker\n" == succeed("gaming", "enable", "--game", "top_five")
    with Ledger(database) as ledger:
        ledger.open_table("T").do(cmd.PlaceWagers(1, {"ante": 500}), ROBOT)


@pytest.fixture
def live(database: str) -> Iterator[str]:
    """A live ledger with two founders, whose passwords are enough here."""
    founders = ("--founder", "olga", "--founder", "otto")
    typed = "".join(f"{word}\n{word}\n" for word in (PASSWORD, OTHER))
    assert 0 == invoke(["found", "--live", *founders], input=typed).exit_code
    with without_second_factor():
        yield database


def test_two_people_enable_gaming_of_a_live_ledger(live: str) -> None:
    """Both enter their passwords; one disables it."""
    assert "needs --by NAME and --reason TEXT" in fail("gaming", "disable")
    words = ("--reason", "fire alarm", "--by", "olga")
    assert 0 == invoke(["gaming", "disable", *words]).exit_code
    alone = invoke(["gaming", "enable", *words])
    assert (2, True) == (alone.exit_code, "needs a second person" in alone.output)
    both = ["gaming", "enable", *words, "--second", "operator:otto"]
    done = invoke(both, input=f"{OTHER}\n")
    assert 0 == done.exit_code and done.output.endswith("enabled: all gaming\n"), done.output
    succeed("audit", "verify", live)
