"""Endpoint declarations: the route of a handler and its OpenAPI operation, in one place.

    class PitEndpoints(EndpointGroup):
        @endpoint("GET", "/pit/tables", gives=PitMap, errors="403")
        async def pit(self, request: Request) -> Response:
            \"\"\"Every table that the person supervises, with the steps that wait there.\"\"\"

The handler's name in camel case is the operation's id, the first line of its docstring the summary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketState

if TYPE_CHECKING:
    from croupier.server.app import Server

Handler = TypeVar("Handler", bound=Callable[..., Any])
MessageType: TypeAlias = type | str | None  # a Struct, or the name of a union in the document
WEBSOCKET = "WEBSOCKET"  # in place of a method


class Query(NamedTuple):
    """A query parameter."""

    name: str
    description: str
    type: str = "string"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A route, and what the OpenAPI document says about it."""

    handler: str  # the method of the group that handles it
    methods: tuple[str, ...]
    path: str
    summary: str
    operation_id: str = ""
    takes: MessageType = None  # the message in the body
    gives: MessageType = None  # the message of a successful response
    query: tuple[Query, ...] = ()
    idempotent: bool = False  # needs an Idempotency-Key
    errors: str = ""  # status codes besides those that follow from method and path
    status: int = 200
    public: bool = False  # needs no session
    documented: bool = True
    cost: int = 1  # of one request in the limit of requests; 1 is about half a millisecond


def endpoint(method: str, path: str, **details: Any) -> Callable[[Handler], Handler]:
    """Declare the handler of a route; `details` are fields of `Endpoint`.

    `method` may name several, separated by spaces, or be `WEBSOCKET`.
    """

    def declare(handler: Handler) -> Handler:
        handler.declaration = Endpoint(  # type: ignore[attr-defined]
            handler=handler.__name__,
            methods=tuple(method.split()),
            path=path,
            summary=(handler.__doc__ or "").partition("\n")[0],
            **details,
        )
        return handler

    return declare


def request_cost(connection: HTTPConnection) -> int:
    """The cost of a request, or of one message on an open WebSocket."""
    opening = WebSocketState.CONNECTING
    if isinstance(connection, WebSocket) and connection.application_state is not opening:
        return 1
    declared = getattr(connection.scope.get("endpoint"), "declaration", None)
    return declared.cost if declared is not None else 1


class EndpointGroup:
    """Endpoints of one topic, and the parts of the server that they use."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.floor = server.floor
        self.guard = server.guard

    @classmethod
    def endpoints(cls) -> tuple[Endpoint, ...]:
        """The endpoints in the order in which they are declared."""
        members = vars(cls).values()
        return tuple(member.declaration for member in members if hasattr(member, "declaration"))

    def routes(self) -> list[BaseRoute]:
        """The Starlette routes of these endpoints."""
        return [_route(each, getattr(self, each.handler)) for each in self.endpoints()]


def _route(declared: Endpoint, handler: Callable[..., Any]) -> BaseRoute:
    if WEBSOCKET in declared.methods:
        return WebSocketRoute(declared.path, handler)
    return Route(declared.path, handler, methods=declared.methods)
