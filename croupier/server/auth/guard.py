"""Authentication, authorization, origin checks and rate limits.

Every handler asks the guard itself: access depends on the person and the table, never on the path.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from croupier.server.auth.person import Person
from croupier.server.auth.rate_limit import TokenBucket
from croupier.server.auth.sessions import (
    NotAdmitted,
    SessionCache,
    SessionLocked,
    token_digest,
)
from croupier.server.floor import Floor
from croupier.server.http.endpoint import request_cost
from croupier.server.http.errors import (
    Forbidden,
    NotSignedIn,
    SessionIsLocked,
    TooManyRequests,
)
from croupier.server.http.request import client_address
from croupier.server.metrics import Metrics
from croupier.server.settings import Settings
from croupier.server.tables.host import TableHost
from croupier.table import Role

SESSION_COOKIE = "croupier_session"
BACKGROUND = "croupier-background"  # header of a request that a screen repeats by itself
FEEDS_MAX = 50  # open ones of an account
ENTRIES_PER_COST = 4  # ledger entries that cost as much as one request
SESSION_CHECK_SECONDS = 20.0  # between checks whether the session of an open feed still exists
PROXY_HEADERS = {"forwarded", "x-forwarded-for", "x-real-ip"}
_CREDENTIALS = "croupier.credentials"  # where the scope of a connection caches them

log = logging.getLogger("croupier.server")


class TableAccess(NamedTuple):
    """A signed-in person at a table, and the roles of the person there."""

    person: Person
    host: TableHost
    roles: tuple[Role, ...]


class Guard:
    """Decides who may make a request, and how often."""

    def __init__(self, floor: Floor, settings: Settings, metrics: Metrics) -> None:
        self.floor = floor
        self.settings = settings
        self.metrics = metrics
        self._limits = {
            name: TokenBucket(getattr(settings, name))
            for name in ("commands", "sign_ins", "requests")
        }
        self._sessions = SessionCache(floor.accounts)
        self._feeds: Counter[str] = Counter()  # open ones by account
        self._open_feeds: dict[str, set[asyncio.Future[None]]] = {}  # by the digest of the token

    # Authentication

    async def person(self, connection: HTTPConnection) -> Person:
        """The signed-in person, by session cookie or bearer token; NotSignedIn without one.

        SessionIsLocked after too long without a request, those in the background not counted.
        """
        token, hashed, is_bearer = credentials(connection)
        known = self._sessions.find(hashed)  # an account has one budget for all its sessions
        payer = f"account {known.id}" if known is not None else client_address(connection)
        self.limit("requests", payer, request_cost(connection))
        if not token:
            raise NotSignedIn("sign in first")
        if not is_bearer:
            self.check_origin(connection)
        used = BACKGROUND not in connection.headers
        try:
            return await self._sessions.person(token, hashed, used=used)
        except SessionLocked as error:
            raise SessionIsLocked(str(error)) from None
        except NotAdmitted as error:
            raise NotSignedIn(str(error)) from None

    def forget(self, token: str) -> None:
        """Forget a session that has ended, and close its open feeds."""
        self._sessions.forget(token_digest(token))
        for ended in self._open_feeds.get(token_digest(token), ()):
            if not ended.done():
                ended.set_result(None)

    def reread(self, token: str) -> None:
        """Read a session again at its next request: the roles of its person have changed."""
        self._sessions.forget(token_digest(token))

    async def wait_for_session_end(self, connection: HTTPConnection) -> None:
        """Wait until the session of an open feed ends, at any server; then raise NotSignedIn.

        An open feed does not extend the idle timeout.
        """
        token, hashed, _ = credentials(connection)
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open_feeds.setdefault(hashed, set()).add(ended)
        try:
            while not ended.done():
                await asyncio.wait((ended,), timeout=SESSION_CHECK_SECONDS)
                if not ended.done() and not self._sessions.is_valid(hashed):
                    with suppress(SQLAlchemyError):  # no database now: checked again later
                        await asyncio.to_thread(self.floor.accounts.authenticate, token, used=False)
            raise NotSignedIn("this session has ended; sign in again")
        except SessionLocked as error:
            raise SessionIsLocked(str(error)) from None
        except NotAdmitted as error:
            raise NotSignedIn(str(error)) from None
        finally:
            self._open_feeds[hashed].discard(ended)
            if not self._open_feeds[hashed]:
                del self._open_feeds[hashed]

    def check_origin(self, connection: HTTPConnection) -> None:
        """Forbid requests that a page of another site makes with the session cookie (CSRF)."""
        headers = connection.headers
        is_socket = connection.scope["type"] == "websocket"
        is_read = not is_socket and connection.scope["method"] in ("GET", "HEAD")
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none") and not is_read:
            raise Forbidden("this request comes from another site")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host"):
            raise Forbidden("this request comes from another site")
        if origin is None and site is None and not is_read:
            raise Forbidden("a browser must send its origin; a program must send a bearer token")

    # Authorization

    async def table_access(self, connection: HTTPConnection, action: str) -> TableAccess:
        """The person and the table of a request; Forbidden if the person has no role there."""
        person = await self.person(connection)
        host = self.floor.table_host(connection.path_params["table"])
        roles = person.roles_at(host.id)
        if not roles:
            await self.deny(connection, person.id, action, f"no role at {host.id}")
            raise Forbidden(f"{person.id} has no role at {host.id}")
        return TableAccess(person, host, roles)

    async def command_access(self, connection: HTTPConnection, action: str) -> TableAccess:
        """`table_access` for a request that counts against the limit of commands."""
        access = await self.table_access(connection, action)
        self.limit("commands", access.person.id)
        return access

    async def requested_role(
        self, connection: HTTPConnection, access: TableAccess, action: str
    ) -> Role | None:
        """The role in the query, which the person must have; None if the query names none."""
        name = connection.query_params.get("role")
        if name is None:
            return None
        for role in access.roles:
            if role == name:
                return role
        await self.deny(connection, access.person.id, action, f"not a {name[:20]}")
        raise Forbidden(f"{access.person.id} is not a {name[:20]} here")

    async def deny(self, connection: HTTPConnection, account: str, action: str, why: str) -> None:
        """Count, log and record a denied attempt; the caller raises the error."""
        self.log_denied(account, action, why)
        await self.floor.denied_attempts.note(account, client_address(connection), action, why)

    def log_denied(self, account: str, action: str, why: str) -> None:
        """Count and log a denied attempt that is recorded elsewhere."""
        self.metrics.denied.inc()
        log.warning("denied", extra={"account": account, "kind": action, "why": why})

    # Rate limits and client addresses

    def limit(self, name: str, key: str, cost: float = 1) -> None:
        """Count one request against a limit of the settings; TooManyRequests beyond it."""
        if not self._limits[name].hit(key, cost):
            raise TooManyRequests(f"too many {name.replace('_', '-')}; wait a moment")

    def charge_entries(self, account: str, count: int) -> None:
        """Count ledger entries that are read for a feed; TooManyRequests beyond the limit."""
        self.limit("requests", f"account {account}", count / ENTRIES_PER_COST)

    @contextmanager
    def open_feed(self, account: str) -> Iterator[None]:
        """Count a feed of an account while it is open; TooManyRequests beyond the limit."""
        if self._feeds[account] >= FEEDS_MAX:
            raise TooManyRequests(f"{FEEDS_MAX} feeds are open; close one first")
        self._feeds[account] += 1
        try:
            yield
        finally:
            self._feeds[account] -= 1
            if not self._feeds[account]:
                del self._feeds[account]

    def is_local(self, connection: HTTPConnection) -> bool:
        """Whether the client is on this machine and not behind a proxy."""
        if self.settings.proxied or PROXY_HEADERS & set(connection.headers):
            return False
        try:
            return ipaddress.ip_address(client_address(connection)).is_loopback
        except ValueError:
            return False

    def may_read_metrics(self, connection: HTTPConnection) -> bool:
        """Whether metrics are allowed for the client; never through an unknown proxy."""
        if not self.settings.proxied and PROXY_HEADERS & set(connection.headers):
            return False
        try:
            address = ipaddress.ip_address(client_address(connection))
        except ValueError:
            return False
        return any(address in ipaddress.ip_network(each) for each in self.settings.metrics_for)


class Credentials(NamedTuple):
    """The session token of a connection."""

    token: str
    hashed: str  # the digest under which sessions are stored
    is_bearer: bool  # sent in a header, which another site cannot make a browser do


def credentials(connection: HTTPConnection) -> Credentials:
    """The credentials of a connection, parsed once however many messages it carries."""
    cached: Credentials | None = connection.scope.get(_CREDENTIALS)
    if cached is None:
        scheme, blank, token = connection.headers.get("authorization", "").partition(" ")
        is_bearer = scheme.lower() == "bearer"
        token = token.strip() if is_bearer else connection.cookies.get(SESSION_COOKIE, "")
        cached = Credentials(token, token_digest(token) if token else "", is_bearer and bool(blank))
        connection.scope[_CREDENTIALS] = cached
    return cached


def session_token(connection: HTTPConnection) -> str:
    """The session token of a connection, or nothing."""
    return credentials(connection).token
