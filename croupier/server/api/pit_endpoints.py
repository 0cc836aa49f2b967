"""Pit endpoint: every table that a person supervises, with the steps that wait there."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from croupier.server import protocol as msg
from croupier.server.auth.person import Person
from croupier.server.floor import menu_order
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.table import Account
from croupier.table.core.roles import FLOOR

WORKING = "working"


class PitEndpoints(EndpointGroup):
    """The pit map of supervisors."""

    @endpoint("GET", "/pit/tables", gives=msg.PitMap, errors="403", cost=5)
    async def pit(self, request: Request) -> Response:
        """Every table that the person supervises, with the steps that wait there."""
        person = await self.guard.person(request)
        tables = tuple(self._tables(person))
        if not tables:
            await self.guard.deny(request, person.id, "pit", "supervises no table")
            raise Forbidden(f"{person.id} supervises no table")
        return json_response(msg.PitMap(tables, bool(self.floor.problem)))

    def _tables(self, person: Person) -> Iterator[msg.PitTable]:
        for host in sorted(self.floor.table_hosts.values(), key=menu_order):
            role = next((role for role in person.roles_at(host.id) if role in FLOOR), None)
            if role is None or host.is_lesson or host.is_private:
                continue
            state = host.state(Account(person.id, role))
            view = state.view
            waiting = [step for step in state.steps if step.due != "may" and not step.blocked]
            devices = view.devices or {}
            yield msg.PitTable(
                id=host.id,
                title=host.table.house.game.title,
                role=role,
                live=view.live,
                open=view.open,
                state=host.table.due().kind,
                disabled=view.disabled,
                dealer=view.dealer,
                positions=host.table.house.positions,
                seats=view.seats,
                posts=view.posts or {},
                limits=view.limits[host.table.house.game.ante.name],
                meters=view.meters,
                devices={name: state for name, state in devices.items() if state != WORKING},
                deadline=view.deadline,
                queue=tuple(waiting),
            )
