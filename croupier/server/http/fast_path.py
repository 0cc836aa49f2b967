"""ASGI fast path: commands and the feed WebSocket bypass Starlette's router and middleware."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from croupier.server.http.errors import error_response


class FastPath:
    """Calls the handlers of POST and WebSocket `routes` directly; `app` handles the rest."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app = app
        self.routes = [
            route
            for route in routes
            if isinstance(route, WebSocketRoute)
            or (isinstance(route, Route) and "POST" in (route.methods or ()))
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self.routes:
            match, matched = route.matches(scope)
            if match is Match.FULL:
                scope.update(matched)
                if scope["type"] == "websocket":
                    await route.endpoint(WebSocket(scope, receive, send))
                    return
                try:
                    response = await route.endpoint(Request(scope, receive))
                except Exception as error:
                    response = error_response(error, scope["method"])
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)
