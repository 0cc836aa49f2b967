"""Gaming-day endpoints: close a day, and record the signature of its checkpoint.

The private key stays with the person who signs: the server sends the text, verifies the signature
and keeps the signed checkpoint.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import gaming_day, now_ms
from croupier.errors import BadInput
from croupier.ledger import LedgerError, day_close
from croupier.ledger.aggregates.administration import (
    ADMINISTRATORS,
    Administration,
)
from croupier.ledger.log.transparency import signed_note
from croupier.money import Cents
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import read_json
from croupier.table import Account, Role
from croupier.table.core.views import OVERSIGHT_ROLES

LISTED_DAYS = 31
LOG_NAME = Query("name", "The name of the log and of its key, e.g. casino.example/ledger.")


class GamingDay(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day; `size`, `rounds` and `in_play` are those of its close."""

    day: str
    ends: int
    state: Literal["open", "ended", "closed", "signed"]
    size: int = 0  # entries of the log when it ended
    rounds: int = 0
    in_play: dict[str, Cents] = {}  # wagers on the layout of each table when it ended
    note: str = ""  # the signed checkpoint


class SigningKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that has signed a day."""

    name: str
    id: str  # as in signature lines, hexadecimal
    last_day: str


class GamingDays(msgspec.Struct, frozen=True, kw_only=True):
    """The last closed days and the days after them, the latest first."""

    days: tuple[GamingDay, ...]
    keys: tuple[SigningKey, ...]  # the one that signed last comes last
    may_close: bool


class DayCheckpoint(msgspec.Struct, frozen=True):
    """The text to sign for a closed day, with exactly these characters."""

    text: str


class DaySignature(msgspec.Struct, frozen=True, kw_only=True):
    """A signature of the text of a day, and the public key to verify it with."""

    key: str  # NAME+ID+BASE64
    signature: str  # Ed25519, hexadecimal
    is_new_key: bool = False  # confirms a key that has signed no earlier day


def may_read_days(person: Person) -> bool:
    """Whether a person may see the gaming days of the property."""
    roles = person.roles.get(EVERY_TABLE, ())
    return bool({*ADMINISTRATORS, *OVERSIGHT_ROLES} & {*roles})


class DayEndpoints(EndpointGroup):
    """The gaming days of the property."""

    @endpoint("GET", "/gaming-days", gives=GamingDays, errors="403", cost=5)
    async def days(self, request: Request) -> Response:
        """The gaming days with their state, and the keys that have signed."""
        person = await self.guard.person(request)
        if not may_read_days(person):
            raise await self._forbidden(request, person)
        return json_response(await asyncio.to_thread(self._days, person))

    @endpoint("POST", "/gaming-days/{day}/close", gives=GamingDays, errors="422", cost=50)
    async def close_day(self, request: Request) -> Response:
        """Close a gaming day that has ended; closing it again changes nothing."""
        person, account = await self._administrator(request)
        day = request.path_params["day"]
        await asyncio.to_thread(day_close.close_day, self.floor.ledger, day, by=account)
        return json_response(await asyncio.to_thread(self._days, person))

    @endpoint(
        "GET",
        "/gaming-days/{day}/checkpoint",
        gives=DayCheckpoint,
        query=(LOG_NAME,),
        errors="400 404",
    )
    async def day_checkpoint(self, request: Request) -> Response:
        """The text that is signed for a closed day."""
        await self._administrator(request)
        day, name = request.path_params["day"], request.query_params.get("name", "")
        ledger = self.floor.ledger
        try:
            signed_note.check_key_name(name)
        except LedgerError as error:
            raise BadInput(f"name: {error}") from None
        text = await asyncio.to_thread(day_close.day_checkpoint, ledger, day, name)
        return json_response(DayCheckpoint(text))

    @endpoint(
        "POST",
        "/gaming-days/{day}/signature",
        takes=DaySignature,
        gives=GamingDays,
        errors="404 422",
        cost=20,
    )
    async def sign_day(self, request: Request) -> Response:
        """Verify the signature of a closed day, and record the signed checkpoint."""
        person, account = await self._administrator(request)
        signed = await read_json(request, DaySignature)
        try:
            key = signed_note.PublicKey.parse(signed.key)
            signature = bytes.fromhex(signed.signature)
        except ValueError:
            raise BadInput("signature: expected 64 bytes in hexadecimal") from None
        except LedgerError as error:
            raise BadInput(f"key: {error}") from None
        await asyncio.to_thread(
            day_close.keep_signature,
            self.floor.ledger,
            request.path_params["day"],
            key,
            signature,
            by=account,
            is_new_key=signed.is_new_key,
        )
        return json_response(await asyncio.to_thread(self._days, person))

    async def _administrator(self, request: Request) -> tuple[Person, Account]:
        """The person, and the account in the role that closes days."""
        person = await self.guard.person(request)
        role = _closing_role(person)
        if role is None:
            raise await self._forbidden(request, person)
        return person, Account(person.id, role)

    async def _forbidden(self, request: Request, person: Person) -> Exception:
        await self.guard.deny(request, person.id, "gaming day", "no administrator")
        expected = " or ".join(role for role in ADMINISTRATORS if role != "system")
        return Forbidden(f"{person.id} may not do this; expected {expected} at every table")

    def _days(self, person: Person) -> GamingDays:
        ledger = self.floor.ledger
        state = ledger.read_administration()
        head = next(ledger.store.heads(), None)
        founded = state.founded
        assert founded is not None and head is not None, "the ledger is not initialized"
        first = gaming_day(head.time, founded.timezone, founded.day_starts)
        today = gaming_day(now_ms(), founded.timezone, founded.day_starts)
        closed = sorted(state.days)
        after = dt.date.fromisoformat(closed[-1]) + dt.timedelta(days=1) if closed else first
        count = max(0, (today - after).days + 1)
        later = [str(after + dt.timedelta(days=number)) for number in range(count)]
        listed = [*closed, *later][-LISTED_DAYS:]
        keys = day_close.signing_keys_on_record(state)
        return GamingDays(
            days=tuple(_gaming_day(state, day) for day in reversed(listed)),
            keys=tuple(
                SigningKey(name=name, id=id, last_day=last) for (name, id), last in keys.items()
            ),
            may_close=_closing_role(person) is not None,
        )


def _closing_role(person: Person) -> Role | None:
    roles = person.roles.get(EVERY_TABLE, ())
    return next((role for role in ADMINISTRATORS if role in roles), None)


def _gaming_day(state: Administration, day: str) -> GamingDay:
    ends = state.gaming_day(day)[1]
    closed = state.days.get(day)
    if closed is None:
        return GamingDay(day=day, ends=ends, state="ended" if ends <= now_ms() else "open")
    notes = state.notes.get(day, ())
    return GamingDay(
        day=day,
        ends=ends,
        state="signed" if notes else "closed",
        size=closed.size,
        rounds=closed.rounds,
        in_play=closed.in_play,
        note=notes[-1] if notes else "",
    )
