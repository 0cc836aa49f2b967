"""The pit: every table that somebody supervises, with what waits for them there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.server import protocol as msg
from croupier.server.auth.accounts import Person
from croupier.server.floor import menu_order
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.school.school_messages import is_school
from croupier.table import Account
from croupier.table.core.roles import FLOOR

if TYPE_CHECKING:
    from croupier.server.app import Server

WORKING = "working"


class Pit:
    """What supervisors see of all their tables at once."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def tables(self, request: Request) -> Response:
        """The pit map with its queues."""
        person = await self.server.guard.person(request)
        found = tuple(self._tables(person))
        if not found:
            await self.server.deny(request, person.id, "pit", "supervises no table")
            raise Forbidden(f"{person.id} supervises no table")
        return json_response(msg.PitMap(found))

    def _tables(self, person: Person) -> Iterator[msg.PitTable]:
        for desk in sorted(self.server.floor.table_hosts.values(), key=menu_order):
            role = next((each for each in person.roles_at(desk.id) if each in FLOOR), None)
            if role is None or is_school(desk.id):
                continue
            state = desk.state(Account(person.id, role))
            seen = state.view
            waiting = [step for step in state.steps if step.due != "may" and not step.blocked]
            broken = {name: how for name, how in (seen.devices or {}).items() if how != WORKING}
            yield msg.PitTable(
                id=desk.id,
                title=desk.table.house.game.title,
                role=role,
                live=seen.live,
                open=seen.open,
                state=desk.table.due().kind,
                dealer=seen.dealer,
                seats=seen.seats,
                posts=seen.posts or {},
                limits=seen.limits[desk.table.house.game.ante.name],
                meters=seen.meters,
                devices=broken,
                deadline=seen.deadline,
                queue=tuple(waiting),
            )


def routes(server: Server) -> list[BaseRoute]:
    """The address of the pit."""
    return [Route("/pit/tables", Pit(server).tables)]
