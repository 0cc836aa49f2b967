"""Endpoints and page that disable gaming and enable it again."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import now_ms
from croupier.errors import CroupierError
from croupier.games import catalogue
from croupier.ledger.aggregates import approvals
from croupier.ledger.aggregates.account_register import PRIVILEGED
from croupier.ledger.aggregates.approval_messages import DisableGaming, EnableGaming
from croupier.ledger.aggregates.approval_state import scope
from croupier.ledger.day_close import parse_account
from croupier.ledger.errors import utc_minute
from croupier.ledger.gaming_orders import change_gaming, check_people
from croupier.server.api.page_endpoints import PageEndpoints, page, refuse, render
from croupier.server.api.second_person_endpoints import SecondPersonEndpoints
from croupier.server.auth.person import EVERY_TABLE, Person
from croupier.server.auth.second_person import PendingAgreement
from croupier.server.http.endpoint import endpoint
from croupier.server.http.errors import Forbidden, http_status, json_response
from croupier.server.http.request import idempotency_key, read_json
from croupier.table import Account, DisableOrder, Envelope, Role, kind_of

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from croupier.server.app import Server

READERS = (*PRIVILEGED, "floorperson", "commission")


class GamingOrders(msgspec.Struct, frozen=True):
    """What is disabled now, and the request that waits for its second person, if any."""

    orders: dict[str, DisableOrder]  # by "all", "game KEY" or "submission ID"
    pending: PendingAgreement | None = None


class GamingChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change, as the ledger records it."""

    change: DisableGaming | EnableGaming


class GamingEndpoints(PageEndpoints):
    """What is disabled at this property."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.second_persons = SecondPersonEndpoints(server)

    @endpoint("GET", "/gaming/orders", gives=GamingOrders, errors="403")
    async def gaming_orders(self, request: Request) -> Response:
        """What is disabled now."""
        person = await self.guard.person(request)
        if not sees_orders(person):
            await self.guard.deny(request, person.id, "read orders", "no such role")
            raise Forbidden(f"{person.id} may not read the orders")
        return json_response(GamingOrders(await asyncio.to_thread(self.orders)))

    @endpoint("POST", "/gaming/changes", takes=GamingChange, gives=GamingOrders, idempotent=True)
    async def change_gaming(self, request: Request) -> Response:
        """Disable gaming after the current rounds, or enable it again."""
        key, message = idempotency_key(request), await read_json(request, GamingChange)
        pending = await self.change(request, key, message.change)
        return json_response(GamingOrders(await asyncio.to_thread(self.orders), pending))

    @page("/gaming", "GET POST")
    async def gaming(self, request: Request, person: Person) -> Response:
        """What is disabled, and the form that changes it; works without scripts."""
        if not sees_orders(person):
            return refuse(person, "You may not see what is disabled.")
        problem, status, pending = "", 200, None
        try:
            if request.method == "POST":
                fields = await self._form_fields(request) or {}
                values = {name: each[0].strip() for name, each in fields.items()}
                pending = await self.change(request, secrets.token_hex(12), read_order(values))
        except CroupierError as error:
            problem, status = str(error), http_status(error)
        return render(
            "gaming.html",
            status,
            person=person,
            scopes=await asyncio.to_thread(self._scopes),
            may_change=bool(changing_roles(person)),
            live=self.floor.ledger.purpose == "live",
            problem=problem,
            pending=pending,
            time=utc_minute,
        )

    def orders(self) -> dict[str, DisableOrder]:
        """What is disabled now."""
        return dict(self.floor.ledger.approvals.refresh().disabled)

    def _scopes(self) -> list[tuple[str, str, DisableOrder | None]]:
        """What can be disabled: the value in the form, in words, and the order if it is."""
        state = self.floor.ledger.approvals.refresh()
        tables = self.floor.table_hosts.values()
        playing = {host.table.house.game.key for host in tables}
        keys = [(scope(), "All gaming")]
        keys += [
            (scope(game.key), game.title)
            for game in catalogue()
            if game.key in playing or scope(game.key) in state.disabled
        ]
        keys += [
            (scope("", id), f"Submission {id}")
            for id, submission in state.submissions.items()
            if submission.state == "approved"
        ]
        return [(key, title, state.disabled.get(key)) for key, title in keys]

    async def change(
        self, connection: HTTPConnection, key: str, command: DisableGaming | EnableGaming
    ) -> PendingAgreement | None:
        """Make a change in the name of the person, or ask its second person."""
        person = await self.guard.person(connection)
        self.guard.limit("commands", person.id)
        roles = changing_roles(person)
        if not roles:
            await self.guard.deny(connection, person.id, kind_of(command), "may not give it")
            raise Forbidden(f"{person.id} is not operator or pit_manager at every table")
        by, ledger = Account(person.id, roles[0]), self.floor.ledger
        second = command.second if isinstance(command, EnableGaming) else None
        if ledger.purpose == "live":
            check_people(command, by)
        if second is None:
            await self.floor.change_gaming(command, by, key)
            return None
        await self.second_persons.check_second(second, EVERY_TABLE)
        envelope = Envelope(key, by, now_ms(), command)
        await asyncio.to_thread(lambda: ledger.approvals.refresh().decide(envelope))

        def answer(agreed: bool) -> None:
            self.server.agreements.record_answer(approvals.STREAM, key, command, by.id, agreed)
            if agreed:
                change_gaming(ledger, command, by=by, id=key)

        return self.second_persons.ask(person, "", key, command, answer)


def changing_roles(person: Person) -> list[Role]:
    """The roles in which a person may disable gaming and enable it."""
    own = (*person.offices, *person.roles_at(EVERY_TABLE))
    return [role for role in approvals.DISABLERS if role in own]


def sees_orders(person: Person) -> bool:
    """Whether a person may see what is disabled, by whom and why."""
    own = (*person.offices, *person.roles_at(EVERY_TABLE))
    return any(role in READERS for role in own)


def read_order(fields: dict[str, str]) -> DisableGaming | EnableGaming:
    """The change of a filled-in form."""
    kind, _, name = fields.get("scope", "").partition(" ")
    about = {"reason": fields.get("reason", ""), **({kind: name} if name else {})}
    if fields.get("action") == "disable":
        return msgspec.convert(about, DisableGaming)
    named = fields.get("second", "")
    return EnableGaming(**about, second=parse_account(named, PRIVILEGED) if named else None)
