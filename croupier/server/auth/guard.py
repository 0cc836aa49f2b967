"""The door of the server: who is asking, from where, how often, and what every answer carries.

Nothing here looks at a path to decide on access: that is for each endpoint, by person and table.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.errors import CroupierError
from croupier.server.auth.accounts import Accounts, NotAdmitted, Person, token_digest
from croupier.server.auth.rate_limit import TokenBucket
from croupier.server.auth.session_cache import SessionCache
from croupier.server.protocol import PROTOCOL

COOKIE = "croupier_session"
SHOWN = "croupier.shown"  # where a connection keeps what it shows
LOOKED_SECONDS = 20.0  # after which a feed asks whether its session goes on
BODY_MOST = 64 * 1024
PROXY_HEADERS = {"forwarded", "x-forwarded-for", "x-real-ip"}

# Scripts and styles come from this server alone, and no text becomes markup.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",  # with none at all a browser would not say its origin
    "x-content-type-options": "nosniff",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "croupier-protocol": str(PROTOCOL),
    "cache-control": "no-store",  # unless an answer says otherwise
}
_ON_EVERY_ANSWER = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How strict the door is; the defaults are for a server on its own machine."""

    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    secure: bool = False  # behind TLS: cookies are sent over nothing else
    commands: str = "60/second"  # by one session
    sign_ins: str = "20/minute"  # from one address
    requests: str = "300/second"  # by one session, or from one address
    proxied: bool = False  # a proxy says whom requests come from
    metrics_for: tuple[str, ...] = ("127.0.0.0/8", "::1/128")


class Closed(CroupierError):
    """A request that the door does not let through."""

    status = 403


class TooMany(Closed):
    """Too much at once."""

    status = 429


class TooLarge(Closed):
    """A body that no message of ours has."""

    status = 413


class NotSignedIn(Closed):
    """Nobody is signed in here."""

    status = 401


class Authenticator:
    """Sessions, rates and origins, asked by every endpoint."""

    def __init__(self, accounts: Accounts, settings: Settings) -> None:
        self.accounts = accounts
        self.settings = settings
        self._rates = {
            name: TokenBucket(getattr(settings, name))
            for name in ("commands", "sign_ins", "requests")
        }
        self._sessions = SessionCache(accounts)
        self._looking: dict[str, set[asyncio.Future[None]]] = {}  # feeds, by their session

    async def person(self, connection: HTTPConnection) -> Person:
        """Whoever asks, by the session of a browser or the token of a program."""
        token, hashed, program = credentials(connection)
        self.limit("requests", hashed or client_address(connection))
        if not token:
            raise NotSignedIn("sign in first")
        if not program:
            self.check_origin(connection)
        try:
            return await self._sessions.person(token, hashed)
        except NotAdmitted as error:
            raise NotSignedIn(str(error)) from None

    def forget(self, token: str) -> None:
        """A session ended: nothing more is asked or seen with it."""
        self._sessions.forget(token_digest(token))
        for left in self._looking.get(token_digest(token), ()):
            if not left.done():
                left.set_result(None)

    async def until_left(self, connection: HTTPConnection) -> None:
        """Wait until the session of whoever looks on has ended, here or elsewhere; then refuse.

        Looking on is no use of a session: one that nobody uses ends under an open feed too.
        """
        token, hashed, _ = credentials(connection)
        left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._looking.setdefault(hashed, set()).add(left)
        try:
            while not left.done():
                await asyncio.wait((left,), timeout=LOOKED_SECONDS)
                if not left.done() and not self._sessions.is_valid(hashed):
                    with suppress(SQLAlchemyError):  # the database is away: asked again
                        await asyncio.to_thread(self.accounts.authenticate, token, used=False)
            raise NotSignedIn("this session has ended; sign in again")
        except NotAdmitted as error:
            raise NotSignedIn(str(error)) from None
        finally:
            self._looking[hashed].discard(left)
            if not self._looking[hashed]:
                del self._looking[hashed]

    def limit(self, rate: str, key: str) -> None:
        """Count one more; refused when there are too many."""
        if not self._rates[rate].hit(key):
            raise TooMany(f"too many {rate.replace('_', '-')}; wait a moment")

    def check_origin(self, connection: HTTPConnection) -> None:
        """A page of another site may neither write nor listen in somebody's name."""
        headers = connection.headers
        socket = connection.scope["type"] == "websocket"
        reads = not socket and connection.scope["method"] in ("GET", "HEAD")
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none") and not reads:
            raise Closed("this request comes from another site")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host"):
            raise Closed("this request comes from another site")
        if origin is None and site is None and not reads:
            raise Closed("a browser says where it comes from; programs send a token")

    def is_local(self, connection: HTTPConnection) -> bool:
        """Whether it is asked from this very machine, and by nobody behind a proxy on it."""
        if self.settings.proxied or PROXY_HEADERS & set(connection.headers):
            return False
        try:
            return ipaddress.ip_address(client_address(connection)).is_loopback
        except ValueError:
            return False

    def may_measure(self, connection: HTTPConnection) -> bool:
        """Whether the metrics are for whoever asks; somebody behind an unknown proxy is anybody."""
        if not self.settings.proxied and PROXY_HEADERS & set(connection.headers):
            return False
        try:
            address = ipaddress.ip_address(client_address(connection))
        except ValueError:
            return False
        return any(address in ipaddress.ip_network(each) for each in self.settings.metrics_for)


