"""Pit endpoint: the queue of floor, cage and security, and the board of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import now_ms
from croupier.server import protocol as msg
from croupier.server.auth.person import Person
from croupier.server.floor import menu_order
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.oversight.report_endpoints import READERS
from croupier.server.pit.evidence import due_since, evidence_of
from croupier.server.pit.table_figures import FigureReader, RunningTotals
from croupier.server.tables.host import TableHost
from croupier.server.tables.waiting import object_of, sentence
from croupier.table import Account, Role, Viewer
from croupier.table.core.roles import CAGE, FLOOR, SECURITY
from croupier.table.core.steps import URGENCY_ORDER, all_steps
from croupier.table.core.views import StepView, TableView

if TYPE_CHECKING:
    from croupier.server.app import Server

QUEUE_ROLES = (*FLOOR, *CAGE, *SECURITY)
WORKING = "working"
SIGN_ON = "take_post"
KEPT_MS = 10_000  # a table without new entries is looked at again after this time
Location = tuple[str, Account]


class Looked(NamedTuple):
    """A table as one account saw it, and when."""

    sequence: int
    at: int
    items: tuple[msg.QueueItem, ...]
    view: TableView


class PitEndpoints(EndpointGroup):
    """The pit of supervisors, and the queues of cage and security."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._looked: dict[Location, Looked] = {}
        self._figures: dict[str, FigureReader] = {}

    @endpoint(
        "GET",
        "/pit/tables",
        gives=msg.PitMap,
        query=(Query("table", "Only this table."),),
        errors="403",
        cost=5,
    )
    async def pit(self, request: Request) -> Response:
        """What waits for the person at any table, and the tables with their figures."""
        person = await self.guard.person(request)
        if not person.held & {*QUEUE_ROLES}:
            await self.guard.deny(request, person.id, "pit", "has no queue")
            raise Forbidden(f"{person.id} supervises no table, and has no queue")
        tables, queue = [], list[msg.QueueItem]()
        for host, roles in self._hosts(person, request.query_params.get("table", "")):
            looked = [self._look(host, Account(person.id, role)) for role in roles]
            items = [item for each in looked for item in each.items]
            queue += items
            tables.append(await self._table(host, roles[0], looked[0].view, items))
        queue.sort(key=queue_order)
        return json_response(msg.PitMap(tuple(queue), tuple(tables), bool(self.floor.problem)))

    def _hosts(self, person: Person, only: str) -> Iterator[tuple[TableHost, list[Role]]]:
        """The tables at which a person has a queue, with the roles: one of the floor at most."""
        for host in sorted(self.floor.table_hosts.values(), key=menu_order):
            if host.is_lesson or host.is_private or only not in ("", host.id):
                continue
            roles = [role for role in person.roles_at(host.id) if role in QUEUE_ROLES]
            supervises = [role for role in roles if role in FLOOR][:1]
            if roles := [*supervises, *(role for role in roles if role not in FLOOR)]:
                yield host, roles

    def _look(self, host: TableHost, account: Account) -> Looked:
        """The items of an account at a table; as before if nothing has happened there."""
        moment, place = now_ms(), (host.id, account)
        before = self._looked.get(place)
        if before is not None and before.sequence == host.sequence:
            deadline = before.view.deadline
            passed = deadline is not None and before.at < deadline.at <= moment
            if moment - before.at < KEPT_MS and not passed:
                return before
        state = host.state(account)
        since = {step_key(item.step): item.since for item in before.items} if before else {}
        steps = tuple(state.steps.values())
        items = tuple(
            queue_item(host, account, step, steps, since.get(step_key(step)), moment)
            for step in steps
            if step.due != "may" and not step.players and not step.newcomers
        )
        looked = self._looked[place] = Looked(host.sequence, moment, items, state.view)
        return looked

    async def _table(
        self, host: TableHost, role: Role, view: TableView, items: list[msg.QueueItem]
    ) -> msg.PitTable:
        practice = view.service == "practice" and not view.live
        figures = None if practice or role not in FLOOR else await self._read_figures(host)
        reads_win = role in READERS and figures is not None
        # A post that is free holds nothing up; a blocked item holds up what it is about.
        waiting = [item for item in items if item.step.kind != SIGN_ON]
        return msg.PitTable(
            id=host.id,
            title=host.table.house.game.title,
            role=role,
            practice=practice,
            open=view.open,
            state=host.table.due().kind,
            disabled=view.disabled,
            positions=host.table.house.positions,
            limits=view.limits[host.table.house.game.ante.name],
            dealer=view.dealer,
            seats=view.seats,
            devices={name: now for name, now in (view.devices or {}).items() if now != WORKING},
            deadline=view.deadline,
            waiting=len(waiting),
            oldest=min((item.since for item in waiting), default=None),
            overdue=any(item.step.due == "overdue" for item in waiting),
            last_round=figures.last_round if figures else None,
            rounds=figures.rounds if figures else None,
            rounds_per_hour=figures.rounds_per_hour(now_ms()) if figures else None,
            average_bet=figures.average_bet if figures else None,
            drop=host.table.drop if reads_win else None,
            win=figures.win if figures and reads_win else None,
        )

    async def _read_figures(self, host: TableHost) -> RunningTotals | None:
        reader = self._figures.get(host.id)
        if reader is None or reader.host is not host:
            reader = self._figures[host.id] = FigureReader(host)
        return await reader.read()


def queue_item(
    host: TableHost,
    account: Account,
    step: StepView,
    steps: tuple[StepView, ...],
    since: int | None,
    moment: int,
) -> msg.QueueItem:
    """A due step with its evidence; a blocked one with the ways out."""
    table, about = host.table, object_of(step)
    evidence = evidence_of(table, step, Viewer(account))
    ways_out: tuple[StepView, ...] = ()
    others: tuple[str, ...] = ()
    if step.blocked and about is not None:
        ways_out = tuple(
            each
            for each in steps
            if object_of(each) == about and each.kind != step.kind and not each.blocked
        )
        others = tuple(
            sentence(each)
            for each in all_steps(table, moment)
            if object_of(each) == about and not each.blocked and not each.is_for(account)
        )
    return msg.QueueItem(
        table=host.id,
        role=account.role,
        # Otherwise it became due with the last entry before it was first seen.
        since=due_since(table, step) or since or table.clock or moment,
        step=step,
        evidence=evidence,
        waiting=waiting_players(host, evidence),
        ways_out=ways_out,
        others=others,
    )


def waiting_players(host: TableHost, evidence: msg.Evidence | None) -> tuple[str, ...]:
    """The player whom a step concerns; during a round otherwise everyone with a wager."""
    if evidence is not None and evidence.player:
        return (evidence.player,)
    current = host.table.open_round
    return tuple(sorted({box.player for box in current.boxes.values()})) if current else ()


def step_key(step: StepView) -> bytes:
    """What identifies a step among those of a table."""
    return msgspec.json.encode((step.kind, step.fixed))


def queue_order(item: msg.QueueItem) -> tuple[int, int, int]:
    """Overdue items first, then those that people wait for, blocked ones, and the others."""
    concerns = 0 if item.waiting else 1 if item.step.blocked else 2
    return URGENCY_ORDER[item.step.due], concerns, item.since
