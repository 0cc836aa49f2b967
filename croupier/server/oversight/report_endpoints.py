"""Report endpoints: the actual win of a table against its theoretical win."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.documents.reports.theoretical_win import MAIN
from croupier.documents.reports.win_report import ActualWin, Shares, actual_wins, win_plot
from croupier.games import House
from croupier.games.expected_returns import precomputed_distribution
from croupier.money import Cents
from croupier.server.business_metrics import known_shares
from croupier.server.http.endpoint import EndpointGroup, endpoint
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.tables.host import TableHost

if TYPE_CHECKING:
    from croupier.server.app import Server

READERS = ("pit_manager", "cage", "audit", "commission")  # besides operators


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
    """Every bet since the table was opened; not `ready` while the main game is being solved."""

    table: str
    title: str
    ready: bool
    lines: tuple[WonLine, ...]


class ReportEndpoints(EndpointGroup):
    """The win report of a table, as figures and as a plot."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._solving: dict[str, asyncio.Task[Any]] = {}  # by the digest of a House

    @endpoint("GET", "/tables/{table}/win", gives=WinReport, errors="503", cost=30)
    async def win_report(self, request: Request) -> Response:
        """The win of a table against theory, bet by bet with its band."""
        host = await self._host_for_reader(request)
        ready, won = await self._won(host)
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
            for line in won
        )
        return json_response(WinReport(table=host.id, title=game.title, ready=ready, lines=lines))

    @endpoint("GET", "/tables/{table}/win.svg", documented=False, cost=30)
    async def win_plot(self, request: Request) -> Response:
        """The win report as a plot."""
        host = await self._host_for_reader(request)
        _, won = await self._won(host)
        title = f"{host.table.house.game.title}, table {host.id}"
        plot = await asyncio.to_thread(win_plot, won, title)
        return Response(plot, media_type="image/svg+xml")

    async def _host_for_reader(self, request: Request) -> TableHost:
        person = await self.guard.person(request)
        host = self.floor.table_host(request.path_params["table"])
        if "operator" in person.offices or set(READERS) & set(person.roles_at(host.id)):
            return host
        await self.guard.deny(request, person.id, "report", f"no reader of {host.id}")
        raise Forbidden(f"{person.id} may not read the figures of {host.id}")

    async def _won(self, host: TableHost) -> tuple[bool, tuple[ActualWin, ...]]:
        """Whether the theory is complete, and every bet."""
        house = host.table.submitted
        main = self._main_shares(house) if host.table.rounds_played else {}

        def shares(of: House, bet: str) -> Shares | None:
            if bet == MAIN:
                return (main or None) if of.digest == house.digest else None
            return known_shares(of, bet)

        won = await asyncio.to_thread(actual_wins, self.floor.ledger, host.id, shares)
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


def _solve(house: House) -> Shares:
    """The probability of each net result per ante; takes seconds to minutes."""
    from croupier.analysis import solve

    counts = solve(house).distribution
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}
