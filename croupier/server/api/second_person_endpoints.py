"""Endpoints of the two-person rule: request an agreement, list requests, agree or decline."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import BadInput, Unknown
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.server import protocol as msg
from croupier.server.auth.guard import TableAccess
from croupier.server.auth.second_person import PendingAgreement
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, TooManyRequests, json_response
from croupier.server.http.request import idempotency_key, read_body, read_json
from croupier.table import Account, Command, kind_of
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server

MAX_PENDING = 200


class AgreementsWaiting(msgspec.Struct, frozen=True):
    """The agreements that others request of a person, and those the person has requested."""

    to_agree: tuple[PendingAgreement, ...]
    asked: tuple[PendingAgreement, ...]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a second person."""

    agreed: bool


class UnknownAgreement(Unknown):
    """No pending agreement has this id."""

    kind = "agreement"


class SecondPersonEndpoints(EndpointGroup):
    """Pending agreements at one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.agreements = server.agreements

    @endpoint(
        "POST", "/tables/{table}/agreements", takes="Command", gives=msg.Problem, idempotent=True
    )
    async def agree(self, request: Request) -> Response:
        """Agree in advance, as its second person, to a command that another person gives."""
        access = await self.guard.command_access(request, "agreement")
        key, command, second = await _two_person_command(request)
        await self._check_second(request, access, second, kind_of(command))
        agree = self.agreements.record_answer
        await asyncio.to_thread(agree, access.host.id, key, command, second)
        return json_response(msg.Problem(problem=""))

    @endpoint(
        "POST",
        "/tables/{table}/agreements/asked",
        takes="Command",
        gives=PendingAgreement,
        idempotent=True,
    )
    async def ask_second(self, request: Request) -> Response:
        """Request the agreement of the second person whom a command names."""
        person, host, _ = await self.guard.command_access(request, "ask for an agreement")
        key, command, second = await _two_person_command(request)
        if second.id == person.id:
            raise BadInput(f"{person.id} cannot be the second person as well")
        if len(await asyncio.to_thread(self.agreements.pending)) >= MAX_PENDING:
            raise TooManyRequests("too many agreements are pending; wait a moment")
        pending = PendingAgreement(
            id=hashlib.sha256(f"{host.id} {person.id} {key}".encode()).hexdigest()[:24],
            key=key,
            table=host.id,
            kind=kind_of(command),
            sentence=(type(command).__doc__ or "").split("\n")[0],
            command=msgspec.json.decode(codec.encode(command)),
            by=person.id,
            second=second.id,
            role=second.role,
        )
        await asyncio.to_thread(self.agreements.add_pending, pending)
        return json_response(pending)

    @endpoint("GET", "/agreements/waiting", gives=AgreementsWaiting)
    async def agreements_waiting(self, request: Request) -> Response:
        """The agreements that wait for the person, and those the person has requested."""
        person = await self.guard.person(request)
        pending = await asyncio.to_thread(self.agreements.pending)
        to_agree = [each for each in pending if each.second == person.id and each.state == "waits"]
        requested = [each for each in pending if each.by == person.id]
        return json_response(AgreementsWaiting(tuple(to_agree), tuple(requested)))

    @endpoint("POST", "/tables/{table}/agreements/{id}", takes=Say, gives=PendingAgreement)
    async def say_agreement(self, request: Request) -> Response:
        """Agree to a command, or decline it."""
        access = await self.guard.command_access(request, "agreement")
        answer = await read_json(request, Say)
        id, table = request.path_params["id"], access.host.id
        current = await asyncio.to_thread(self.agreements.pending)
        pending = next((each for each in current if (each.id, each.table) == (id, table)), None)
        if pending is None:
            raise UnknownAgreement(id[:40])
        command, second = pending.decoded, pending.second_person
        await self._check_second(request, access, second, pending.kind)
        record = partial(self.agreements.record_answer, agreed=answer.agreed, asked_by=pending.by)
        await asyncio.to_thread(record, pending.table, pending.key, command, second)
        await asyncio.to_thread(
            self.agreements.add_pending, pending
        )  # as long as the answer is valid
        return json_response(await asyncio.to_thread(self.agreements.with_answer, pending))

    async def _check_second(
        self, request: Request, access: TableAccess, second: Account, kind: str
    ) -> None:
        person, _, roles = access
        if second.id != person.id or second.role not in roles:
            await self.guard.deny(request, person.id, kind, f"agrees as {second}")
            raise Forbidden(f"{person.id} cannot agree as {second}")


async def _two_person_command(request: Request) -> tuple[str, Command, Account]:
    """The id and the command of a request, and the second person whom the command names."""
    key = idempotency_key(request)
    command = codec.decode_command(await read_body(request))
    second = find_second_person(command)
    if second is None:
        raise BadInput(f"{kind_of(command)} needs no second person")
    return key, command, second
