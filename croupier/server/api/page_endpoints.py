"""HTML pages: rendered by Jinja, updated in the browser by the scripts of `static/`."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from croupier.documents.filing import FilingDocument, guide
from croupier.documents.imprint import imprint
from croupier.errors import CroupierError
from croupier.games import House, find
from croupier.ledger.errors import Excluded
from croupier.ledger.round_index import IRREGULARITIES
from croupier.server.api.navigation import WATCHERS, landing, places
from croupier.server.api.school_endpoints import find_lesson
from croupier.server.api.session_endpoints import SessionEndpoints
from croupier.server.api.table_endpoints import house_card
from croupier.server.auth.guard import SESSION_COOKIE
from croupier.server.auth.person import Person, is_private
from croupier.server.floor import menu_order
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import NotSignedIn, SessionIsLocked, encode, http_status
from croupier.server.http.static_files import find_static_file, static_path
from croupier.server.oversight.day_endpoints import may_read_days
from croupier.server.oversight.surveillance_endpoints import watched_tables
from croupier.server.tables.frames import snapshot
from croupier.server.tables.host import TableHost
from croupier.software_identity import version_text
from croupier.table import BALANCE, CORRECTABLE, CORRECTORS, Account, Role
from croupier.table.core.roles import CAGE, DEALER, FLOOR, SECURITY
from croupier.wording import person_name

if TYPE_CHECKING:
    from croupier.server.app import Server

TEMPLATES = Path(__file__).parents[1] / "templates"
MAX_FORM_BYTES = 4_096
# Roles with a console of their own; the others share one.
CONSOLES: dict[str, str] = {
    "dealer": "dealer_console",
    "surveillance": "surveillance",
    "audit": "surveillance",
    "commission": "surveillance",
}

_templates = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["version_text"] = version_text
_templates.globals["places"] = places
_templates.globals["static"] = static_path
_templates.filters["person_name"] = person_name


def render(template: str, status: int = 200, **values: Any) -> Response:
    """The response with a rendered template."""
    return HTMLResponse(_templates.get_template(template).render(**values), status)


def refuse(person: Person, problem: str) -> Response:
    """The page that says why a person may not see another one."""
    return render("refused.html", 403, person=person, problem=problem)


PageHandler = Callable[[Any, Request, Person], Awaitable[Response]]
Handler = Callable[[Any, Request], Awaitable[Response]]


def page(path: str, methods: str = "GET", cost: int = 1) -> Callable[[PageHandler], Handler]:
    """Declare a page that needs a session; without one the browser signs in first."""

    def declare(show: PageHandler) -> Handler:
        @endpoint(methods, path, documented=False, cost=cost)
        @wraps(show)
        async def handler(self: PageEndpoints, request: Request) -> Response:
            target = quote(f"{request.url.path}?{request.url.query}".rstrip("?"), safe="")
            try:
                person = await self.guard.person(request)
            except SessionIsLocked:
                return RedirectResponse(f"/unlock?then={target}", 303)
            except NotSignedIn:
                return RedirectResponse(f"/sign-in?then={target}", 303)
            return await show(self, request, person)

        return handler

    return declare


class PageEndpoints(EndpointGroup):
    """The pages of one server."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.sessions = SessionEndpoints(server)

    async def person(self, request: Request) -> Person | None:
        """The signed-in person, if any."""
        try:
            return await self.guard.person(request)
        except NotSignedIn:
            return None

    @endpoint("GET", "/static/{name}", documented=False)
    async def static(self, request: Request) -> Response:
        """A script, style sheet or picture of the pages."""
        return find_static_file(request.url.path).response(request)

    # Signing in and out

    @endpoint("GET", "/", documented=False)
    async def home(self, request: Request) -> Response:
        """Redirect to where the person starts, or to the sign-in page."""
        person = await self.person(request)
        return RedirectResponse(landing(person) if person else "/sign-in", 303)

    @endpoint("GET POST", "/sign-in", documented=False)
    async def sign_in(self, request: Request) -> Response:
        """The sign-in form, which works without scripts."""
        if request.method == "GET":
            return self._sign_in_page(then=request.query_params.get("then", ""))
        fields = await self._form_fields(request)
        if fields is None:
            return self._sign_in_page("The form is too long.", status=413)
        names = ("name", "password", "code", "then")
        name, password, code, then = (fields.get(each, [""])[0] for each in names)
        try:
            person, token = await self.sessions.sign_in(request, name, password, code)
        except CroupierError as error:
            return self._sign_in_page(str(error), name, http_status(error), then)
        return self._redirect_with_session(token, "/account" if person.must_enroll else then)

    @endpoint("POST", "/sign-out", documented=False)
    async def sign_out(self, request: Request) -> Response:
        """End the session and return to the sign-in page."""
        if await self.person(request) is not None:
            await self.sessions.sign_out(request)
        response = RedirectResponse("/sign-in", 303)
        response.delete_cookie(SESSION_COOKIE, path="/")
        return response

    @endpoint("GET POST", "/enter/{token}", documented=False)
    async def enter(self, request: Request) -> Response:
        """Sign in with a link that works once, the code of the second person and one's own."""
        token = request.path_params["token"]
        link = self.server.find_sign_in_link(token)
        if link is None:
            return self._sign_in_page("This link has been used or has expired.", status=403)
        enrolled = await asyncio.to_thread(self.floor.accounts.factors.enrolled, [link.account])
        if link.code or enrolled:
            asks = {"token": token, "asks_code": bool(link.code), "asks_factor": bool(enrolled)}
            if request.method == "GET":
                return render("enter.html", problem="", **asks)
            fields = await self._form_fields(request) or {}
            code, factor = (fields.get(name, [""])[0].strip() for name in ("code", "factor"))
            matches = secrets.compare_digest(code.lower().encode(), link.code.encode())
            try:
                await self.sessions.check_link(request, link.account, factor, matches=matches)
            except CroupierError as error:
                return render("enter.html", http_status(error), problem=str(error), **asks)
        if self.server.sign_in_links.pop(token, None) is None:  # used meanwhile
            return self._sign_in_page("This link has been used or has expired.", status=403)
        return await self._start_session(request, link.account)

    @endpoint("POST", "/visit", documented=False)
    async def visit(self, request: Request) -> Response:
        """Sign in as a person of the demonstration, from this machine only."""
        fields = await self._form_fields(request) or {}
        name = fields.get("name", [""])[0]
        if name not in self.server.visitors or not self.guard.is_local(request):
            await self.guard.deny(request, name, "visit", "no visitor")
            return self._sign_in_page("The demonstration has no person of this name.", status=403)
        return await self._start_session(request, name, fields.get("then", [""])[0])

    def _sign_in_page(
        self, problem: str = "", name: str = "", status: int = 200, then: str = ""
    ) -> Response:
        visitors = self.server.visitors
        return render(
            "sign_in.html", status, problem=problem, name=name, visitors=visitors, then=then
        )

    async def _form_fields(self, request: Request) -> dict[str, list[str]] | None:
        """The fields of a form; None if it is too long."""
        self.guard.check_origin(request)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_FORM_BYTES:
                return None
        try:
            return parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
        except ValueError:
            return None

    async def _start_session(self, request: Request, account: str, then: str = "") -> Response:
        try:
            token = await self.sessions.begin(request, account)
        except Excluded as error:
            return self._sign_in_page(str(error), status=http_status(error))
        has_password = await asyncio.to_thread(self.floor.accounts.has_password, account)
        return self._redirect_with_session(token, then if has_password else "/account")

    def _redirect_with_session(self, token: str, then: str) -> Response:
        response = RedirectResponse(then if is_own_path(then) else "/", 303)
        self.sessions.set_cookie(response, token)
        return response

    # Tables

    @page("/lobby")
    async def lobby(self, request: Request, person: Person) -> Response:
        """The tables at which a player can play."""
        if not person.plays and landing(person) != "/lobby":
            return RedirectResponse("/", 303)
        return render("lobby.html", person=person)

    @page("/deal")
    async def deal(self, request: Request, person: Person) -> Response:
        """The staffed tables at which a dealer can take the post."""
        if not person.held & {*DEALER}:
            return refuse(person, "You are not a dealer at any table.")
        tables = [
            host
            for host in sorted(self.floor.table_hosts.values(), key=menu_order)
            if host.table.attended and not host.is_lesson and "dealer" in person.roles_at(host.id)
        ]
        # One's own table first, those with another dealer last.
        posts = (person.id, "")
        tables.sort(
            key=lambda host: (*posts, host.table.posts.dealer).index(host.table.posts.dealer)
        )
        return render("deal.html", person=person, tables=tables)

    @page("/play/{table}", cost=10)
    async def play(self, request: Request, person: Person) -> Response:
        """A table for a player."""
        host = self.floor.table_host(request.path_params["table"])
        if "player" not in person.roles_at(host.id):
            return refuse(person, "You are not a player at this table.")
        return self._table_page("player.html", person, host, "player")

    @page("/hands/{table}")
    async def hands(self, request: Request, person: Person) -> Response:
        """A player's own rounds at a table."""
        host = self.floor.table_host(request.path_params["table"])
        if "player" not in person.roles_at(host.id):
            return refuse(person, "You are not a player at this table.")
        return render("hands.html", person=person, table=host.id, token="")

    @page("/shared-hand/{token}")
    async def shared_hand(self, request: Request, person: Person) -> Response:
        """A hand that its player shared."""
        return render("hands.html", person=person, table="", token=request.path_params["token"])

    @page("/console/{table}", cost=10)
    async def console(self, request: Request, person: Person) -> Response:
        """A table for staff."""
        host = self.floor.table_host(request.path_params["table"])
        roles = [role for role in person.roles_at(host.id) if role != "player"]
        role = request.query_params.get("role") or (roles[0] if roles else "")
        if role not in roles:
            return refuse(person, "You have no staff role at this table.")
        screen = CONSOLES.get(role, "task_console")
        return self._table_page("console.html", person, host, role, screen=screen)

    @page("/pit")
    async def pit(self, request: Request, person: Person) -> Response:
        """The board of the tables that the person supervises, and what waits there."""
        if not person.held & {*FLOOR}:
            return refuse(person, "You have no supervisor role at any table.")
        return render("pit.html", person=person, title="Pit")

    @page("/queue")
    async def queue(self, request: Request, person: Person) -> Response:
        """What waits for the cage or security."""
        if not person.held & {*CAGE, *SECURITY}:
            return refuse(person, "You do not work in the cage or in security.")
        title = "Cage" if person.held & {*CAGE} else "Security"
        return render("pit.html", person=person, title=title)

    @page("/rounds/{table}")
    async def rounds(self, request: Request, person: Person) -> Response:
        """The rounds of a table that the person supervises."""
        host = self.floor.table_host(request.path_params["table"])
        role = next((role for role in person.roles_at(host.id) if role in FLOOR), None)
        if role is None:
            return refuse(person, "You do not supervise this table.")
        house = host.table.house
        return render("rounds.html", person=person, table=host.id, role=role, house=house)

    @page("/wall")
    async def wall(self, request: Request, person: Person) -> Response:
        """The camera view of every table that the person watches."""
        if not person.held & {*WATCHERS}:
            return refuse(person, "You have no surveillance role at any table.")
        return render("camera_wall.html", person=person)

    @page("/search")
    async def search(self, request: Request, person: Person) -> Response:
        """Search and replay of rounds at every table that the person watches."""
        tables = await asyncio.to_thread(watched_tables, self.floor.ledger, person)
        if not tables:
            return refuse(person, "You have no surveillance role at any table.")
        return render(
            "round_search.html",
            person=person,
            tables=[table for table in tables if not is_private(table)],
            irregularities=IRREGULARITIES,
        )

    @page("/days")
    async def days(self, request: Request, person: Person) -> Response:
        """The gaming days: closing them and signing their checkpoints."""
        if not may_read_days(person):
            return refuse(person, "Gaming days are closed by the cage, audit and pit managers.")
        return render("gaming_days.html", person=person)

    @page("/reports")
    async def reports(self, request: Request, person: Person) -> Response:
        """The figures of all tables, which check who may read them."""
        return render("table_figures.html", person=person)

    @page("/report/{table}")
    async def report(self, request: Request, person: Person) -> Response:
        """The win report of a table; its figures check who may read them."""
        host = self.floor.table_host(request.path_params["table"])
        return render("win_report.html", person=person, table=host.id, house=host.table.house)

    @endpoint("GET", "/guide/{table}", documented=False)
    async def guide(self, request: Request) -> Response:
        """The gaming guide of a table, without a session (COMAR 36.05.03.22)."""
        host = self.floor.table_host(request.path_params["table"])
        document = _cached_guide(host.table.submitted)
        return render("guide.html", guide=document, table=host.id, imprint=imprint())

    def _table_page(
        self, template: str, person: Person, host: TableHost, role: Role, **values: Any
    ) -> Response:
        """A page of one table, with what it draws first: the House and a snapshot."""
        first = snapshot(host, Account(person.id, role), person.roles_at(host.id))
        house = house_card(host.id, host.table.submitted)
        data = encode({"house": house, "snapshot": first}).decode()
        return render(
            template,
            person=person,
            table=host.id,
            house=host.table.house,
            role=role,
            page_data=Markup(data.replace("<", "\\u003c")),
            **values,
        )

    # Operators, dealer school, second persons

    @page("/manage")
    async def manage(self, request: Request, person: Person) -> Response:
        """Submissions and tables."""
        return self._for_operator(person, "submission_list.html")

    @page("/manage/{id}")
    async def submission(self, request: Request, person: Person) -> Response:
        """One submission as a form."""
        return self._for_operator(person, "submission_editor.html", id=request.path_params["id"])

    @page("/school")
    async def school(self, request: Request, person: Person) -> Response:
        """Lessons and table tests."""
        return render("school.html", person=person)

    @page("/lesson/{id}", cost=10)
    async def lesson(self, request: Request, person: Person) -> Response:
        """One lesson at its table."""
        lesson = await find_lesson(self.server, request, person)
        values: dict[str, Any] = {"id": lesson.id, "title": find(lesson.game).title}
        if lesson.table not in self.floor.table_hosts:  # the lesson is over
            return render("lesson.html", person=person, table=lesson.table, **values)
        host = self.floor.table_host(lesson.table)
        return self._table_page("lesson.html", person, host, "dealer", **values)

    @page("/agreements")
    async def agreements(self, request: Request, person: Person) -> Response:
        """The agreements that wait for second persons."""
        return render(
            "agreements.html", person=person, roles=CORRECTORS, accounts=CORRECTABLE, law=BALANCE
        )

    def _for_operator(self, person: Person, template: str, **values: Any) -> Response:
        if "operator" not in person.offices:
            return refuse(person, "You are not an operator.")
        return render(template, person=person, **values)


@cache
def _cached_guide(house: House) -> FilingDocument:
    return guide(house)


def is_own_path(address: str) -> bool:
    """Whether an address is a path of this server, so that no link redirects to another site.

    Browsers read a second slash, or a backslash, as the start of another server's name.
    """
    return address.startswith("/") and address[1:2] not in ("/", "\\") and address.isprintable()
