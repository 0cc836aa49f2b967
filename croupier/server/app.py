"""The ASGI application: puts floor, guard, endpoints and middleware together."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import chain

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from croupier.errors import CroupierError
from croupier.server.api.coach_endpoints import CoachEndpoints
from croupier.server.api.command_endpoints import CommandEndpoints
from croupier.server.api.feed_endpoints import FeedEndpoints
from croupier.server.api.page_endpoints import STATIC, PageEndpoints
from croupier.server.api.pit_endpoints import PitEndpoints
from croupier.server.api.report_endpoints import ReportEndpoints
from croupier.server.api.school_endpoints import SchoolEndpoints
from croupier.server.api.second_person_endpoints import SecondPersonEndpoints
from croupier.server.api.session_endpoints import SessionEndpoints
from croupier.server.api.submission_endpoints import SubmissionEndpoints
from croupier.server.api.surveillance_endpoints import SurveillanceEndpoints
from croupier.server.api.system_endpoints import SystemEndpoints
from croupier.server.api.table_endpoints import TableEndpoints
from croupier.server.auth.guard import Guard
from croupier.server.auth.second_person import SecondPersonRule
from croupier.server.floor import Floor
from croupier.server.http.endpoint import EndpointGroup
from croupier.server.http.errors import error_response
from croupier.server.http.middleware import HostAndHeadersMiddleware
from croupier.server.metrics import Metrics
from croupier.server.school.lessons import School
from croupier.server.settings import Settings

GROUPS: tuple[type[EndpointGroup], ...] = (
    SystemEndpoints,
    SessionEndpoints,
    TableEndpoints,
    CommandEndpoints,
    FeedEndpoints,
    CoachEndpoints,
    SurveillanceEndpoints,
    PitEndpoints,
    SubmissionEndpoints,
    ReportEndpoints,
    SchoolEndpoints,
    SecondPersonEndpoints,
    PageEndpoints,
)


class Server:
    """What the endpoints of one server process share."""

    endpoints = tuple(chain.from_iterable(group.endpoints() for group in GROUPS))

    def __init__(self, floor: Floor, settings: Settings) -> None:
        self.floor = floor
        self.settings = settings
        self.metrics = Metrics(floor)
        self.guard = Guard(floor, settings, self.metrics)
        self.agreements = SecondPersonRule(floor.ledger, floor.accounts)
        self.school = School(floor)
        self.sign_in_links: dict[str, str] = {}  # accounts by token; each works once
        self.visitors: dict[str, str] = {}  # people of the demonstration, and what they do

    def sign_in_link(self, account: str) -> str:
        """The path of a link that signs a person in, once."""
        token = secrets.token_urlsafe(24)
        self.sign_in_links[token] = account
        return f"/enter/{token}"

    def routes(self) -> list[BaseRoute]:
        """Every route of the server."""
        groups = [group(self) for group in GROUPS]
        static = Mount("/static", StaticFiles(directory=STATIC))
        return [*chain.from_iterable(group.routes() for group in groups), static]


async def _handle_error(request: Request, error: Exception) -> Response:
    return error_response(error, request.method)


def make_app(
    floor: Floor,
    settings: Settings | None = None,
    *,
    on_start: Callable[[Server], Awaitable[None]] | None = None,
) -> ASGIApp:
    """The server as an ASGI application, which starts and stops the floor."""
    settings = settings or Settings()
    server = Server(floor, settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await floor.start()
        try:
            if on_start is not None:
                await on_start(server)
            yield
        finally:
            await floor.stop()

    app = Starlette(
        routes=server.routes(),
        lifespan=lifespan,
        exception_handlers={CroupierError: _handle_error, Exception: _handle_error},
    )
    return HostAndHeadersMiddleware(app, settings.hosts, server.metrics.count_request)
