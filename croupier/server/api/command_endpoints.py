"""Command endpoints, over HTTP and over the feed: authorization, idempotency, errors.

Both transports pass through the same checks and give the same replies.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier.clock import now_ms
from croupier.errors import BadInput, CroupierError, Refusal
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.server import protocol as msg
from croupier.server.api.table_endpoints import ROLE
from croupier.server.auth.guard import TableAccess
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import (
    BodyTooLarge,
    Forbidden,
    NotSignedIn,
    RoleRefused,
    error_reply,
    http_status,
    json_response,
)
from croupier.server.http.request import (
    MAX_BODY_BYTES,
    check_key,
    decode,
    idempotency_key,
    int_param,
    read_body,
)
from croupier.server.http.request_id import request_id
from croupier.table import Account, Command, Envelope, Role, kind_of
from croupier.table.core import codec
from croupier.table.core.roles import STAFF

PLAYER = Query("player", "The player for whom staff enters the command.")
EXPECTED = Query("expected", "The last entry that the client has seen.", "integer")


log = logging.getLogger("croupier.server")


class CommandId(msgspec.Struct):
    """The id of a command over the feed, whatever else the message has."""

    id: str


class CommandEndpoints(EndpointGroup):
    """Commands to tables, and requests to the dealer bot of practice tables."""

    @endpoint(
        "POST",
        "/tables/{table}/commands",
        takes="Command",
        gives=msg.Done,
        idempotent=True,
        query=(ROLE, PLAYER, EXPECTED),
    )
    async def command(self, request: Request) -> Response:
        """Execute a command at a table."""
        access = await self.guard.command_access(request, "command")
        key, player = idempotency_key(request), request.query_params.get("player", "")
        command = codec.decode_command(await read_body(request))
        expected = int_param(request, "expected")
        return json_response(await self._execute(request, access, key, command, expected, player))

    @endpoint("POST", "/tables/{table}/asks", takes="Ask", gives=msg.Done, idempotent=True)
    async def ask(self, request: Request) -> Response:
        """Ask something of the dealer bot of a practice table."""
        access = await self.guard.command_access(request, "ask")
        ask = _decode_ask(await read_body(request))
        return json_response(await self._ask(request, access, idempotency_key(request), ask))

    async def reply(self, socket: WebSocket, text: str) -> msg.FeedReply:
        """Execute a command that came over a feed; NotSignedIn if the session has ended.

        The reply has the id of the command, whatever is wrong with it, unless it has none.
        """
        id = ""
        ids = request_id.set("")
        try:
            with suppress(BadInput):  # counted all the same
                id = decode(text, CommandId).id
                request_id.set(id[: msg.KEY_MAX])
            access = await self.guard.command_access(socket, "command")
            if len(text) > MAX_BODY_BYTES:
                raise BodyTooLarge(f"a message has at most {MAX_BODY_BYTES} bytes")
            message: msg.FeedCommand = decode(text, msg.FeedCommand)
            if (message.command is msgspec.UNSET) == (message.ask is msgspec.UNSET):
                raise BadInput("expected either a command or an ask")
            check_key(id)
            if message.ask is not msgspec.UNSET:
                done = await self._ask(socket, access, id, _decode_ask(bytes(message.ask)))
            else:
                assert message.command is not msgspec.UNSET
                command = codec.decode_command(bytes(message.command))
                done = await self._execute(
                    socket, access, id, command, message.expected, message.player
                )
            return msg.FeedReply(id=id, status=200, sequence=done.sequence, events=done.events)
        except NotSignedIn:
            raise
        except Exception as error:
            status, problem = error_reply(error, "feed")
            return msg.FeedReply(id=id, status=status, **msgspec.structs.asdict(problem))
        finally:
            request_id.reset(ids)

    async def _ask(
        self, connection: HTTPConnection, access: TableAccess, key: str, ask: msg.Ask
    ) -> msg.Done:
        person, host, roles = access
        dealer = self.floor.dealers.get(host.id)
        if dealer is None:
            raise host.table.refusal("this table has human staff; ask the dealer", "seated")
        if "player" not in roles:
            await self.guard.deny(connection, person.id, "ask", "not a player")
            raise Forbidden(f"{person.id} is not a player here")
        await dealer.ask(ask, Account(person.id, "player"), key)
        return msg.Done(sequence=host.sequence, events=())

    async def _execute(
        self,
        connection: HTTPConnection,
        access: TableAccess,
        key: str,
        command: Command,
        expected: int | None,
        player: str,
    ) -> msg.Done:
        started, status, sequence = time.perf_counter(), 200, None
        person, host, _ = access
        kind, act = kind_of(command), host.table.command_spec(type(command))
        allowed = act.roles if act is not None else ()
        by, entered_by = await self._actor(connection, access, kind, allowed, player)
        second = find_second_person(command)
        if second is not None:
            agreed = self.server.agreements.has_agreed
            if not await asyncio.to_thread(agreed, host.id, key, command, second):
                await self.guard.deny(connection, person.id, kind, f"{second} has not agreed")
                raise Forbidden(f"{second} must agree first, from their own session")
        try:
            entry = await host.execute(
                Envelope(key, by, now_ms(), command, entered_by), expected=expected
            )
            sequence = entry.sequence
            if second is not None:
                self.server.agreements.mark_done(host.id, person.id, key)
            # Staff who enter a command for a player see no more than staff.
            events: Any = entry.events_for(entered_by or by)  # encoded as JSON already
            return msg.Done(sequence=entry.sequence, events=events)
        except CroupierError as error:
            status = http_status(error)
            if isinstance(error, Refusal) and by.role not in allowed:
                status = 403  # the table has recorded the attempt
                raise RoleRefused(error.problem, error.clause, game=error.game) from None
            raise
        finally:
            seconds = time.perf_counter() - started
            self.server.metrics.answered(kind, status, seconds)
            place = {"table": host.id, "kind": kind, "status": status, "sequence": sequence}
            log.info("command", extra=place | {"milliseconds": round(seconds * 1000, 1)})

    async def _actor(
        self,
        connection: HTTPConnection,
        access: TableAccess,
        kind: str,
        allowed: tuple[Role, ...],
        player: str,
    ) -> tuple[Account, Account | None]:
        """The account that gives a command, and the staff account that enters it for a player."""
        person, host, roles = access
        if host.is_lesson:
            await self.guard.deny(connection, person.id, "command", f"{host.id} is graded")
            raise Forbidden(f"{host.id} is a dealer school table; only its trainee may act there")
        if kind == "bind_table":  # only an approved submission binds a table, never a role
            await self.guard.deny(connection, person.id, kind, "only under a submission")
            raise Forbidden("only an operator may bind a table, under an approved submission")
        default = next((role for role in roles if role in allowed), roles[0])
        requested = await self.guard.requested_role(connection, access, kind)
        if not player:
            return Account(person.id, requested or default), None
        staff = next((role for role in roles if role in STAFF), None)
        if staff is None:
            await self.guard.deny(connection, person.id, kind, f"acts for {player[:40]}")
            raise Forbidden(f"{person.id} cannot act for another person")
        return Account.named(player, "player"), Account(person.id, staff)


def _decode_ask(data: bytes) -> msg.Ask:
    ask: msg.Ask = decode(data, msg.AnyAsk, "Ask")
    return ask
