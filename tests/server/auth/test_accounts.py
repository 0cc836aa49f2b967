"""Accounts: storage of passwords and tokens, sessions, lockout, roles, stored decks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.errors import BadInput
from croupier.server.auth import accounts as acc
from croupier.server.auth import sessions
from croupier.server.auth.accounts import Accounts, Locked
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.auth.sessions import NotAdmitted
from tests.support.floor_server import PASSWORD, WEAK_HASHER


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """Accounts with Ann, a player everywhere and dealer at one table."""
    accounts = Accounts(accounts_url(tmp_path / "floor.db"), hasher=WEAK_HASHER)
    accounts.add("  Ann ", PASSWORD, [("player", "*"), ("dealer", "T")])
    yield accounts
    accounts.close()


def clock(monkeypatch: pytest.MonkeyPatch, later: int) -> None:
    """Advance the clock by milliseconds."""
    moment = vars(acc)["now_ms"]() + later
    for module in (acc, sessions):
        monkeypatch.setattr(module, "now_ms", lambda: moment)


def test_neither_passwords_nor_tokens_are_stored(people: Accounts, tmp_path: Path) -> None:
    """The file contains their hashes only."""
    _, token = people.sign_in("ann", PASSWORD)
    people.engine.dispose()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert b"ann" in content
    assert PASSWORD.encode() not in content
    assert token.encode() not in content
    assert sessions.token_digest(token).encode() in content


def test_names_are_normalized(people: Accounts) -> None:
    """Case and surrounding spaces do not matter; roles are by table."""
    person, token = people.sign_in(" ANN", PASSWORD)

    assert "ann" == person.id == people.authenticate(token).id
    assert ("player",) == person.roles_at("another")
    assert ("dealer", "player") == person.roles_at("T")
    people.revoke("ann", "dealer", "T")
    assert ("player",) == people.authenticate(token).roles_at("T")


def test_a_session_ends(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """By signing out, or by the idle timeout."""
    tokens = [people.sign_in("ann", PASSWORD)[1] for _ in range(2)]
    people.end(tokens[0])
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[0])
    used = people.authenticate(tokens[1])
    assert "ann" == used.id
    clock(monkeypatch, sessions.IDLE_MS + 1)
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[1])


def test_a_session_in_use_ends_after_twelve_hours(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use extends the idle timeout, not the session."""
    _, token = people.sign_in("ann", PASSWORD)
    for _ in range(sessions.SESSION_MS // (sessions.IDLE_MS - 60_000)):
        clock(monkeypatch, sessions.IDLE_MS - 60_000)
        assert "ann" == people.authenticate(token).id
    clock(monkeypatch, sessions.IDLE_MS - 60_000)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)


def test_lockout_doubles_with_each_failure(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One minute after the fifth failure, two after the sixth."""
    for _ in range(acc.FAILURES_MAX):
        with pytest.raises(NotAdmitted):
            people.sign_in("ann", "a wrong password")
    with pytest.raises(Locked):
        people.sign_in("ann", PASSWORD)
    clock(monkeypatch, acc.LOCKED_MS + 1)
    with pytest.raises(NotAdmitted):
        people.sign_in("ann", "a wrong password")
    clock(monkeypatch, acc.LOCKED_MS + 1)
    with pytest.raises(Locked):
        people.sign_in("ann", PASSWORD)
    clock(monkeypatch, acc.LOCKED_MS + 1)
    assert "ann" == people.sign_in("ann", PASSWORD)[0].id


def test_invalid_accounts_are_refused(people: Accounts) -> None:
    """Bad passwords, bad names, roles that are not for people."""
    for name, password in (("bob", "short"), ("bob", "x" * 300), ("", PASSWORD), ("b\nb", "")):
        with pytest.raises(BadInput):
            people.add(name, password)
    for role in ("system", "king"):
        with pytest.raises(BadInput):
            people.grant("ann", role)  # type: ignore[arg-type]


def test_a_deck_is_stored_until_it_was_played(people: Accounts) -> None:
    """By commitment; decks of other servers stay."""
    assert people.saved_deck("T", "commitment of the first") is None
    for text in ("first", "second"):
        people.save_decks("T", {f"commitment of the {text}": text})
    people.save_decks("T", {"commitment of the third": "third"}, ["commitment of the first"])
    assert people.saved_deck("T", "commitment of the first") is None
    assert "second" == people.saved_deck("T", "commitment of the second")
    assert "third" == people.saved_deck("T", "commitment of the third")
