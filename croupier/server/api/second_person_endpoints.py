"""Endpoints of the two-person rule: ask for an agreement, list requests, agree or decline."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.errors import BadInput, Unknown
from croupier.ledger.aggregates.approvals import second_of
from croupier.server.auth.guard import TooMany, body_of, session_token
from croupier.server.auth.second_person import PendingAgreement
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import key_of
from croupier.table import kind_of
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server

MOST = 200  # that wait at once


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
        self.agreements = server.agreements

    async def ask(self, request: Request) -> Response:
        """Ask the second person whom a command names."""
        person, desk, _ = await self.server.at_table(request, "ask for an agreement")
        self.server.guard.limit("commands", session_token(request))
        key = key_of(request)
        given = codec.decode_command(await body_of(request))
        second = second_of(given)
        if second is None:
            raise BadInput(f"{kind_of(given)} needs no second person")
        if second.id == person.id:
            raise BadInput(f"{person.id} cannot be the second person as well")
        if len(await asyncio.to_thread(self.agreements.pending)) >= MOST:
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
        await asyncio.to_thread(self.agreements.add_pending, asked)
        return json_response(asked)

    async def waiting(self, request: Request) -> Response:
        """What waits for whoever looks."""
        person = await self.server.guard.person(request)
        found = await asyncio.to_thread(self.agreements.pending)
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
        fresh = await asyncio.to_thread(self.agreements.pending)
        asked = next((one for one in fresh if (one.id, one.table) == (id, desk.id)), None)
        if asked is None:
            raise UnknownAgreement(id[:40])
        command, second = asked.decoded, asked.second_person
        if second.id != person.id or second.role not in roles:
            await self.server.deny(request, person.id, asked.kind, f"agrees as {second}")
            raise Forbidden(f"{person.id} cannot agree as {second}")
        answered = partial(self.agreements.record_answer, agreed=said.agreed, asked_by=asked.by)
        await asyncio.to_thread(answered, asked.table, asked.key, command, second)
        await asyncio.to_thread(self.agreements.add_pending, asked)  # extended to the answer's end
        return json_response(await asyncio.to_thread(self.agreements.with_answer, asked))


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of second persons."""
    seconding = SecondPersonEndpoint(server)
    return [
        Route("/tables/{table}/agreements/asked", seconding.ask, methods=["POST"]),
        Route("/agreements/waiting", seconding.waiting),
        Route("/tables/{table}/agreements/{id}", seconding.say, methods=["POST"]),
    ]
