"""Commands that name people: the passwords they need, and a clock that two people accept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from croupier.clock import DAY, now_ms
from croupier.ledger import Ledger
from croupier.ledger.aggregates.account_messages import NoteSignIns
from croupier.ledger.audit.verify import verify
from croupier.server.auth import sign_in_log
from croupier.server.server_lock import is_served, server_lock
from croupier.table import Role
from tests.support.cli import fail, invoke, succeed
from tests.support.floor_server import PASSWORD, open_accounts, run, serving
from tests.support.founders import FOUNDERS, founders_of, without_second_factor
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import AT

OTHER = "another horse battery"
PEOPLE: tuple[tuple[str, str, Role, str], ...] = (
    ("bob", PASSWORD, "pit_manager", "*"),
    ("aud", OTHER, "audit", "*"),
    ("tom", OTHER, "audit", "T"),
)
BOB, AUD = ("--by", "pit_manager:bob"), ("--second", "audit:aud")
LATER = AT + 41 * DAY


@pytest.fixture(autouse=True)
def _no_second_factor() -> Iterator[None]:
    """Passwords are enough here; `test_second_factor` has the codes."""
    with without_second_factor():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a live ledger."""
    monkeypatch.delenv("CROUPIER_PASSWORD", raising=False)
    if request.param == "sqlite":
        address = str(tmp_path / "live.db")
    else:
        address = request.getfixturevalue("postgres").new_database()
    with manual_clock(), Ledger(address, purpose="live"):
        pass
    return address


def add_people(ledger: str) -> None:
    """Accounts of a pit manager, of an auditor, and of the auditor of one table."""
    with manual_clock(), open_accounts(ledger) as accounts:
        founders = founders_of(accounts)
        for name, password, role, table in PEOPLE:
            accounts.add(name, password, [(role, table)], founders)


def accept(ledger: str, *people: str, passwords: str = "", at: int = LATER) -> Result:
    """Accept the clock of a ledger."""
    command = ["audit", "accept-clock", "--database", ledger, "--reason", "renovation", *people]
    with manual_clock(at=at, tick=1):
        return invoke(command, input=passwords)


def test_both_people_enter_their_passwords(ledger: str) -> None:
    """One person cannot act as two, and no name stands for a person without an account."""
    add_people(ledger)
    for second, passwords, problem in (
        ("audit:aud", (PASSWORD, PASSWORD), "wrong name or password"),
        ("audit:aud", (OTHER, OTHER), "wrong name or password"),
        ("audit:eve", (PASSWORD, OTHER), "wrong name or password"),
        ("audit:cli", (PASSWORD, OTHER), "wrong name or password"),
        ("cage:aud", (PASSWORD, OTHER), "aud is not cage at every table"),
        ("audit:tom", (PASSWORD, OTHER), "tom is not audit at every table"),
        ("pit_manager:bob", (PASSWORD, PASSWORD), "two different people"),
    ):
        refused = accept(ledger, *BOB, "--second", second, passwords="\n".join((*passwords, "")))
        assert (2, True) == (refused.exit_code, problem in refused.output), refused.output
    assert not verify(ledger).accepted_clocks

    done = accept(ledger, *BOB, *AUD, passwords=f"{PASSWORD}\n{OTHER}\n")
    assert "accepted: 2026-02-15" in done.stdout, done.output
    assert PASSWORD not in done.output
    (accepted,) = verify(ledger).accepted_clocks
    assert "accepted by pit_manager bob and audit aud (renovation)" in accepted


