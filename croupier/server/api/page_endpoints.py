"""Pages for people: documents by Jinja; what is live is drawn by the scripts of `static/`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from croupier.errors import CroupierError
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Person
from croupier.server.auth.guard import COOKIE, NotSignedIn
from croupier.table.core.roles import FLOOR

if TYPE_CHECKING:
    from croupier.server.app import Server

STATIC = Path(__file__).parents[1] / "static"
TEMPLATES = Path(__file__).parents[1] / "templates"
FORM_MOST = 4_096  # bytes of a sign-in form
# Roles with a console of their own.
SCREENS: dict[str, str] = {
    "dealer": "dealer_console",
    "floorperson": "floor_console",
    "pit_manager": "floor_console",
    "surveillance": "surveillance",
    "audit": "surveillance",
}

_pages = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


Handler = Callable[[Request], Awaitable[Response]]
ForSomebody = Callable[[Request, Person], Awaitable[Response]]


def page(template: str, status: int = 200, **values: Any) -> Response:
    """One page."""
    return HTMLResponse(_pages.get_template(template).render(**values), status)


class Pages:
    """The pages of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def person(self, request: Request) -> Person | None:
        """Whoever is signed in, if anybody."""
        try:
            return await self.server.guard.person(request)
        except NotSignedIn:
            return None

    async def home(self, request: Request) -> Response:
        """The lobby for those who are signed in, the door for the others."""
        person = await self.person(request)
        return RedirectResponse("/lobby" if person else "/sign-in", 303)

    def inside(self, show: ForSomebody) -> Handler:
        """A page for those who are signed in; the others come to the door, and then back to it."""

        async def shown(request: Request) -> Response:
            person = await self.person(request)
            if person is not None:
                return await show(request, person)
            wanted = f"{request.url.path}?{request.url.query}".rstrip("?")
            return RedirectResponse(f"/sign-in?then={quote(wanted, safe='')}", 303)

        return shown

    def door(self, problem: str, name: str, status: int = 200, then: str = "") -> Response:
        """The page to sign in, for whoever wants to see another; a demonstration says who is."""
        visitors = self.server.visitors
        told = {"problem": problem, "name": name, "visitors": visitors, "then": then}
        return page("sign_in.html", status, **told)

    async def fields(self, request: Request) -> dict[str, list[str]] | None:
        """What a form says; nothing if it is longer than any of ours."""
        self.server.guard.check_origin(request)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORM_MOST:
                return None
        try:
            return parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
        except ValueError:
            return None

    async def visit(self, request: Request) -> Response:
        """Come in as somebody of a demonstration, from this machine alone."""
        fields = await self.fields(request) or {}
        name = fields.get("name", [""])[0]
        if name not in self.server.visitors or not self.server.guard.is_local(request):
            await self.server.deny(request, name, "visit", "no visitor")
            return self.door("Nobody visits by this name.", "", 403)
        return await self.admit(name, fields.get("then", [""])[0])

    async def admit(self, account: str, then: str = "") -> Response:
        """A session for somebody, and on to what they wanted to see."""
        token = await asyncio.to_thread(self.server.floor.accounts.begin, account)
        return self.onwards(token, then)

    def onwards(self, token: str, then: str) -> Response:
        """On to a page of ours, with a session; to the lobby where none is named."""
        response = RedirectResponse(then if is_ours(then) else "/lobby", 303)
        self.server.set_cookie(response, token)
        return response

    async def sign_in(self, request: Request) -> Response:
        """A form that works without scripts."""
        if request.method == "GET":
            return self.door("", "", then=request.query_params.get("then", ""))
        fields = await self.fields(request)
        if fields is None:
            return self.door("That is too long.", "", 413)
        given = (fields.get(each, [""])[0] for each in ("name", "password", "then"))
        name, password, then = given
        try:
            _, token = await self.server.sign_in(request, msg.SignIn(name, password))
        except CroupierError as error:
            status = getattr(error, "status", 401)
            return self.door(str(error), name, status, then)
        return self.onwards(token, then)

    async def sign_out(self, request: Request) -> Response:
        """End the session, and back to the door."""
        if await self.person(request) is not None:
            await self.server.sign_out(request)
        response = RedirectResponse("/sign-in", 303)
        response.delete_cookie(COOKIE, path="/")
        return response

    async def enter(self, request: Request) -> Response:
        """A link that lets one person in once."""
        account = self.server.entries.pop(request.path_params["token"], None)
        if account is None:
            return self.door("This link has been used.", "", 403)
        return await self.admit(account)

    async def lobby(self, request: Request, person: Person) -> Response:
        """Every table."""
        return page("lobby.html", person=person, tables=self.server.floor.lobby(person).tables)

    async def play(self, request: Request, person: Person) -> Response:
        """A table as a player sees it."""
        desk = self.server.floor.table_host(request.path_params["table"])
        if "player" not in person.roles_at(desk.id):
            return page("refused.html", 403, person=person, problem="You do not play here.")
        return page("player.html", person=person, table=desk.id, house=desk.table.house)

    async def pit(self, request: Request, person: Person) -> Response:
        """Every table that somebody supervises, at once."""
        if not any(set(FLOOR) & set(person.roles_at(table)) for table in self.server.floor.table_hosts):
            return page("refused.html", 403, person=person, problem="You supervise no table.")
        return page("pit.html", person=person)

    async def wall(self, request: Request, person: Person) -> Response:
        """Every table that somebody watches, as cameras see them."""
        watchers = {*FLOOR, "surveillance", "audit"}
        if not any(watchers & set(person.roles_at(table)) for table in self.server.floor.table_hosts):
            return page("refused.html", 403, person=person, problem="You watch no table.")
        return page("camera_wall.html", person=person)

    async def console(self, request: Request, person: Person) -> Response:
        """A table as those who serve or watch it see it."""
        desk = self.server.floor.table_host(request.path_params["table"])
        roles = [role for role in person.roles_at(desk.id) if role != "player"]
        asked = request.query_params.get("role") or (roles[0] if roles else "")
        if asked not in roles:
            return page("refused.html", 403, person=person, problem="You do not serve here.")
        house = desk.table.house
        screen = SCREENS.get(asked, "staff_console")
        return page(
            "console.html", person=person, table=desk.id, house=house, role=asked, screen=screen
        )


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of the pages."""
    pages = Pages(server)
    return [
        Route("/", pages.home),
        Route("/sign-in", pages.sign_in, methods=["GET", "POST"]),
        Route("/sign-out", pages.sign_out, methods=["POST"]),
        Route("/enter/{token}", pages.enter),
        Route("/visit", pages.visit, methods=["POST"]),
        Route("/lobby", pages.inside(pages.lobby)),
        Route("/play/{table}", pages.inside(pages.play)),
        Route("/console/{table}", pages.inside(pages.console)),
        Route("/pit", pages.inside(pages.pit)),
        Route("/wall", pages.inside(pages.wall)),
    ]


def is_ours(address: str) -> bool:
    """Whether an address is a path of this server: nobody is sent elsewhere by a link to us.

    Browsers read a second slash, or a backslash, as the beginning of another server's name.
    """
    return address.startswith("/") and address[1:2] not in ("/", "\\") and address.isprintable()
