"""The end of a gaming day: what was in play is written down, and the head is signed."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.ledger import codec, schema, signing
from croupier.ledger import events as lev
from croupier.ledger.chain import canonical, stamp
from croupier.ledger.cross import DAYS
from croupier.ledger.errors import Conflict, LedgerError, NotFound, RepeatedCommand
from croupier.ledger.service import Ledger
from croupier.table.life.people import SYSTEM, Person

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def close_day(
    ledger: Ledger, day: str, *, by: Person | str = SYSTEM, at: dt.datetime | None = None
) -> lev.DayClosed:
    """Close a gaming day; the same day again returns what was recorded the first time."""
    check_day(day)
    tip = ledger.store.tip(DAYS)
    if found := closed(ledger, day):
        return found
    head = ledger.store.head()
    assert head is not None, "the ledger was founded"
    event = lev.DayClosed(
        day=day,
        number=head.number,
        head=head.hash,
        events=_count(ledger),
        rounds=_count(ledger, "round_closed"),
        in_play=in_play(ledger),
    )
    try:
        ledger.append(DAYS, [event], after=tip, by=by, at=at, command_id=f"close {day}")
    except (Conflict, RepeatedCommand):
        found = closed(ledger, day)
        if found is None:
            raise
        return found
    return event


def sign_day(
    ledger: Ledger,
    day: str,
    key: Ed25519PrivateKey,
    *,
    by: Person | str = SYSTEM,
    at: dt.datetime | None = None,
) -> dict[str, Any]:
    """Sign the head that stands after a day's close; returns what `verifier.py` checks."""
    tip = ledger.store.tip(DAYS)
    if closed(ledger, day) is None:
        raise NotFound(f"day {day} has not been closed")
    head = ledger.store.head()
    assert head is not None
    moment = stamp(at or dt.datetime.now(dt.UTC))
    statement = canonical(
        {
            "format": "croupier-head",
            "day": day,
            "number": head.number,
            "head": head.hash,
            "signed_at": moment,
            "signed_by": str(by),
        }
    )
    signed = lev.HeadSigned(
        day=day,
        statement=statement,
        key=signing.public(key),
        signature=key.sign(statement.encode()).hex(),
    )
    ledger.append(DAYS, [signed], after=tip, by=by, at=at)
    return as_file(signed)


def as_file(signed: lev.HeadSigned) -> dict[str, Any]:
    """A signature as it is handed to the regulator."""
    return {"statement": signed.statement, "key": signed.key, "signature": signed.signature}


def signatures(ledger: Ledger, day: str = "") -> list[lev.HeadSigned]:
    """The signatures on record, of one day or of all."""
    return [e for e in _days(ledger) if isinstance(e, lev.HeadSigned) and day in ("", e.day)]


def closed(ledger: Ledger, day: str) -> lev.DayClosed | None:
    """The close of a day, if it is on record."""
    days = [e for e in _days(ledger) if isinstance(e, lev.DayClosed) and e.day == day]
    return days[0] if days else None


def in_play(ledger: Ledger) -> dict[str, int]:
    """The wagers on the layout of each table whose round is not over."""
    found = {}
    for table_id in ledger.tables():
        lies = ledger.open_table(table_id).book.balance("layout")
        if lies:
            found[table_id] = int(lies)
    return found


def write_signed(signed: dict[str, Any], path: str | Path) -> None:
    """Write a signed head to a file."""
    Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(signed), indent=2) + b"\n")


def check_day(day: str) -> None:
    """Refuse what is not a date."""
    try:
        if _DAY.fullmatch(day) is None:
            raise ValueError
        dt.date.fromisoformat(day)
    except ValueError:
        raise LedgerError(f"{day!r} is not a day; expected such as 2026-01-31") from None


def _days(ledger: Ledger) -> list[Any]:
    return [codec.decode(row) for row in ledger.store.read(DAYS)]


def _count(ledger: Ledger, kind: str = "") -> int:
    query = sa.select(sa.func.count()).select_from(schema.event)
    if kind:
        query = query.where(schema.event.c.kind == kind)
    with ledger.store.reading() as connection:
        return connection.execute(query).scalar() or 0
