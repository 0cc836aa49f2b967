"""The server: HTTP to act, a feed to look, pages for people. Access is decided at each endpoint."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from croupier.errors import CroupierError
from croupier.server import protocol as msg
from croupier.server.api import (
    coach_endpoints,
    feed_endpoints,
    page_endpoints,
    page_endpoints_paging,
    pit_endpoints,
    report_endpoints,
    school_endpoints,
    second_person_endpoints,
    submission_endpoints,
    surveillance_endpoints,
)
from croupier.server.api.command_endpoints import CommandEndpoint
from croupier.server.api.felt_endpoint import felt_of
from croupier.server.auth.accounts import Locked, NotAdmitted, Person
from croupier.server.auth.guard import (
    COOKIE,
    Authenticator,
    HostAndHeadersMiddleware,
    NotSignedIn,
    Settings,
    TooMany,
    body_of,
    client_address,
    session_token,
)
from croupier.server.auth.second_person import SecondPersonRule
from croupier.server.cluster.proxy import OwnerProxy
from croupier.server.floor import Floor, house_card
from croupier.server.http.errors import (
    Forbidden,
    http_status,
    internal_error,
    json_response,
    problem,
)
from croupier.server.http.fast_path import FastPath
from croupier.server.http.openapi import document, schemas
from croupier.server.http.request import decode_sign_in
from croupier.server.metrics import Metrics
from croupier.server.tables.frames import snapshot
from croupier.server.tables.host import TableHost
from croupier.table import Account, Role

log = logging.getLogger("croupier.server")


class Server:
    """One server process: the floor, its door, and what is measured."""

    def __init__(self, floor: Floor, settings: Settings) -> None:
        self.floor = floor
        self.settings = settings
        self.guard = Authenticator(floor.accounts, settings)
        self.metrics = Metrics(floor)
        self.agreements = SecondPersonRule(floor.ledger, floor.accounts)
        self.doing = CommandEndpoint(self)
        self.entries: dict[str, str] = {}  # links that let somebody in once: token to account
        self.visitors: dict[str, str] = {}  # people of a demonstration: name to what they do

    # Who, where, as what

    async def at_table(
        self, connection: HTTPConnection, what: str
    ) -> tuple[Person, TableHost, tuple[Role, ...]]:
        """Whoever asks, the table, and the roles they have there; refused without any."""
        person = await self.guard.person(connection)
        desk = self.floor.table_host(connection.path_params["table"])
        roles = person.roles_at(desk.id)
        if not roles:
            await self.deny(connection, person.id, what, f"no role at {desk.id}")
            raise Forbidden(f"{person.id} has no role at {desk.id}")
        return person, desk, roles

    async def role_of(
        self, connection: HTTPConnection, person: Person, roles: tuple[Role, ...], what: str
    ) -> Role | None:
        """The role that a request is made in, if it says one."""
        named = connection.query_params.get("role")
        if named is None:
            return None
        for role in roles:
            if role == named:
                return role
        await self.deny(connection, person.id, what, f"not a {named[:20]}")
        raise Forbidden(f"{person.id} is not a {named[:20]} here")

    async def deny(self, connection: HTTPConnection, account: str, what: str, why: str) -> None:
        self.metrics.denied.inc()
        log.warning("denied", extra={"account": account, "kind": what, "why": why})
        await self.floor.denied_attempts.note(account, client_address(connection), what, why)

    # Looking

    async def lobby(self, request: Request) -> Response:
        """Every table that somebody may look at."""
        return json_response(self.floor.lobby(await self.guard.person(request)))

    async def me(self, request: Request) -> Response:
        """Whoever asks."""
        person = await self.guard.person(request)
        return json_response(msg.Me(account=person.id, roles=person.roles, offices=person.offices))

    async def house(self, request: Request) -> Response:
        """What a screen needs to know of a table's House."""
        _, desk, _ = await self.at_table(request, "look")
        return json_response(house_card(desk.id, desk.table.submitted))

    async def felt(self, request: Request) -> Response:
        """The drawing of a table's felt."""
        _, desk, _ = await self.at_table(request, "look")
        return Response(felt_of(desk.table.submitted).svg(), media_type="image/svg+xml")

    async def state(self, request: Request) -> Response:
        """A snapshot, as a feed begins with."""
        person, desk, roles = await self.at_table(request, "look")
        role = await self.role_of(request, person, roles, "look") or roles[0]
        return json_response(snapshot(desk, Account(person.id, role), roles))

    # Coming and going

    async def begin_session(self, request: Request) -> Response:
        """Sign in with a browser: the token is in a cookie that no script reads."""
        self.guard.check_origin(request)
        person, token = await self.sign_in(request, decode_sign_in(await body_of(request)))
        response = json_response(
            msg.Me(account=person.id, roles=person.roles, offices=person.offices)
        )
        self.set_cookie(response, token)
        return response

    async def begin_token(self, request: Request) -> Response:
        """Sign in with a program: the token is told once."""
        person, token = await self.sign_in(request, decode_sign_in(await body_of(request)))
        return json_response(msg.Token(person.id, token))

    async def sign_in(self, request: HTTPConnection, given: msg.SignIn) -> tuple[Person, str]:
        """Somebody with a new session; a wrong name or password is kept."""
        self.guard.limit("sign_ins", client_address(request))
        try:
            return await asyncio.to_thread(self.floor.accounts.sign_in, given.name, given.password)
        except NotAdmitted as error:
            await self.deny(request, given.name, "sign_in", type(error).__name__)
            if isinstance(error, Locked):
                raise TooMany(str(error)) from None
            raise NotSignedIn(str(error)) from None

    async def end_session(self, request: Request) -> Response:
        """Sign out."""
        await self.guard.person(request)
        await self.sign_out(request)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, path="/")
        return response

    async def sign_out(self, request: HTTPConnection) -> None:
        """End the session that a request shows."""
        token = session_token(request)
        await asyncio.to_thread(self.floor.accounts.end, token)
        self.guard.forget(token)

    def set_cookie(self, response: Response, token: str) -> None:
        """A cookie that no script reads and no other site sends."""
        response.set_cookie(
            COOKIE, token, path="/", httponly=True, samesite="strict", secure=self.settings.secure
        )

    def let_in(self, account: str) -> str:
        """The path of a link that signs somebody in, once."""
        token = secrets.token_urlsafe(24)
        self.entries[token] = account
        return f"/enter/{token}"

    # About itself

    async def live(self, request: Request) -> Response:
        """The process answers."""
        return json_response({"live": True})

    async def ready(self, request: Request) -> Response:
        """Its tables are open and the record can be read."""
        if not self.floor.ready:
            return json_response({"ready": False}, 503)
        await asyncio.to_thread(self.floor.ledger.store.head)
        return json_response({"ready": True})

    async def measured(self, request: Request) -> Response:
        """For Prometheus."""
        if not self.guard.may_measure(request):
            raise Forbidden("metrics are not for this address")
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def described(self, request: Request) -> Response:
        """The protocol, as OpenAPI."""
        return Response(document(), media_type="application/json")

    async def schema(self, request: Request) -> Response:
        """One JSON Schema."""
        found = schemas().get(request.path_params["name"])
        return Response(found, media_type="application/json") if found else json_response({}, 404)

    def watch(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log one request; its address is not written down."""
        if scope["type"] == "http":
            self.metrics.requests.labels(scope["method"], str(status)).inc()

    def routes(self) -> list[BaseRoute]:
        """Every address of the server."""
        lessons = school_endpoints.SchoolEndpoints(self)
        return [
            Route("/health/live", self.live),
            Route("/health/ready", self.ready),
            Route("/metrics", self.measured),
            Route("/openapi.json", self.described),
            Route("/schemas/{name}", self.schema),
            Route("/session", self.begin_session, methods=["POST"]),
            Route("/session", self.end_session, methods=["DELETE"]),
            Route("/tokens", self.begin_token, methods=["POST"]),
            Route("/me", self.me),
            Route("/tables", self.lobby),
            Route("/tables/{table}", self.house),
            Route("/tables/{table}/felt.svg", self.felt),
            Route("/tables/{table}/state", self.state),
            Route("/tables/{table}/commands", self.doing.command, methods=["POST"]),
            Route("/tables/{table}/agreements", self.doing.agreement, methods=["POST"]),
            Route("/tables/{table}/asks", self.doing.ask, methods=["POST"]),
            *feed_endpoints.routes(self),
            *coach_endpoints.routes(self),
            *surveillance_endpoints.routes(self),
            *pit_endpoints.routes(self),
            *submission_endpoints.routes(self),
            *report_endpoints.routes(self),
            *second_person_endpoints.routes(self),
            *page_endpoints_paging.routes(self, page_endpoints.Pages(self), lessons),
            *school_endpoints.routes(lessons),
            *page_endpoints.routes(self),
            Mount("/static", StaticFiles(directory=page_endpoints.STATIC)),
        ]


async def _said(request: Request, error: Exception) -> Response:
    assert isinstance(error, CroupierError)
    return problem(error, http_status(error))


async def _broken(request: Request, error: Exception) -> Response:
    return internal_error(error, request.method)


def make_app(
    floor: Floor,
    settings: Settings | None = None,
    *,
    on_start: Callable[[Server], Awaitable[None]] | None = None,
) -> ASGIApp:
    """The server as an ASGI application; it starts and stops the floor."""
    chosen = settings or Settings()
    server = Server(floor, chosen)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await floor.start()
        try:
            if on_start is not None:
                await on_start(server)
            yield
        finally:
            await floor.stop()
            await forwarding.close()

    app = Starlette(
        routes=server.routes(),
        lifespan=lifespan,
        exception_handlers={CroupierError: _said, Exception: _broken},
    )
    app.state.server = server
    doors = {"commands": server.doing.command, "asks": server.doing.ask}
    acting = FastPath(app, doors, feed_endpoints.FeedEndpoint(server).feed)
    forwarding = OwnerProxy(acting, floor, server.metrics.forwarded.inc)
    return HostAndHeadersMiddleware(forwarding, chosen, partial(Server.watch, server))
