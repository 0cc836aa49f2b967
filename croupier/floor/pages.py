"""Pages for people: documents by Jinja; what is live is drawn by the scripts of `web/`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from croupier.errors import CroupierError
from croupier.floor import messages as msg
from croupier.floor.accounts import Person
from croupier.floor.door import COOKIE, NotSignedIn
from croupier.table.people import FLOOR

if TYPE_CHECKING:
    from croupier.floor.app import Server

WEB = Path(__file__).parent / "web"
FORM_MOST = 4_096  # bytes of a sign-in form
# Roles with a console of their own.
SCREENS: dict[str, str] = {
    "dealer": "deal",
    "floorperson": "supervise",
    "pit_manager": "supervise",
    "surveillance": "watch",
    "audit": "watch",
}

_pages = Environment(
    loader=FileSystemLoader(WEB / "pages"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


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

    def door(self, problem: str, name: str, status: int = 200) -> Response:
        """The page to sign in; a demonstration says who there is."""
        visitors = self.server.visitors
        return page("sign_in.html", status, problem=problem, name=name, visitors=visitors)

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
        return await self.admit(name)

    async def admit(self, account: str) -> Response:
        """A session for somebody, and on to the lobby."""
        token = await asyncio.to_thread(self.server.floor.accounts.begin, account)
        response = RedirectResponse("/lobby", 303)
        self.server.set_cookie(response, token)
        return response

    async def sign_in(self, request: Request) -> Response:
        """A form that works without scripts."""
        if request.method == "GET":
            return self.door("", "")
        fields = await self.fields(request)
        if fields is None:
            return self.door("That is too long.", "", 413)
        name, password = (fields.get(each, [""])[0] for each in ("name", "password"))
        try:
            _, token = await self.server.sign_in(request, msg.SignIn(name, password))
        except CroupierError as error:
            status = getattr(error, "status", 401)
            return self.door(str(error), name, status)
        response = RedirectResponse("/lobby", 303)
        self.server.set_cookie(response, token)
        return response

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

    async def lobby(self, request: Request) -> Response:
        """Every table."""
        person = await self.person(request)
        if person is None:
            return RedirectResponse("/sign-in", 303)
        return page("lobby.html", person=person, tables=self.server.floor.lobby(person).tables)

    async def play(self, request: Request) -> Response:
        """A table as a player sees it."""
        person = await self.person(request)
        if person is None:
            return RedirectResponse("/sign-in", 303)
        desk = self.server.floor.desk(request.path_params["table"])
        if "player" not in person.roles_at(desk.id):
            return page("refused.html", 403, person=person, problem="You do not play here.")
        return page("play.html", person=person, table=desk.id, house=desk.table.house)

    async def pit(self, request: Request) -> Response:
        """Every table that somebody supervises, at once."""
        person = await self.person(request)
        if person is None:
            return RedirectResponse("/sign-in", 303)
        if not any(set(FLOOR) & set(person.roles_at(table)) for table in self.server.floor.desks):
            return page("refused.html", 403, person=person, problem="You supervise no table.")
        return page("pit.html", person=person)

    async def wall(self, request: Request) -> Response:
        """Every table that somebody watches, as cameras see them."""
        person = await self.person(request)
        if person is None:
            return RedirectResponse("/sign-in", 303)
        watchers = {*FLOOR, "surveillance", "audit"}
        if not any(watchers & set(person.roles_at(table)) for table in self.server.floor.desks):
            return page("refused.html", 403, person=person, problem="You watch no table.")
        return page("wall.html", person=person)

    async def console(self, request: Request) -> Response:
        """A table as those who serve or watch it see it."""
        person = await self.person(request)
        if person is None:
            return RedirectResponse("/sign-in", 303)
        desk = self.server.floor.desk(request.path_params["table"])
        roles = [role for role in person.roles_at(desk.id) if role != "player"]
        asked = request.query_params.get("role") or (roles[0] if roles else "")
        if asked not in roles:
            return page("refused.html", 403, person=person, problem="You do not serve here.")
        house = desk.table.house
        screen = SCREENS.get(asked, "console")
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
        Route("/lobby", pages.lobby),
        Route("/play/{table}", pages.play),
        Route("/console/{table}", pages.console),
        Route("/pit", pages.pit),
        Route("/wall", pages.wall),
    ]
