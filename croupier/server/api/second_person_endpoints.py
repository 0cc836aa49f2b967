"""Endpoints of the two-person rule: request an agreement, list requests, agree or decline."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import now_ms
from croupier.errors import BadInput, Refusal, Unknown
from croupier.ledger.aggregates.administration import WITNESSES, AcceptClock
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.server.api.table_endpoints import ROLE
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.auth.second_person import OwnerAccess, PendingAgreement
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.http.request import idempotency_key, read_body, read_json
from croupier.table import CORRECTORS, Account, Command, Role, Table, kind_of
from croupier.table.core import codec

if TYPE_CHECKING:
    from croupier.server.app import Server


class AgreementsWaiting(msgspec.Struct, frozen=True):
    """The agreements that others request of a person, and those the person has requested."""

    to_agree: tuple[PendingAgreement, ...]
    asked: tuple[PendingAgreement, ...]


class ClockAgreement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who accepts a clock that is far ahead of the last entry, besides the sender, and why."""

    second: Account
    reason: str


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of a second person."""

    agreed: bool


class SecondPersons(msgspec.Struct, frozen=True):
    """The colleagues on duty who may agree to a correction at a table."""

    people: tuple[Account, ...]


class UnknownAgreement(Unknown):
    """No pending agreement has this id."""

    kind = "agreement"


class SecondPersonEndpoints(EndpointGroup):
    """Pending agreements at one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.agreements = server.agreements

    @endpoint(
        "POST",
        "/tables/{table}/agreements/asked",
        takes="Command",
        gives=PendingAgreement,
        idempotent=True,
    )
    async def ask_second(self, request: Request) -> Response:
        """Request the agreement of the second person whom a command names."""
        person, host, roles = await self.guard.command_access(request, "ask for an agreement")
        key, command = idempotency_key(request), codec.decode_command(await read_body(request))
        sentence = await self._check_first(request, host.table, person, roles, command)
        await self.check_second(find_second_person(command), host.id)
        answer = partial(self.agreements.record_answer, host.id, key, command, person.id)
        return json_response(self.ask(person, host.id, key, command, answer, sentence))

    @endpoint(
        "POST",
        "/clock/agreements/asked",
        takes=ClockAgreement,
        gives=PendingAgreement,
        idempotent=True,
        query=(ROLE,),
    )
    async def ask_about_clock(self, request: Request) -> Response:
        """Request the agreement of a second person to accept a clock far ahead of the ledger."""
        person = await self._person(request)
        key, body = idempotency_key(request), await read_json(request, ClockAgreement)
        roles = [role for role in person.roles_at(EVERY_TABLE) if role in WITNESSES]
        role = request.query_params.get("role", next(iter(roles), ""))
        if role not in roles:
            await self.guard.deny(request, person.id, "accept_clock", f"not a {role[:20]}")
            raise Forbidden(f"{person.id} is not {' or '.join(WITNESSES)} at every table")
        by, ledger = Account(person.id, role), self.floor.ledger
        await self.check_second(body.second, EVERY_TABLE)
        last, now = await asyncio.to_thread(ledger.clock_gap)

        def answer(agreed: bool) -> None:
            if agreed:
                ledger.accept_clock(by=by, second=body.second, reason=body.reason)

        command = AcceptClock(last=last, time=now, second=body.second, reason=body.reason)
        return json_response(self.ask(person, "", key, command, answer))

    async def _check_first(
        self,
        request: Request,
        table: Table,
        person: Person,
        roles: tuple[Role, ...],
        command: Command,
    ) -> str:
        """What a command does, in words; refused if the table would refuse it."""
        spec = table.command_spec(type(command))
        allowed = [role for role in roles if spec is not None and role in spec.roles]
        if spec is None or not allowed:
            await self.guard.deny(request, person.id, kind_of(command), "may not give it")
            raise Forbidden(f"{person.id} may not give {kind_of(command)} here")
        refusals = []
        for role in allowed:
            try:
                events = table.decide_command(command, Account(person.id, role), now_ms())
                return spec.consequence(table, events) if spec.consequence else ""
            except Refusal as refusal:
                refusals.append(refusal)
        raise refusals[0]

    async def check_second(self, second: Account | None, table: str) -> None:
        """Refuse a second person who could not answer: they must have the role at the table."""
        if second is None:
            return
        person = await asyncio.to_thread(self.floor.accounts.find_person, second.id)
        offices = person.offices if person is not None and table == EVERY_TABLE else ()
        if person is None or second.role not in (*person.roles_at(table), *offices):
            place = f"at {table}" if table != EVERY_TABLE else "at every table"
            raise BadInput(f"{second.id} is not {second.role} {place}; choose another person")

    def ask(
        self,
        person: Person,
        table: str,
        key: str,
        command: Command,
        answer: Callable[[bool], OwnerAccess | None],
        sentence: str = "",
    ) -> PendingAgreement:
        """Add a request to the second person whom a command names, with what it does in words."""
        second = find_second_person(command)
        if second is None:
            raise BadInput(f"{kind_of(command)} needs no second person")
        if second.id == person.id:
            raise BadInput(f"{person.id} cannot be the second person as well")
        pending = PendingAgreement(
            id=hashlib.sha256(f"{table} {person.id} {key}".encode()).hexdigest()[:24],
            key=key,
            table=table,
            kind=kind_of(command),
            sentence=sentence or (type(command).__doc__ or "").split("\n")[0],
            command=msgspec.json.decode(codec.encode(command)),
            by=person.id,
            second=second.id,
            role=second.role,
        )
        return self.agreements.add(pending, answer)

    @endpoint("GET", "/agreements/waiting", gives=AgreementsWaiting)
    async def agreements_waiting(self, request: Request) -> Response:
        """The agreements that wait for the person, and those the person has requested."""
        person = await self.guard.person(request)
        pending = self.agreements.pending()
        to_agree = [each for each in pending if each.second == person.id and each.state == "waits"]
        requested = [
            msgspec.structs.replace(each, code="") for each in pending if each.by == person.id
        ]
        return json_response(AgreementsWaiting(tuple(to_agree), tuple(requested)))

    @endpoint("GET", "/tables/{table}/second-persons", gives=SecondPersons, errors="403", cost=5)
    async def second_persons(self, request: Request) -> Response:
        """Who is signed in and may agree to a correction at a table, for those who may ask."""
        person, host, roles = await self.guard.table_access(request, "second persons")
        if not set(roles) & {*CORRECTORS}:
            await self.guard.deny(request, person.id, "second persons", "may not correct")
            raise Forbidden(f"{person.id} may not correct anything at {host.id}")
        signed_in = await asyncio.to_thread(self.floor.accounts.signed_in)
        colleagues = (
            Account(each.id, role)
            for each in sorted(signed_in, key=lambda each: each.id)
            for role in each.roles_at(host.id)
            if role in CORRECTORS and each.id != person.id
        )
        return json_response(SecondPersons(tuple(colleagues)))

    @endpoint("POST", "/tables/{table}/agreements/{id}", takes=Say, gives=PendingAgreement)
    async def say_agreement(self, request: Request) -> Response:
        """Agree to a command, or decline it."""
        person, host, roles = await self.guard.command_access(request, "agreement")
        return await self._answer(request, person, roles, host.id)

    @endpoint("POST", "/clock/agreements/{id}", takes=Say, gives=PendingAgreement)
    async def say_about_clock(self, request: Request) -> Response:
        """Accept the clock or a change of accounts, or decline to."""
        person = await self._person(request)
        roles = (*person.roles_at(EVERY_TABLE), *person.offices)
        return await self._answer(request, person, roles, "")

    async def _answer(
        self, request: Request, person: Person, roles: tuple[str, ...], table: str
    ) -> Response:
        say, id = await read_json(request, Say), request.path_params["id"]
        requests = self.agreements.pending()
        pending = next((each for each in requests if (each.id, each.table) == (id, table)), None)
        if pending is None:
            raise UnknownAgreement(id[:40])
        if pending.second != person.id or pending.role not in roles:
            second = f"{pending.role} {pending.second}"
            await self.guard.deny(request, person.id, pending.kind, f"agrees as {second}")
            raise Forbidden(f"{person.id} cannot agree as {second}")
        answered = await self.agreements.answer(pending, say.agreed)
        # The link is for the person who asked.
        return json_response(msgspec.structs.replace(answered, link=""))

    async def _person(self, request: Request) -> Person:
        """The signed-in person of a request that counts against the limit of commands."""
        person = await self.guard.person(request)
        self.guard.limit("commands", person.id)
        return person
