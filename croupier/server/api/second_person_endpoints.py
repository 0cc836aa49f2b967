"""The second of two people, on a screen: whoever needs one asks, and that person agrees or not.

What is asked for waits a few minutes beside the accounts, so that every server knows of it; what
was answered is on the record. Agreeing changes nothing at the table: the one who asked then gives
the command, under the id that was agreed to.
"""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.clock import now_ms
from croupier.errors import BadInput, Unknown
from croupier.ledger.aggregates.approval_state import ANSWER_VALID_MS
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.server.auth.accounts import metadata
from croupier.server.auth.guard import TooMany, body_of, session_token
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import key_of
from croupier.table import Command, kind_of
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server

MOST = 200  # that wait at once
waiting = sa.Table(
    "floor_asked",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("ends", sa.BigInteger, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
)


Said: TypeAlias = Literal["waits", "agreed", "declined"]


class PendingAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """A command that waits for its second person."""

    id: str
    key: str  # the command's id
    table: str
    kind: str
    sentence: str
    command: dict[str, Any]
    by: str
    second: str
    role: str  # of the second person
    state: Said = "waits"


class AgreementsWaiting(msgspec.Struct, frozen=True):
    """What others ask of the one who looks, and what they themselves have asked for."""

    to_agree: tuple[PendingAgreement, ...]
    asked: tuple[PendingAgreement, ...]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Agree, or not."""

    agreed: bool


class UnknownAgreement(Unknown):
    """Nothing of this id waits."""

    kind = "agreement"


class SecondPersonEndpoint:
    """What waits for second persons at one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.engine = server.floor.accounts.engine
        metadata.create_all(self.engine, tables=[waiting])

    def _fresh(self) -> list[PendingAgreement]:
        """What waits and is not too old, with what was said to it."""
        with self.engine.begin() as connection:
            connection.execute(waiting.delete().where(waiting.c.ends < now_ms()))
            rows = connection.execute(sa.select(waiting.c.content).order_by(waiting.c.ends)).all()
        if rows:
            self.server.agreements.record.refresh()
        return [self._told(msgspec.json.decode(row.content, type=PendingAgreement)) for row in rows]

    def _told(self, asked: PendingAgreement) -> PendingAgreement:
        """As the record has it, whatever stands in the row."""
        given = command_of(asked)
        second = find_second_person(given)
        assert second is not None, "what waits names a second person"
        said = self.server.agreements.known(asked.table, asked.key, given, second)
        state: Said = "waits" if said is None else "agreed" if said else "declined"
        return msgspec.structs.replace(asked, state=state)

    def _keep(self, asked: PendingAgreement) -> None:
        content = msgspec.json.encode(asked).decode()
        ends = now_ms() + ANSWER_VALID_MS
        with self.engine.begin() as connection:
            connection.execute(waiting.delete().where(waiting.c.id == asked.id))
            connection.execute(waiting.insert().values(id=asked.id, ends=ends, content=content))

    async def ask(self, request: Request) -> Response:
        """Ask the second person whom a command names."""
        person, desk, _ = await self.server.at_table(request, "ask for an agreement")
        self.server.guard.limit("commands", session_token(request))
        key = key_of(request)
        given = codec.decode_command(await body_of(request))
        second = find_second_person(given)
        if second is None:
            raise BadInput(f"{kind_of(given)} needs no second person")
        if second.id == person.id:
            raise BadInput(f"{person.id} cannot be the second person as well")
        if len(await asyncio.to_thread(self._fresh)) >= MOST:
            raise TooMany("too much waits for second persons; wait a moment")
        id = hashlib.sha256(f"{desk.id} {person.id} {key}".encode()).hexdigest()[:24]
        asked = PendingAgreement(
            id=id,
            key=key,
            table=desk.id,
            kind=kind_of(given),
            sentence=(type(given).__doc__ or "").split("\n")[0],
            command=msgspec.json.decode(codec.encode(given)),
            by=person.id,
            second=second.id,
            role=second.role,
        )
        await asyncio.to_thread(self._keep, asked)
        return json_response(asked)

    async def waiting(self, request: Request) -> Response:
        """What waits for whoever looks."""
        person = await self.server.guard.person(request)
        found = await asyncio.to_thread(self._fresh)
        waits = tuple(one for one in found if one.second == person.id and one.state == "waits")
        return json_response(AgreementsWaiting(waits, tuple(o for o in found if o.by == person.id)))

    async def say(self, request: Request) -> Response:
        """The second person agrees, or not."""
        person, desk, roles = await self.server.at_table(request, "agreement")
        self.server.guard.limit("commands", session_token(request))
        try:
            said = msgspec.json.decode(await body_of(request), type=Say)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadInput(f"agreed: true or false is expected: {error}") from None
        id = request.path_params["id"]
        fresh = await asyncio.to_thread(self._fresh)
        asked = next((one for one in fresh if (one.id, one.table) == (id, desk.id)), None)
        if asked is None:
            raise UnknownAgreement(id[:40])
        command = command_of(asked)
        second = find_second_person(command)
        assert second is not None, "what waits names a second person"
        if second.id != person.id or second.role not in roles:
            await self.server.deny(request, person.id, asked.kind, f"agrees as {second}")
            raise Forbidden(f"{person.id} cannot agree as {second}")
        answered = partial(self.server.agreements.answer, agreed=said.agreed, asked_by=asked.by)
        await asyncio.to_thread(answered, asked.table, asked.key, command, second)
        await asyncio.to_thread(self._keep, asked)  # for as long as the answer is valid
        return json_response(await asyncio.to_thread(self._told, asked))


def command_of(asked: PendingAgreement) -> Command:
    """What is asked for."""
    return codec.decode_command(msgspec.json.encode(asked.command))


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of second persons."""
    seconding = SecondPersonEndpoint(server)
    return [
        Route("/tables/{table}/agreements/asked", seconding.ask, methods=["POST"]),
        Route("/agreements/waiting", seconding.waiting),
        Route("/tables/{table}/agreements/{id}", seconding.say, methods=["POST"]),
    ]
