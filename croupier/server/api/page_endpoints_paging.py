"""The pages of operators and of the dealer school, and the gaming guide, which is for everybody."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.documents.filing import FilingDocument, guide
from croupier.games import House, find
from croupier.server.api.page_endpoints import page
from croupier.server.auth.accounts import Person
from croupier.table.parts.corrections import CORRECTABLE
from croupier.table.parts.corrections import CORRECTORS
from croupier.table.parts.house_binding import (BALANCE)

if TYPE_CHECKING:
    from croupier.server.api.page_endpoints import Pages
    from croupier.server.app import Server
    from croupier.server.school.lessons import School


@cache
def guide_of(house: House) -> FilingDocument:
    """The gaming guide of a House, written once."""
    return guide(house)


class MorePages:
    """Pages with a role or an office of their own, and those without any."""

    def __init__(self, server: Server, pages: Pages, school: School) -> None:
        self.server = server
        self.pages = pages
        self.school_of = school

    def operator(self, person: Person, template: str, **values: Any) -> Response:
        """A page for operators."""
        if "operator" not in person.offices:
            return page("refused.html", 403, person=person, problem="You are not an operator.")
        return page(template, person=person, **values)

    async def manage(self, request: Request, person: Person) -> Response:
        """Submissions and tables."""
        return self.operator(person, "submission_list.html")

    async def submission(self, request: Request, person: Person) -> Response:
        """One submission as a form."""
        return self.operator(person, "submission_editor.html", id=request.path_params["id"])

    async def school(self, request: Request, person: Person) -> Response:
        """Lessons and table tests."""
        return page("school.html", person=person)

    async def lesson(self, request: Request, person: Person) -> Response:
        """One lesson at its table."""
        found = await self.school_of.find(request, person)
        title = find(found.game).title
        return page("lesson.html", person=person, table=found.table, id=found.id, title=title)

    async def agreements(self, request: Request, person: Person) -> Response:
        """What waits for second persons."""
        return page(
            "agreements.html",
            person=person,
            roles=CORRECTORS,
            accounts=CORRECTABLE,
            law=BALANCE,
        )

    async def report(self, request: Request, person: Person) -> Response:
        """What a table has won; the figures themselves are for those who may read them."""
        desk = self.server.floor.desk(request.path_params["table"])
        return page("win_report.html", person=person, table=desk.id, house=desk.table.house)

    async def guide(self, request: Request) -> Response:
        """The gaming guide of a table, for anybody (COMAR 36.05.03.22)."""
        desk = self.server.floor.desk(request.path_params["table"])
        return page("guide.html", guide=guide_of(desk.table.submitted), table=desk.id)


def routes(server: Server, pages: Pages, school: School) -> list[BaseRoute]:
    """The addresses of these pages."""
    more = MorePages(server, pages, school)
    return [
        Route("/manage", pages.inside(more.manage)),
        Route("/manage/{id}", pages.inside(more.submission)),
        Route("/school", pages.inside(more.school)),
        Route("/lesson/{id}", pages.inside(more.lesson)),
        Route("/agreements", pages.inside(more.agreements)),
        Route("/report/{table}", pages.inside(more.report)),
        Route("/guide/{table}", more.guide),
    ]