def test_wrong_passwords_are_on_record(ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the server: counted by account; an unknown name may be a mistyped password."""
    monkeypatch.setattr(sign_in_log, "now_ms", lambda: AT)
    add_people(ledger)
    for second in ("audit:aud", "audit:eve"):
        people = (*BOB, "--second", second)
        assert accept(ledger, *people, passwords=f"{PASSWORD}\nwrong\n", at=AT + DAY).exit_code
    with manual_clock(at=AT + DAY, tick=1):
        assert 2 == invoke(["factor", "bob", "--database", ledger], input="wrong\n").exit_code
    with Ledger(ledger) as opened:
        counts = [
            (count.kind, count.account, count.address, count.count)
            for entry in opened.accounts.history()
            if isinstance(command := entry.envelope.command, NoteSignIns)
            for count in command.counts
        ]
    assert [("failed", id, "command line", 1) for id in ("aud", "", "bob")] == counts


def test_the_environment_has_the_password_of_one_person(
    ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second person always types it."""
    add_people(ledger)
    monkeypatch.setenv("CROUPIER_PASSWORD", OTHER)
    people = ("--by", "audit:aud", "--second", "pit_manager:bob")
    assert accept(ledger, *people).exit_code
    assert 0 == accept(ledger, *people, passwords=f"{PASSWORD}\n").exit_code


def test_a_ledger_without_accounts_has_no_passwords(ledger: str) -> None:
    """And gets no accounts database."""
    assert 0 == accept(ledger, *BOB, *AUD).exit_code
    assert "has no accounts yet" in fail("people", "--database", ledger)


def test_a_day_is_closed_in_a_persons_name_with_the_password(ledger: str) -> None:
    """Scheduled commands act in the name of no person, which is no account's name."""
    add_people(ledger)
    close = ["audit", "close-day", "2026-01-05", "--database", ledger]
    with manual_clock(at=AT + 2 * DAY, tick=1):
        assert 1 == invoke([*close, "--by", "audit:aud"]).exit_code
        assert 2 == invoke([*close, "--by", "audit:eve"], input=f"{OTHER}\n").exit_code
        done = invoke([*close, "--by", "audit:aud"], input=f"{OTHER}\n")
        assert 0 == done.exit_code, done.output
        succeed(*close[:2], "2026-01-06", *close[3:])
    admit = ("admit", "CLI", "--role", "dealer", "--database", ledger, "--by", FOUNDERS[0])
    typed = f"{PASSWORD}\n" * 3
    with manual_clock(at=AT + 2 * DAY, tick=1):
        refused = invoke([*admit, "--reason", "x"], input=typed)
    assert "'cli' is the command line on record" in refused.output


def test_a_ledger_is_replaced_in_a_persons_name_with_the_password(tmp_path: Path) -> None:
    """Of an account that the ledger at this place has."""
    ledger, copy = str(tmp_path / "live.db"), str(tmp_path / "copy.db")
    with Ledger(ledger):
        pass
    add_people(ledger)
    succeed("backup", copy, "--database", ledger)
    restore = ["restore", copy, "--database", ledger, "--replace", "--by", "audit:aud"]
    assert "wrong name" in invoke(restore, input=f"{PASSWORD}\n").output
    done = invoke(restore, input=f"{OTHER}\n")
    assert 0 == done.exit_code, done.output


def test_with_a_server_the_request_goes_to_it(ledger: str) -> None:
    """The command names the option and asks for no password."""
    add_people(ledger)
    lock = server_lock(ledger)
    lock.acquire(lambda: None, lambda: None)
    assert is_served(ledger)
    refused = accept(ledger, *BOB, *AUD, passwords=f"{PASSWORD}\n{OTHER}\n")
    lock.release()
    assert "is served at present; send the request to the server with --server" in refused.output
    assert "Password" not in refused.output
    assert not is_served(ledger)
    assert 0 == accept(ledger, *BOB, *AUD, passwords=f"{PASSWORD}\n{OTHER}\n").exit_code


@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.usefixtures("live_limits")
def test_the_second_person_answers_at_the_server(tmp_path: Path, agreed: bool) -> None:
    """From their own session, while the command waits."""
    with serving(tmp_path) as world, manual_clock(at=now_ms() + 41 * DAY, tick=1):

        async def answer() -> None:
            async with await world.client("paul") as paul:
                while not (requests := (await paul.agreements())["to_agree"]):
                    await asyncio.sleep(0.02)
                await paul.answer(requests[0], agreed=agreed)

        second = threading.Thread(target=run, args=(answer(),))
        second.start()
        command = ["audit", "accept-clock", "--server", world.address, "--reason", "renovation"]
        people = ["--by", "pit_manager:petra", "--second", "pit_manager:paul"]
        result = invoke([*command, *people], input=f"{PASSWORD}\n")
        second.join()

        assert ("accepted; the last entry" in result.stdout) == agreed, result.output
        assert ("pit_manager paul declined" in result.output) != agreed
        assert agreed == bool(verify(world.database).accepted_clocks)
    wrong = invoke([*command, *people], input=f"{PASSWORD}\n")
    assert 2 == wrong.exit_code and "cannot be reached" in wrong.output
