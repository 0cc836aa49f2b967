"""Outermost ASGI middleware: Host check, security headers, request count."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.server.http.errors import PROBLEM_MEDIA_TYPE, encode, problem_details
from croupier.server.http.request_headers import header_value
from croupier.server.http.request_id import HEADER, begin_request
from croupier.server.protocol import PROTOCOL, Problem

# Scripts and styles come from this server only, and no text becomes markup.
CONTENT_SECURITY_POLICY = "; ".join(
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
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",  # with "no-referrer" browsers would send Origin: null
    "x-content-type-options": "nosniff",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "croupier-protocol": str(PROTOCOL),
    "cache-control": "no-store",  # unless the response sets its own
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
UNKNOWN_HOST = Problem(problem="this server does not answer to that name")


class HostAndHeadersMiddleware:
    """Rejects unknown hosts (DNS rebinding); adds `HEADERS` and the request id to HTTP responses.

    `count` is called with the method and the status of every HTTP request.
    """

    def __init__(
        self, app: ASGIApp, hosts: tuple[str, ...], count: Callable[[str, int], None]
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        id = begin_request(scope)
        if not self._is_known_host(scope):
            await _reject(scope, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._respond(scope, receive, send, id.encode())

    def _is_known_host(self, scope: Scope) -> bool:
        host = header_value(scope, b"host").decode("latin-1").lower()
        without_port = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return "*" in self.hosts or without_port in self.hosts

    async def _respond(self, scope: Scope, receive: Receive, send: Send, id: bytes) -> None:
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                names = [name for name, _ in message["headers"]]
                message["headers"] += [pair for pair in _RAW_HEADERS if pair[0] not in names]
                message["headers"].append((HEADER, id))
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        finally:
            self.count(scope["method"], status)


async def _reject(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", PROBLEM_MEDIA_TYPE.encode())]
    await send({"type": "http.response.start", "status": 421, "headers": headers})
    await send({"type": "http.response.body", "body": encode(problem_details(421, UNKNOWN_HOST))})
