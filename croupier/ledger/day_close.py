"""The end of a gaming day: what was in play is written down, and the head is signed.

A day ends where its last transaction does, by the clock of the writers: what was written later
belongs to the next day, however late the close itself is recorded.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.clock import now_ms
from croupier.errors import BadInput, Refusal
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.administration import (
    RECORDS,
    Administration,
    CloseDay,
    DayClosed,
    KeepCheckpoint,
    check_closing,
)
from croupier.ledger.errors import Conflict, LedgerError, NotFound, RepeatedCommand, shown
from croupier.ledger.ledger import Ledger
from croupier.ledger.log import Head
from croupier.ledger.log.transparency import checkpoint, signed_note
from croupier.table import ROLES, Account, epoch_ms

ATTEMPTS = 10  # times to look again when others write to the office first


def close_day(
    ledger: Ledger, day: str, *, by: Account, at: dt.datetime | int | None = None
) -> DayClosed:
    """Close a gaming day; the same day again returns what was recorded the first time."""
    moment = now_ms() if at is None else epoch_ms(at)
    for _ in range(ATTEMPTS):
        office = ledger.read_office()
        if day in office.days:
            return office.days[day]
        check_closing(office, day, moment)
        command = closing(ledger, office, day)
        try:
            ledger.tell_office(command, by, moment, id=f"close {day}")
        except (Conflict, RepeatedCommand):
            continue
        return ledger.office.days[day]
    raise LedgerError(f"day {day} could not be closed: others wrote first every time")


def closing(ledger: Ledger, office: Administration, day: str) -> CloseDay:
    """What is to be said about a day that has ended."""
    store = ledger.store
    size = store.size_at(office.gaming_day(day)[1])
    if not size:
        raise Refusal(f"day {day} ended before anything was on record", RECORDS)
    ((rounds,),) = store.ask(
        "SELECT count(*) FROM mark WHERE word = ? AND position < ?", (ent.CLOSED, size)
    )
    return CloseDay(
        day=day,
        size=size,
        root=store.tree.root(size).hex(),
        rounds=rounds,
        in_play=in_play(ledger, size),
    )


def in_play(ledger: Ledger, size: int) -> dict[str, int]:
    """The wagers on the layout of each table when the log had so many entries."""
    layouts = {table: ledger.table_at(table, size).layout for table in ledger.tables()}
    return {table: lies for table, lies in layouts.items() if lies}


def sign_day(
    ledger: Ledger,
    day: str,
    name: str,
    key: Ed25519PrivateKey,
    *,
    by: Account,
    at: dt.datetime | int | None = None,
) -> str:
    """Sign the head of a closed day as a checkpoint, keep it on record, and return the note."""
    closed = ledger.read_office().days.get(day)
    if closed is None:
        raise NotFound(f"day {day} has not been closed")
    head = Head(closed.size, bytes.fromhex(closed.root), 0)
    signed = checkpoint.sign(head, name, key, extensions=[f"gaming day {day}"])
    note = str(signed)
    if note not in ledger.office.notes.get(day, ()):
        _keep(ledger, KeepCheckpoint(day, note), by, at)
    return note


def _keep(
    ledger: Ledger, command: KeepCheckpoint, by: Account, at: dt.datetime | int | None
) -> None:
    for _ in range(ATTEMPTS):
        try:
            ledger.tell_office(command, by, at)
        except Conflict:
            continue
        return
    raise LedgerError("the checkpoint could not be kept: others wrote first every time")


def checkpoint_over(ledger: Ledger, position: int) -> str:
    """The first checkpoint on record that an entry is part of; NotFound if none is."""
    office = ledger.read_office()
    for day in sorted(office.days):
        if office.days[day].size > position and office.notes.get(day):
            return office.notes[day][0]
    raise NotFound("no signed checkpoint on record covers this; close and sign the day first")


def read_checkpoint(path: Path, keys: list[signed_note.PublicKey]) -> checkpoint.Checkpoint:
    """A checkpoint that was kept; with keys it must be signed by one of them."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LedgerError(f"{shown(str(path))} cannot be read: {error.strerror}") from None
    if keys:
        return checkpoint.opened(content, keys)
    return checkpoint.read(signed_note.parse(content).text)


def account(text: str) -> Account:
    """Somebody as a user writes it: ROLE:NAME."""
    role, _, name = text.partition(":")
    known = next((each for each in ROLES if each == role), None)
    if known is None or not name.strip():
        raise BadInput(f"{text!r} is nobody; expected ROLE:NAME with a role of {', '.join(ROLES)}")
    return Account.named(name, known)


def read_keys(given: list[str]) -> list[signed_note.PublicKey]:
    """Public keys as they are handed around, or files that hold one."""
    found = []
    for text in given:
        with suppress(OSError, ValueError):  # then it is the key itself
            text = Path(text).read_text("utf-8")
        found.append(signed_note.PublicKey.parse(text))
    return found
