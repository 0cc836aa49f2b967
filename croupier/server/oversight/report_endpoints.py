"""Report endpoints: handle, drop, win and hold of tables in a period, and win against theory."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.clock import parse_time
from croupier.documents.reports.report_pdf import report_pdf
from croupier.documents.reports.report_registry import report
from croupier.documents.reports.theoretical_win import MAIN
from croupier.documents.reports.win_report import (
    Shares,
    TableTotals,
    TableWin,
    table_totals,
    table_win,
)
from croupier.errors import BadInput
from croupier.games import House
from croupier.games.expected_returns import precomputed_distribution
from croupier.ledger.queries.periods import Period, day_period, period_between
from croupier.money import Cents
from croupier.server.auth.person import Person
from croupier.server.business_metrics import known_shares
from croupier.server.floor import menu_order
from croupier.server.http.endpoint import EndpointGroup, Query, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.tables.host import TableHost

if TYPE_CHECKING:
    from croupier.server.app import Server

READERS = ("pit_manager", "cage", "audit", "commission")  # besides operators
PERIOD = (
    Query("day", "A gaming day, instead of a time."),
    Query("since", "ISO 8601; without an offset, local time of the property."),
    Query("until", "Like `since`."),
)
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "pdf": "application/pdf"}


class WonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One bet: actual win, expected win, and the bounds of the 95% band."""

    bet: str
    title: str
    count: int
    staked: Cents  # in the main game: the antes
    actual: Cents
    expected: Cents | None
    low: Cents | None
    high: Cents | None
    band: str  # "exact", "variance", or empty
    outside: bool


class WinReport(msgspec.Struct, frozen=True, kw_only=True):
    """Every bet of a period; not `ready` while the main game is being solved."""

    table: str
    title: str
    since: str  # UTC; empty: since the table was opened
    until: str
    ready: bool
    totals: TableTotals | None  # None without activity
    expected: Cents | None  # of all bets; None while one is unknown
    lines: tuple[WonLine, ...]


class TableFigures(msgspec.Struct, frozen=True):
    """The totals of every table that the reader may see, in a period."""

    since: str
    until: str
    tables: tuple[TableTotals, ...]


class ReportEndpoints(EndpointGroup):
    """The reports of tables, as figures and as files."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._solving: dict[str, asyncio.Task[Any]] = {}  # by the digest of a House

    @endpoint("GET", "/table-figures", gives=TableFigures, query=PERIOD, errors="400 403", cost=60)
    async def table_figures(self, request: Request) -> Response:
        """Handle, drop, win and hold of every table in a period."""
        person = await self.guard.person(request)
        hosts = [
            host
            for host in sorted(self.floor.table_hosts.values(), key=menu_order)
            if may_read(person, host) and not host.is_lesson and not host.is_private
        ]
        if not hosts:
            await self.guard.deny(request, person.id, "report", "no reader of any table")
            raise Forbidden(f"{person.id} may not read the figures of any table")
        ledger = self.floor.ledger

        def add_up() -> TableFigures:
            period = self._period(request)
            found = (table_totals(ledger, host.id, period) for host in hosts)
            return TableFigures(
                period.since, period.until, tuple(each for each in found if each is not None)
            )

        return json_response(await asyncio.to_thread(add_up))

    @endpoint(
        "GET", "/tables/{table}/win", gives=WinReport, query=PERIOD, errors="400 503", cost=30
    )
    async def win_report(self, request: Request) -> Response:
        """The win of a table against theory in a period, bet by bet with its band."""
        host = await self._host_for_reader(request)
        period = await asyncio.to_thread(self._period, request)
        ready, won = await self._won(host, period)
        game = host.table.house.game
        lines = tuple(
            WonLine(
                bet=line.bet,
                title=wager.title if (wager := game.wager(line.bet)) else "Main game, of the antes",
                count=line.count,
                staked=line.staked,
                actual=line.actual,
                expected=line.expected,
                low=line.low,
                high=line.high,
                band=line.band,
                outside=line.outside,
            )
            for line in won.bets
        )
        expected = [line.expected for line in lines if line.expected is not None]
        return json_response(
            WinReport(
                table=host.id,
                title=game.title,
                since=period.since,
                until=period.until,
                ready=ready,
                totals=won.totals,
                expected=sum(expected) if len(expected) == len(lines) else None,
                lines=lines,
            )
        )

    @endpoint("GET", "/tables/{table}/report.{suffix}", query=PERIOD, errors="400 404", cost=60)
    async def report_file(self, request: Request) -> Response:
        """The shift report of a table in a period, as CSV or PDF."""
        host = await self._host_for_reader(request)
        suffix = request.path_params["suffix"]
        if suffix not in MEDIA_TYPES:
            raise BadInput(f"report.{suffix[:20]}: expected report.csv or report.pdf")
        ledger, given = self.floor.ledger, request.query_params

        def write() -> bytes:
            self._period(request)  # checks the query
            zone = ledger.administration.zone
            made = report(
                ledger,
                "shift",
                table=host.id,
                day=given.get("day", ""),
                since=parse_time(given.get("since", ""), zone),
                until=parse_time(given.get("until", ""), zone),
            )
            return report_pdf(made) if suffix == "pdf" else made.csv().encode()

        name = "".join(character if character.isalnum() else "-" for character in host.id)
        headers = {"content-disposition": f'attachment; filename="{name}-report.{suffix}"'}
        content = await asyncio.to_thread(write)
        return Response(content, media_type=MEDIA_TYPES[suffix], headers=headers)

    def _period(self, request: Request) -> Period:
        """The period of the query; without one, since the tables were opened."""
        ledger, given = self.floor.ledger, request.query_params
        day, since, until = (given.get(name, "") for name in ("day", "since", "until"))
        if day and (since or until):
            raise BadInput("use day, or since and until, not both")
        if day:
            return day_period(ledger, day)
        zone = ledger.administration.zone
        return period_between(ledger, parse_time(since, zone), parse_time(until, zone))

    async def _host_for_reader(self, request: Request) -> TableHost:
        person = await self.guard.person(request)
        host = self.floor.table_host(request.path_params["table"])
        if may_read(person, host):
            return host
        await self.guard.deny(request, person.id, "report", f"no reader of {host.id}")
        raise Forbidden(f"{person.id} may not read the figures of {host.id}")

    async def _won(self, host: TableHost, period: Period) -> tuple[bool, TableWin]:
        """Whether the theory is complete, and what the table won."""
        house = host.table.submitted
        main = self._main_shares(house) if host.table.rounds_played else {}

        def shares(of: House, bet: str) -> Shares | None:
            if bet == MAIN:
                return (main or None) if of.digest == house.digest else None
            return known_shares(of, bet)

        won = await asyncio.to_thread(table_win, self.floor.ledger, host.id, shares, period)
        return main is not None, won

    def _main_shares(self, house: House) -> Shares | None:
        """The distribution of the main game, shipped or solved; None while it is being solved."""
        shipped = precomputed_distribution(house)
        if shipped is not None:
            return shipped
        task = self._solving.get(house.digest)
        if task is None:
            task = asyncio.ensure_future(asyncio.to_thread(_solve, house))
            self._solving[house.digest] = task
        if not task.done() or task.exception() is not None:
            return None
        shares: Shares = task.result()
        return shares


def may_read(person: Person, host: TableHost) -> bool:
    """Whether a person may see the figures of a table."""
    return "operator" in person.offices or bool({*READERS} & {*person.roles_at(host.id)})


def _solve(house: House) -> Shares:
    """The probability of each net result per ante; takes seconds to minutes."""
    from croupier.analysis import solve

    counts = solve(house).distribution
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}
