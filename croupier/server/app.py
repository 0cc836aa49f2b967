"""The ASGI application: puts floor, guard, endpoints and middleware together."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import chain
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from croupier.errors import CroupierError
from croupier.server.api.account_pages import AccountPages
from croupier.server.api.coach_endpoints import CoachEndpoints
from croupier.server.api.command_endpoints import CommandEndpoints
from croupier.server.api.feed_endpoints import FeedEndpoints
from croupier.server.api.gaming_endpoints import GamingEndpoints
from croupier.server.api.own_account_endpoints import OwnAccountEndpoints, PasskeyEndpoints
from croupier.server.api.page_endpoints import PageEndpoints
from croupier.server.api.people_endpoints import PeopleEndpoints
from croupier.server.api.school_endpoints import SchoolEndpoints
from croupier.server.api.second_person_endpoints import SecondPersonEndpoints
from croupier.server.api.session_endpoints import SessionEndpoints
from croupier.server.api.submission_endpoints import SubmissionEndpoints
from croupier.server.api.system_endpoints import SoftwareEndpoints, SystemEndpoints
from croupier.server.api.table_endpoints import TableEndpoints
from croupier.server.auth.guard import Guard
from croupier.server.auth.password_pool import PasswordPool
from croupier.server.auth.second_person import SecondPersonRule
from croupier.server.floor import Floor
from croupier.server.http.endpoint import EndpointGroup
from croupier.server.http.errors import REFUSAL_SECONDS, TooManyRequests, error_response
from croupier.server.http.middleware import HostAndHeadersMiddleware
from croupier.server.metrics import Metrics
from croupier.server.oversight.day_endpoints import DayEndpoints
from croupier.server.oversight.report_endpoints import ReportEndpoints
from croupier.server.oversight.surveillance_endpoints import SurveillanceEndpoints
from croupier.server.pit.pit_endpoints import PitEndpoints
from croupier.server.practice.hand_endpoints import HandEndpoints
from croupier.server.school.lessons import School
from croupier.server.settings import Settings
from croupier.server.software_watch import SoftwareWatch

LINK_SECONDS = 3600.0  # how long a sign-in link of the demonstration is valid

GROUPS: tuple[type[EndpointGroup], ...] = (
    SystemEndpoints,
    SessionEndpoints,
    OwnAccountEndpoints,
    PasskeyEndpoints,
    PeopleEndpoints,
    TableEndpoints,
    CommandEndpoints,
    FeedEndpoints,
    CoachEndpoints,
    HandEndpoints,
    SurveillanceEndpoints,
    DayEndpoints,
    PitEndpoints,
    SubmissionEndpoints,
    ReportEndpoints,
    SchoolEndpoints,
    SecondPersonEndpoints,
    PageEndpoints,
    AccountPages,
    GamingEndpoints,
    SoftwareEndpoints,
)


class SignInLink(NamedTuple):
    """Whom a link signs in, and the code that it asks for, if any."""

    account: str
    code: str
    until: float  # on the monotonic clock


class Server:
    """What the endpoints of one server process share."""

    endpoints = tuple(chain.from_iterable(group.endpoints() for group in GROUPS))

    def __init__(self, floor: Floor, settings: Settings) -> None:
        self.floor = floor
        self.settings = settings
        self.metrics = Metrics(floor)
        self.guard = Guard(floor, settings, self.metrics)
        self.agreements = SecondPersonRule(floor.ledger)
        self.school = School(floor)
        self.passwords = PasswordPool()
        self.software = SoftwareWatch(floor)
        self.sign_in_links: dict[str, SignInLink] = {}  # by token; each works once
        self.visitors: dict[str, str] = {}  # people of the demonstration, and what they do

    def sign_in_link(self, account: str, code: str = "") -> str:
        """The path of a link that signs a person in, once, within `LINK_SECONDS`.

        With a code that they have to know.
        """
        token = secrets.token_urlsafe(24)
        until = time.monotonic() + LINK_SECONDS
        self.sign_in_links[token] = SignInLink(account, code, until)
        return f"/enter/{token}"

    def find_sign_in_link(self, token: str) -> SignInLink | None:
        """A link that has neither been used nor expired."""
        link = self.sign_in_links.get(token)
        return link if link is not None and time.monotonic() < link.until else None

    def routes(self) -> list[BaseRoute]:
        """Every route of the server."""
        groups = [group(self) for group in GROUPS]
        return list(chain.from_iterable(group.routes() for group in groups))


async def _handle_error(request: Request, error: Exception) -> Response:
    if isinstance(error, TooManyRequests):
        await asyncio.sleep(REFUSAL_SECONDS)
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
        floor.start_task("business metrics", server.metrics.business.run)
        try:
            if on_start is not None:
                await on_start(server)
            yield
        finally:
            await floor.stop()
            server.passwords.close()

    app = Starlette(
        routes=server.routes(),
        middleware=[Middleware(GZipMiddleware, minimum_size=2_000, compresslevel=6)],
        lifespan=lifespan,
        exception_handlers={
            CroupierError: _handle_error,
            HTTPException: _handle_error,
            Exception: _handle_error,
        },
    )
    return HostAndHeadersMiddleware(app, settings.hosts, server.metrics.count_request)
