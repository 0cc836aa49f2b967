"""Reports in the browser: what a table has won, against theory with its exact band."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from croupier.documents.reports import actual_win
from croupier.documents.reports.theoretical_win import MAIN
from croupier.games import House
from croupier.games.expected_returns import kept_shares
from croupier.money import Cents
from croupier.server.http.errors import Forbidden, json_response
from croupier.server.tables.host import TableHost

if TYPE_CHECKING:
    from croupier.server.app import Server

MAY_READ = ("pit_manager", "cage", "audit")  # besides operators


class WonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One bet: what the house won, what was to be expected, and between what in 95 of 100 cases."""

    bet: str
    title: str
    count: int
    staked: Cents  # of the main game the antes
    actual: Cents
    expected: Cents | None
    low: Cents | None
    high: Cents | None
    band: str  # "exact", "variance", or nothing
    outside: bool


class WinReport(msgspec.Struct, frozen=True, kw_only=True):
    """Every bet of a table since it was opened; not `ready` while a main game is worked out."""

    table: str
    title: str
    ready: bool
    lines: tuple[WonLine, ...]


class Reporting:
    """The reports of one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._solving: dict[str, asyncio.Task[Any]] = {}

    async def reader(self, request: Request) -> TableHost:
        """The table, for somebody who may read its figures."""
        person = await self.server.guard.person(request)
        desk = self.server.floor.table_host(request.path_params["table"])
        if "operator" in person.offices or set(MAY_READ) & set(person.roles_at(desk.id)):
            return desk
        await self.server.deny(request, person.id, "report", f"no reader of {desk.id}")
        raise Forbidden(f"{person.id} does not read the figures of {desk.id}")

    def main_of(self, house: House) -> actual_win.Shares | None:
        """The distribution of a main game: kept with the game, or worked out; begun otherwise."""
        kept = kept_shares(house)
        if kept is not None:
            return kept
        task = self._solving.get(house.digest)
        if task is None:
            task = asyncio.ensure_future(asyncio.to_thread(distribution, house))
            self._solving[house.digest] = task
        if not task.done() or task.exception() is not None:
            return None
        found: actual_win.Shares = task.result()
        return found

    async def lines(self, desk: TableHost) -> tuple[bool, tuple[actual_win.Won, ...]]:
        """Every bet, and whether nothing is worked out any more."""
        house = desk.table.submitted
        main = self.main_of(house) if desk.table.rounds_played else {}

        def shares(of: House, bet: str) -> actual_win.Shares | None:
            if bet == MAIN:
                return (main or None) if of.digest == house.digest else None
            return side(of, bet)

        found = await asyncio.to_thread(actual_win.won, self.server.floor.ledger, desk.id, shares)
        return main is not None, found

    async def report(self, request: Request) -> Response:
        """The figures."""
        desk = await self.reader(request)
        ready, found = await self.lines(desk)
        game = desk.table.house.game
        lines = tuple(
            WonLine(
                bet=one.bet,
                title=known.title if (known := game.wager(one.bet)) else "Main game, of the antes",
                count=one.count,
                staked=one.staked,
                actual=one.actual,
                expected=one.expected,
                low=one.low,
                high=one.high,
                band=one.band,
                outside=one.outside,
            )
            for one in found
        )
        return json_response(WinReport(table=desk.id, title=game.title, ready=ready, lines=lines))

    async def plot(self, request: Request) -> Response:
        """The same, drawn."""
        desk = await self.reader(request)
        _, found = await self.lines(desk)
        title = f"{desk.table.house.game.title}, table {desk.id}"
        drawn = await asyncio.to_thread(actual_win.win_plot, found, title)
        return Response(drawn, media_type="image/svg+xml")


def distribution(house: House) -> actual_win.Shares:
    """How often each net result of a round comes, per ante; it takes seconds to minutes."""
    from croupier.analysis import solve

    counts = solve(house).distribution
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}


def side(house: House, wager: str) -> actual_win.Shares | None:
    """How often each net result of one unit on a side wager comes."""
    try:
        from croupier.analysis import analyze_side_wager
    except ImportError:
        return None
    return analyze_side_wager(house, wager).shares


def routes(server: Server) -> list[BaseRoute]:
    """The addresses of reports."""
    reporting = Reporting(server)
    return [
        Route("/tables/{table}/win", reporting.report),
        Route("/tables/{table}/win.svg", reporting.plot),
    ]
