"""What people do at a table, by a request or over the feed that they look through.

Both ways lead through the same checks, to the same answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier.clock import now_ms
from croupier.errors import BadInput, CroupierError, Refusal
from croupier.ledger.aggregates.approvals import second_of
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Person
from croupier.server.auth.guard import BODY_MOST, NotSignedIn, TooLarge, body_of, session_token
from croupier.server.http.errors import (
    BROKEN,
    Forbidden,
    NotTheirs,
    error_body,
    http_status,
    json_response,
)
from croupier.server.http.request import check_key, decode_ask, decode_said, key_of, number_of
from croupier.server.school.school_messages import is_school
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Envelope, Role, kind_of
from croupier.table.core import codec
from croupier.table.core.roles import STAFF

if TYPE_CHECKING:
    from croupier.server.app import Server

log = logging.getLogger("croupier.server")

Where = tuple[Person, TableHost, tuple[Role, ...]]


class CommandEndpoint:
    """What one server lets people do."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def command(self, request: Request) -> Response:
        """Carry out one command."""
        where = await self._at_table(request, "command")
        key, player = key_of(request), request.query_params.get("player", "")
        given = codec.decode_command(await body_of(request))
        expected = number_of(request, "expected")
        return json_response(await self._carry_out(request, where, key, given, expected, player))

    async def ask(self, request: Request) -> Response:
        """Ask something of the machine that runs a practice table."""
        where = await self._at_table(request, "ask")
        given = decode_ask(await body_of(request))
        return json_response(await self._ask(request, where, key_of(request), given))

    async def agreement(self, request: Request) -> Response:
        """A second person agrees to a command that somebody else is about to give."""
        person, desk, roles = await self._at_table(request, "agreement")
        key = key_of(request)
        given = codec.decode_command(await body_of(request))
        second = second_of(given)
        if second is None:
            raise BadInput(f"{kind_of(given)} needs no second person")
        if second.id != person.id or second.role not in roles:
            await self.server.deny(request, person.id, kind_of(given), f"agrees as {second}")
            raise Forbidden(f"{person.id} cannot agree as {second}")
        await asyncio.to_thread(self.server.agreements.answer, desk.id, key, given, second)
        return json_response(msg.Problem(problem=""))

    async def said(self, socket: WebSocket, text: str) -> msg.FeedReply:
        """What somebody says over a feed; NotSignedIn if their session has ended."""
        id = ""
        try:
            where = await self.server.at_table(socket, "command")
            self.server.guard.limit("commands", session_token(socket))
            if len(text) > BODY_MOST:
                raise TooLarge(f"a message has at most {BODY_MOST} bytes")
            said = decode_said(text)
            id = said.id
            check_key(id)
            if said.ask is not msgspec.UNSET:
                done = await self._ask(socket, where, id, decode_ask(bytes(said.ask)))
            else:
                assert said.command is not msgspec.UNSET
                given = codec.decode_command(bytes(said.command))
                done = await self._carry_out(socket, where, id, given, said.expected, said.player)
            return msg.FeedReply(id=id, status=200, sequence=done.sequence, events=done.events)
        except NotSignedIn:
            raise
        except CroupierError as error:
            status = http_status(error)
            why = error_body(error, status)
        except Exception as error:  # of what goes wrong inside nobody is told
            log.error("a request failed", exc_info=error, extra={"method": "feed"})
            status, why = 500, BROKEN
        return msg.FeedReply(
            id=id, status=status, problem=why.problem, clause=why.clause, game=why.game
        )

    async def _at_table(self, request: Request, what: str) -> Where:
        where = await self.server.at_table(request, what)
        self.server.guard.limit("commands", session_token(request))
        return where

    async def _ask(
        self, connection: HTTPConnection, where: Where, key: str, given: msg.Ask
    ) -> msg.Done:
        person, desk, roles = where
        dealer = self.server.floor.dealers.get(desk.id)
        if dealer is None:
            raise desk.table.refusal("people serve this table; ask the dealer", "seated")
        if "player" not in roles:
            await self.server.deny(connection, person.id, "ask", "not a player")
            raise Forbidden(f"{person.id} is no player here")
        await dealer.ask(given, Account(person.id, "player"), key)
        return msg.Done(sequence=desk.sequence, events=())

    async def _carry_out(
        self,
        connection: HTTPConnection,
        where: Where,
        key: str,
        given: Command,
        expected: int | None,
        player: str,
    ) -> msg.Done:
        begun, status = time.perf_counter(), 200
        person, desk, _ = where
        kind, act = kind_of(given), desk.table.command_spec(type(given))
        allowed = act.roles if act is not None else ()
        by, entered = await self._who(connection, where, given, allowed, player)
        second = second_of(given)
        if second is not None:
            said = self.server.agreements.said
            if not await asyncio.to_thread(said, desk.id, key, given, second):
                await self.server.deny(connection, person.id, kind, f"{second} has not agreed")
                raise Forbidden(f"{second} has to agree to this first, signed in as themselves")
        try:
            line = await desk.execute(
                Envelope(key, by, now_ms(), given, entered), expected=expected
            )
            viewer = entered or by  # who types for a player sees no more for it
            told: Any = line.seen_by(viewer)  # written as JSON already
            return msg.Done(sequence=line.sequence, events=told)
        except CroupierError as error:
            status = http_status(error)
            if isinstance(error, Refusal) and by.role not in allowed:
                status = 403  # the table refused the person, and has noted it
                raise NotTheirs(error.problem, error.clause, game=error.game) from None
            raise
        finally:
            self.server.metrics.answered(kind, status, time.perf_counter() - begun)

    async def _who(
        self,
        connection: HTTPConnection,
        where: Where,
        given: Command,
        allowed: tuple[Role, ...],
        player: str,
    ) -> tuple[Account, Account | None]:
        """Who gives a command, and who types it where that is somebody else."""
        (person, desk, roles), kind = where, kind_of(given)
        if is_school(desk.id):
            await self.server.deny(connection, person.id, "command", f"{desk.id} is graded")
            raise Forbidden(f"{desk.id} is a lesson: its trainee acts there, and is graded")
        if kind == "bind_table":  # an approved submission is what binds a table, not a role at it
            await self.server.deny(connection, person.id, kind, "only under a submission")
            raise Forbidden("operators bind a table, under an approved submission")
        fitting = next((role for role in roles if role in allowed), roles[0])
        named = await self.server.role_of(connection, person, roles, kind)
        if not player:
            return Account(person.id, named or fitting), None
        # Said or laid down at the table, and typed by somebody who serves it.
        staff = next((role for role in roles if role in STAFF), None)
        if staff is None:
            await self.server.deny(connection, person.id, kind, f"acts for {player[:40]}")
            raise Forbidden(f"{person.id} cannot act for somebody else")
        return Account.named(player, "player"), Account(person.id, staff)
