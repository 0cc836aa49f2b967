"""The doors that are used most, before the framework: what is done at a table comes in here.

They answer as the routes of the same address do, without a router and its layers in between.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from croupier.errors import CroupierError
from croupier.server.http.errors import http_status, internal_error, problem

Endpoint = Callable[[Request], Awaitable[Response]]
Feeding = Callable[[WebSocket], Awaitable[None]]
_DOOR = re.compile("/tables/([^/]+)/([a-z]+)")


class FastPath:
    """The application, behind the doors to its tables."""

    def __init__(self, app: ASGIApp, doors: Mapping[str, Endpoint], feed: Feeding) -> None:
        """`doors` has endpoints by the last word of their address; `feed` is that of sockets."""
        self.app = app
        self._doors = doors
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            found = _DOOR.fullmatch(scope["path"])
            endpoint = self._doors.get(found[2]) if found else None
            if found is not None and endpoint is not None:
                scope["path_params"] = {"table": found[1]}
                response = await answered(endpoint, Request(scope, receive))
                await response(scope, receive, send)
                return
        elif scope["type"] == "websocket":
            found = _DOOR.fullmatch(scope["path"])
            if found is not None and found[2] == "feed":
                scope["path_params"] = {"table": found[1]}
                await self._feed(WebSocket(scope, receive, send))
                return
        await self.app(scope, receive, send)


async def answered(endpoint: Endpoint, request: Request) -> Response:
    """What an endpoint says, or why it did nothing."""
    try:
        return await endpoint(request)
    except CroupierError as error:
        return problem(error, http_status(error))
    except Exception as error:  # of what goes wrong inside nobody is told
        return internal_error(error, request.method)
