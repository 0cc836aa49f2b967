"""`croupier found`, `admit`, `people` and `dismiss`: a ledger and its accounts by command line."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from croupier.errors import BadInput
from croupier.server import Accounts
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.auth.sessions import NotAdmitted
from tests.support.cli import fail, invoke, succeed
from tests.support.floor_server import PASSWORD
from tests.support.server_fixtures import database as database


def test_ledger_is_created_once(database: str) -> None:
    """Its purpose and its gaming day cannot be changed."""
    assert "'Mars' is not a time zone" in fail("found", "--live", "--timezone", "Mars")
    summary = f"{database}: a live ledger; gaming days start at 05:00, America/Chicago"
    arguments = ("found", "--live", "--timezone", "America/Chicago", "--day-starts", "05:00")
    assert f"{summary}\n" == succeed(*arguments)
    problem = f"error: {summary}: it already exists and cannot be changed\n"
    assert problem == fail("found", "--practice")
    assert "the demonstration needs a practice ledger" in fail("serve", "--demo", "--port", "0")


def test_accounts_are_admitted_listed_and_dismissed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accounts have roles at tables and offices; a dismissal also ends their sessions."""
    assert "has no accounts yet" in fail("people")
    assert [] == [*Path(database).parent.iterdir()]  # listing creates no files
    assert "cannot be reached" in fail("people", "--database", "postgresql://x@127.0.0.1:1/x")
    nowhere = f"{database}/floor.db"
    assert "No such file" in fail("admit", "eve", "--role", "player", "--database", nowhere)
    assert "olga: operator\n" == succeed("admit", "Olga", "--role", "operator")
    nowhere = "trainee is an office of the whole property and has no table; got 'T'"
    assert nowhere in fail("admit", "olga", "--role", "trainee", "--table", "T")
    assert "expected one of dealer" in fail("admit", "dana", "--role", "king")
    roles = ("--role", "dealer", "--role", "floorperson")
    succeed("admit", "dana", *roles, "--table", "T1", "--table", "T2")
    monkeypatch.delenv("CROUPIER_PASSWORD")
    # An existing account keeps its password.
    assert "dana: player at *\n" == succeed("admit", "dana", "--role", "player")
    with closing(Accounts(accounts_url(database))) as accounts:
        _, token = accounts.sign_in("dana", PASSWORD)
        listed = (
            "dana: player at *, dealer at T1, floorperson at T1, dealer at T2, floorperson at T2"
        )
        assert f"{listed}, 1 signed in\nolga: operator\n" == succeed("people")
        left = succeed("dismiss", "dana", *roles, "--table", "T1")
        assert "dana: player at *, dealer at T2, floorperson at T2\n" == left
        with pytest.raises(NotAdmitted):  # losing a role ends the session
            accounts.authenticate(token)
        person, token = accounts.sign_in("dana", PASSWORD)
        assert ("player",) == person.roles_at("T1")
        assert "requires --role" in fail("dismiss", "dana", "--table", "T2")
        assert "dana: no roles\n" == succeed("dismiss", "dana")
        with pytest.raises(NotAdmitted):
            accounts.authenticate(token)
        with pytest.raises(NotAdmitted):
            accounts.sign_in("dana", PASSWORD)
        with pytest.raises(BadInput, match="there is no account 'eve'"):
            accounts.dismiss("eve")
        again = invoke(["admit", "dana", "--role", "dealer"])  # asks for a new password
        assert "Password" in again.output and again.exit_code
        assert [] == accounts.person("dana").granted
    people = json.loads(succeed("people", "--json"))
    assert [("dana", {}, 0), ("olga", {}, 0)] == [
        (each["person"]["id"], each["person"]["roles"], each["sessions"]) for each in people
    ]
    assert ["operator"] == people[1]["person"]["offices"]
    assert "there is no account 'eve'" in fail("dismiss", "eve", "--role", "player")
