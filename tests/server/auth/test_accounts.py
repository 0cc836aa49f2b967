"""Accounts: storage of passwords and tokens, sessions, lockout, roles, stored decks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.errors import BadInput
from croupier.server.auth import accounts as acc
from croupier.server.auth import guess_limit, sessions
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.guess_limit import Locked
from croupier.server.auth.session_policy import LIVE, PRACTICE
from croupier.server.auth.sessions import NotAdmitted
from tests.support.floor_server import PASSWORD, open_accounts
from tests.support.rounds import refuses

OTHER = "another horse battery"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """Accounts with Ann, a player everywhere and dealer at one table."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        accounts.add("  Ann ", PASSWORD, [("player", "*"), ("dealer", "T")])
        yield accounts


def clock(monkeypatch: pytest.MonkeyPatch, later: int) -> None:
    """Advance the clock by milliseconds."""
    moment = vars(sessions)["now_ms"]() + later
    for module in (acc, sessions, guess_limit):
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
    people.withdraw("ann", [("dealer", "T")])
    assert ("player",) == people.person("ann").roles_at("T")
    with pytest.raises(NotAdmitted):  # signed out
        people.authenticate(token)


def test_a_session_ends(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """By signing out, or by the idle timeout."""
    tokens = [people.sign_in("ann", PASSWORD)[1] for _ in range(2)]
    people.end(tokens[0])
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[0])
    used = people.authenticate(tokens[1])
    assert "ann" == used.id
    clock(monkeypatch, people.policy.idle_ms + 1)
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[1])


def test_a_session_in_use_ends_after_twelve_hours(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use extends the idle timeout, not the session."""
    _, token = people.sign_in("ann", PASSWORD)
    for _ in range(people.policy.ends_ms // (people.policy.idle_ms - 60_000)):
        clock(monkeypatch, people.policy.idle_ms - 60_000)
        assert "ann" == people.authenticate(token).id
    clock(monkeypatch, people.policy.idle_ms - 60_000)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)


def test_the_delay_doubles_with_each_failure(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One minute after the fifth failure, two after the sixth."""
    for _ in range(LIVE.wrong_passwords):
        with pytest.raises(NotAdmitted):
            people.sign_in("ann", "a wrong password")
    with pytest.raises(Locked):
        people.sign_in("ann", PASSWORD)
    clock(monkeypatch, LIVE.delay_ms + 1)
    with pytest.raises(NotAdmitted):
        people.sign_in("ann", "a wrong password")
    clock(monkeypatch, LIVE.delay_ms + 1)
    with pytest.raises(Locked):
        people.sign_in("ann", PASSWORD)
    assert people.listing()[0].delayed
    clock(monkeypatch, LIVE.delay_ms + 1)
    assert "ann" == people.sign_in("ann", PASSWORD)[0].id
    with pytest.raises(NotAdmitted) as first:  # the count begins again
        people.sign_in("ann", "a wrong password")
    assert not isinstance(first.value, Locked)


def test_guesses_lock_nobody_else_out(people: Accounts) -> None:
    """Neither the owner at another address nor another account at the same one."""
    people.add("bob", OTHER)
    for _ in range(2 * LIVE.wrong_passwords):
        with pytest.raises(NotAdmitted):
            people.identify("ann", "a wrong password", "10.0.0.66")
    with pytest.raises(Locked):
        people.identify("ann", PASSWORD, "10.0.0.66")
    assert "ann" == people.identify("ann", PASSWORD, "10.0.0.7").id
    assert "bob" == people.identify("bob", OTHER, "10.0.0.66").id


def test_the_delay_is_a_setting(people: Accounts) -> None:
    """How many wrong passwords, and how long to wait."""
    people.policy = replace(PRACTICE, wrong_passwords=2, delay_minutes=60.0)
    for _ in range(2):
        with pytest.raises(NotAdmitted):
            people.identify("ann", "a wrong password", "10.0.0.66")
    with pytest.raises(Locked):
        people.identify("ann", PASSWORD, "10.0.0.66")


def test_unknown_names_are_delayed_like_known_ones(people: Accounts, tmp_path: Path) -> None:
    """So that a delay does not tell who has an account; names are not stored."""
    errors = []
    for name in ("ann", "mistyped-password"):
        for _ in range(LIVE.wrong_passwords + 1):
            with pytest.raises(NotAdmitted) as error:
                people.identify(name, "a wrong password", "10.0.0.66")
        errors.append((type(error.value), str(error.value)))
    assert errors[0] == errors[1]
    assert Locked is errors[0][0]
    people.engine.dispose()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"mistyped-password" not in content


def test_invalid_accounts_are_refused(people: Accounts) -> None:
    """Bad passwords, bad names, roles that are not for people."""
    for name, password in (("bob", "short"), ("bob", "x" * 300), ("", PASSWORD), ("b\nb", "")):
        with pytest.raises(BadInput):
            people.add(name, password)
    for role in ("system", "king"):
        with refuses("COMAR 36.04.01.22B", "is not a role"):
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
