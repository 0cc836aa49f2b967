"""Accounts: what is kept of passwords and tokens, when sessions end, who has which role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.errors import BadInput
from croupier.server.auth import accounts as acc
from croupier.server.auth.accounts import Accounts, Locked, NotAdmitted
from croupier.server.auth.accounts_database import accounts_url
from tests.support.floor_server import PASSWORD, WEAK


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """Ann, who plays everywhere and deals at one table."""
    found = Accounts(accounts_url(tmp_path / "floor.db"), hasher=WEAK)
    found.add("  Ann ", PASSWORD, [("player", "*"), ("dealer", "T")])
    yield found
    found.close()


def clock(monkeypatch: pytest.MonkeyPatch, later: int) -> None:
    """It is so many milliseconds later."""
    moment = vars(acc)["now_ms"]() + later
    monkeypatch.setattr(acc, "now_ms", lambda: moment)


def test_neither_passwords_nor_tokens_are_kept(people: Accounts, tmp_path: Path) -> None:
    """Whoever reads the file can sign in as nobody."""
    _, token = people.sign_in("ann", PASSWORD)
    people.engine.dispose()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert b"ann" in kept
    assert PASSWORD.encode() not in kept
    assert token.encode() not in kept
    assert acc.token_digest(token).encode() in kept


def test_a_name_is_one_person_however_it_is_typed(people: Accounts) -> None:
    """Small letters, no blanks around it; roles by table."""
    person, token = people.sign_in(" ANN", PASSWORD)

    assert "ann" == person.id == people.authenticate(token).id
    assert ("player",) == person.roles_at("another")
    assert ("dealer", "player") == person.roles_at("T")
    people.revoke("ann", "dealer", "T")
    assert ("player",) == people.authenticate(token).roles_at("T")


def test_a_session_ends(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """When its person signs out, when nobody uses it, and after half a day in any case."""
    tokens = [people.sign_in("ann", PASSWORD)[1] for _ in range(2)]
    people.end(tokens[0])
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[0])
    used = people.authenticate(tokens[1])
    assert "ann" == used.id
    clock(monkeypatch, acc.IDLE_MS + 1)
    with pytest.raises(NotAdmitted):
        people.authenticate(tokens[1])


def test_a_session_that_is_used_goes_on_and_ends_all_the_same(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use keeps it alive, up to twelve hours."""
    _, token = people.sign_in("ann", PASSWORD)
    for _ in range(acc.SESSION_MS // (acc.IDLE_MS - 60_000)):
        clock(monkeypatch, acc.IDLE_MS - 60_000)
        assert "ann" == people.authenticate(token).id
    clock(monkeypatch, acc.IDLE_MS - 60_000)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)


def test_a_lock_opens_after_a_while_and_lasts_longer_each_time(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute after the fifth failure, two after the sixth."""
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


def test_what_is_no_account(people: Accounts) -> None:
    """Short passwords, names that act on a screen, roles that only machines have."""
    for name, password in (("bob", "short"), ("bob", "x" * 300), ("", PASSWORD), ("b\nb", "")):
        with pytest.raises(BadInput):
            people.add(name, password)
    for role in ("system", "king"):
        with pytest.raises(BadInput):
            people.grant("ann", role)  # type: ignore[arg-type]


def test_a_deck_is_kept_for_the_next_server(people: Accounts) -> None:
    """By its commitment, until the round is over; those of other servers stay."""
    assert people.saved_deck("T", "commitment of the first") is None
    for text in ("first", "second"):
        people.save_decks("T", {f"commitment of the {text}": text})
    people.save_decks("T", {"commitment of the third": "third"}, ["commitment of the first"])
    assert people.saved_deck("T", "commitment of the first") is None
    assert "second" == people.saved_deck("T", "commitment of the second")
    assert "third" == people.saved_deck("T", "commitment of the third")
