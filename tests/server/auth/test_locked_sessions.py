"""Idle sessions lock and are unlocked; PIN relief, device keys, own passwords, weak passwords."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.clock import DAY, HOUR, MINUTE, now_ms
from croupier.errors import BadInput
from croupier.ledger.aggregates.account_messages import SetPassword
from croupier.server.auth import sessions
from croupier.server.auth.accounts import BY_PROGRAM, Accounts
from croupier.server.auth.guess_limit import Locked
from croupier.server.auth.passwords import check_password, check_pin
from croupier.server.auth.session_policy import LIVE, PRACTICE
from croupier.server.auth.sessions import NotAdmitted, SessionLocked
from tests.support.floor_server import PASSWORD, open_accounts

HERE = "10.0.0.7"
PIN, OTHER_PIN = "271828", "314159"
NEW = "another horse battery"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """Two dealers, a player and a card reader, with the limits of a live ledger."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        accounts.policy = LIVE
        for name, role in {
            "dana": "dealer",
            "dave": "dealer",
            "ann": "player",
            "shoe": "reader",
        }.items():
            accounts.add(name, PASSWORD, [(role, "*")])  # type: ignore[list-item]
        yield accounts


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The clock of the sessions: a list with the time that it shows."""
    now = [now_ms()]
    monkeypatch.setattr(sessions, "now_ms", lambda: now[0])
    return now


def test_an_idle_staff_session_locks_after_five_minutes(people: Accounts, clock: list[int]) -> None:
    """The password unlocks the same session; use keeps it open."""
    token = people.begin("dana")
    for _ in range(3):
        clock[0] += 4 * MINUTE
        assert "dana" == people.authenticate(token).id
    clock[0] += 5 * MINUTE + 1
    with pytest.raises(SessionLocked):
        people.authenticate(token)
    assert not people.authenticate_many([sessions.token_digest(token)])
    with pytest.raises(NotAdmitted):
        people.unlock(token, "a wrong password", HERE)
    with pytest.raises(SessionLocked):
        people.authenticate(token)
    assert "dana" == people.unlock(token, PASSWORD, HERE).id
    assert "dana" == people.authenticate(token).id


def test_a_request_in_the_background_is_no_use(people: Accounts, clock: list[int]) -> None:
    """A page that polls does not keep its session open."""
    token = people.begin("dana")
    clock[0] += 3 * MINUTE
    people.authenticate(token, used=False)
    clock[0] += 3 * MINUTE
    with pytest.raises(SessionLocked):
        people.authenticate(token)


def test_players_lock_after_thirty_minutes(people: Accounts, clock: list[int]) -> None:
    """And every locked session ends after four hours."""
    token = people.begin("ann")
    clock[0] += 30 * MINUTE
    people.authenticate(token, used=False)
    clock[0] += 1
    with pytest.raises(SessionLocked):
        people.authenticate(token)
    clock[0] += 4 * HOUR
    with pytest.raises(NotAdmitted) as ended:
        people.authenticate(token)
    assert not isinstance(ended.value, SessionLocked)
    with pytest.raises(NotAdmitted):
        people.unlock(token, PASSWORD, HERE)


def test_nothing_locks_on_a_practice_ledger(people: Accounts, clock: list[int]) -> None:
    """By default."""
    people.policy = PRACTICE
    token = people.begin("dana")
    clock[0] += 3 * HOUR
    assert "dana" == people.authenticate(token).id


def test_guesses_of_a_pin_are_delayed(people: Accounts, clock: list[int]) -> None:
    """As those of a password are."""
    people.set_pin("dana", PASSWORD, PIN, HERE)
    token = people.begin("dana")
    clock[0] += 6 * MINUTE
    for _ in range(LIVE.wrong_passwords):
        with pytest.raises(NotAdmitted):
            people.unlock(token, OTHER_PIN, HERE)
    with pytest.raises(Locked):
        people.unlock(token, PIN, HERE)


def test_a_pin_unlocks_and_relieves(people: Accounts, clock: list[int]) -> None:
    """The next dealer takes over the console; the session before has ended."""
    people.set_pin("dana", PASSWORD, PIN, HERE)
    people.set_pin("dave", PASSWORD, OTHER_PIN, HERE)
    token = people.begin("dana")
    clock[0] += 6 * MINUTE
    assert "dana" == people.unlock(token, PIN, HERE).id
    with pytest.raises(NotAdmitted):
        people.relieve(token, "dave", PIN, HERE)
    person, new = people.relieve(token, "dave", OTHER_PIN, HERE)
    assert ("dave", "dave") == (person.id, people.authenticate(new).id)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)


def test_a_pin_alone_is_no_sign_in(people: Accounts, clock: list[int]) -> None:
    """It needs the open console of a member of staff, and is for staff."""
    people.set_pin("dana", PASSWORD, PIN, HERE)
    people.set_pin("ann", PASSWORD, OTHER_PIN, HERE)
    for token, name, pin in (
        ("no session", "dana", PIN),
        (people.begin("ann"), "dana", PIN),
        (people.begin("dave"), "ann", OTHER_PIN),
    ):
        with pytest.raises(NotAdmitted):
            people.relieve(token, name, pin, HERE)
    with pytest.raises(NotAdmitted):
        people.identify("dana", PIN, HERE)
    with pytest.raises(NotAdmitted):
        people.set_pin("dana", "a wrong password", PIN, HERE)


def test_a_device_has_a_key_and_never_locks(people: Accounts, clock: list[int]) -> None:
    """A new key replaces the old one; people have passwords."""
    first = people.issue_key("shoe")
    clock[0] += 30 * DAY
    assert "shoe" == people.authenticate(first).id
    second = people.issue_key("shoe")
    with pytest.raises(NotAdmitted):
        people.authenticate(first)
    with pytest.raises(NotAdmitted):  # a device signs in with its key only
        people.sign_in("shoe", PASSWORD)
    people.dismiss("shoe")
    with pytest.raises(NotAdmitted):
        people.authenticate(second)
    with pytest.raises(BadInput, match="ann is not a device"):
        people.issue_key("ann")


def test_a_display_name_is_no_password(people: Accounts) -> None:
    """However the password is set: by its owner, after a reset, or by others."""
    people.set_display_name("ann", "Ann-Marie Featherstone")
    for weak in ("AnnMarieFeatherstone7", "featherstone 2026"):
        with pytest.raises(BadInput, match="it is the name of the account"):
            people.change_password("ann", PASSWORD, weak, HERE)
        with pytest.raises(BadInput, match="it is the name of the account"):
            people.set_password("ann", weak)
    people.apply(SetPassword(account="ann", reason="forgotten"), BY_PROGRAM.by)
    with pytest.raises(BadInput, match="it is the name of the account"):
        people.choose_password("ann", "Featherstone 7")


def test_people_change_their_own_password(people: Accounts, clock: list[int]) -> None:
    """With the old one; every session and the PIN end, and the change is on record."""
    people.set_pin("ann", PASSWORD, PIN, HERE)
    token = people.begin("ann")
    with pytest.raises(NotAdmitted):
        people.change_password("ann", "a wrong password", NEW, HERE)
    with pytest.raises(BadInput, match="the new one is the old one"):
        people.change_password("ann", PASSWORD, PASSWORD, HERE)
    people.change_password("ann", PASSWORD, NEW, HERE)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)
    assert "ann" == people.sign_in("ann", NEW)[0].id
    *_, last = people.register.history("ann")
    assert ("player ann", "password_set") == (
        str(last.by),
        last.events[0].__struct_config__.tag,
    )
    token = people.begin("ann")
    clock[0] += 31 * MINUTE
    with pytest.raises(NotAdmitted):
        people.unlock(token, PIN, HERE)


@pytest.mark.parametrize(
    "password",
    [
        "1234567890",
        "0987654321",
        "qwertyuiop",
        "abcdefghijk",
        "aaaaaaaaaaaa",
        "abababababab",
        "Password12345",
        "Petra Petra 1",
        "petra2026!!!",
        "short",
        "x" * 300,
    ],
)
def test_weak_passwords_are_refused(password: str) -> None:
    """Rows of keys, few characters, common words, one's own name."""
    with pytest.raises(BadInput):
        check_password(password, "petra")


@pytest.mark.parametrize("password", [PASSWORD, NEW, "petra likes 7 green owls", "tr0ub4dor&3x"])
def test_other_passwords_are_accepted(password: str) -> None:
    """Long ones above all."""
    check_password(password, "petra")


@pytest.mark.parametrize("pin", ["123456", "111111", "121212", "12345", "abcdef", "1234567890123"])
def test_weak_pins_are_refused(pin: str) -> None:
    """Rows, repetitions, and what is no number of 6 to 12 digits."""
    with pytest.raises(BadInput):
        check_pin(pin)