class Credentials(NamedTuple):
    """How a connection says whose it is."""

    token: str
    hashed: str  # what is known of the token where sessions are kept
    program: bool  # a token in a header is sent by nobody who was tricked into it


def credentials(connection: HTTPConnection) -> Credentials:
    """What a connection shows; looked at once, however much is said over it."""
    found: Credentials | None = connection.scope.get(SHOWN)
    if found is None:
        kind, blank, token = connection.headers.get("authorization", "").partition(" ")
        bearer = kind.lower() == "bearer"
        token = token.strip() if bearer else connection.cookies.get(COOKIE, "")
        found = Credentials(token, token_digest(token) if token else "", bearer and bool(blank))
        connection.scope[SHOWN] = found
    return found


def session_token(connection: HTTPConnection) -> str:
    """The token that a request shows."""
    return credentials(connection).token


def client_address(connection: HTTPConnection) -> str:
    """The address that is asking."""
    return connection.client.host if connection.client else "unknown"


async def body_of(request: Request) -> bytes:
    """The body of a JSON request, if it is one and not too long."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise NotJson(f"application/json is expected, got {kind[:40] or 'nothing'}")
    found, more = b"", True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise Closed("the request was not sent to its end")
        found += message.get("body", b"")
        more = message.get("more_body", False)
        if len(found) > BODY_MOST:
            raise TooLarge(f"a message has at most {BODY_MOST} bytes")
    return found


class NotJson(Closed):
    """Another kind of content."""

    status = 415


class HostAndHeadersMiddleware:
    """The outermost layer: known hosts only, and the same headers on every answer."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        watch: Callable[[Scope, int, float], None],
    ) -> None:
        self.app = app
        self.settings = settings
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = header_of(scope, b"host").decode("latin-1").lower()
        bare = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if "*" not in self.settings.hosts and bare not in self.settings.hosts:
            await refuse(scope, send, b'{"problem":"this server does not answer to that name"}')
            return
        if scope["type"] == "websocket":  # whose frames carry no headers
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                said = [name for name, _ in message["headers"]]
                message["headers"] += [one for one in _ON_EVERY_ANSWER if one[0] not in said]
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        finally:
            self.watch(scope, status, time.perf_counter() - begun)


def header_of(scope: Scope, name: bytes) -> bytes:
    """One header of a request as it came, without a table of all of them."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return b""


async def refuse(scope: Scope, send: Callable[[Message], Awaitable[None]], body: bytes) -> None:
    """An answer before anything else has looked at the request."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 421, "headers": headers})
    await send({"type": "http.response.body", "body": body})
