"""The record of sign-ins: at once, failures counted by account and address, under a cap."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger.aggregates.account_messages import NoteSignIns
from croupier.ledger.errors import StoreFailed
from croupier.server.auth import sign_in_log
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.sign_in_log import OTHERS, SignInLog
from tests.support.floor_server import PASSWORD, open_accounts


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """One account."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        accounts.add("ann", PASSWORD, [("player", "*")])
        yield accounts


def recorded(people: Accounts) -> list[list[tuple[str, str, str, int]]]:
    """Kind, account, address and count of each entry."""
    return [
        [(each.kind, each.account, each.address, each.count) for each in command.counts]
        for entry in people.register.history()
        if isinstance(command := entry.envelope.command, NoteSignIns)
    ]


def test_failures_are_one_entry_and_then_a_count(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By account and address; after a minute the next one is recorded at once again."""
    moment = [1_000.0]
    monkeypatch.setattr(sign_in_log, "monotonic", lambda: moment[0])

    async def guesses() -> None:
        log = SignInLog(people)
        for _ in range(5):
            await log.note_failure(" ANN", "10.0.0.9")
        await log.note_failure("ann", "10.0.0.7")
        await log.note_failure("a mistyped password", "10.0.0.9")
        assert 3 == len(recorded(people))
        moment[0] += 61
        await log.flush()
        moment[0] += 61
        await log.note_failure("ann", "10.0.0.9")

    asyncio.run(guesses())
    assert [
        [("failed", "ann", "10.0.0.9", 1)],
        [("failed", "ann", "10.0.0.7", 1)],
        [("failed", "", "10.0.0.9", 1)],
        [("failed", "ann", "10.0.0.9", 4)],
        [("failed", "ann", "10.0.0.9", 1)],
    ] == recorded(people)


def test_guesses_cannot_fill_the_ledger(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any number of addresses: beyond the cap they are counted together."""
    monkeypatch.setattr(sign_in_log, "FAILURES_PER_MINUTE_MAX", 10)

    async def flood() -> None:
        log = SignInLog(people)
        for number in range(200):
            await log.note_failure("ann", f"10.0.{number}.1")
        await log.flush(all=True)

    asyncio.run(flood())
    entries = recorded(people)
    assert 12 == len(entries)  # ten addresses, the first of the others, and their count
    assert 200 == sum(count for entry in entries for *_, count in entry)
    assert 190 == sum(c for entry in entries for _, id, at, c in entry if (id, at) == OTHERS)


def test_people_sign_in_while_the_ledger_cannot_be_written(
    people: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To repair it; the record follows."""

    def fail(*anything: object) -> None:
        raise StoreFailed("the disk is full")

    async def sign_in() -> None:
        log = SignInLog(people)
        with monkeypatch.context() as patch:
            patch.setattr(people.register, "do", fail)
            await log.note_sign_in("ann", "10.0.0.9")
        assert not recorded(people)
        await log.flush()

    asyncio.run(sign_in())
    assert [[("signed_in", "ann", "10.0.0.9", 1)]] == recorded(people)
