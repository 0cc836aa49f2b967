"""The floor: all tables of a ledger, their hosts, and the dealer bots of practice tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import CroupierError, Unknown
from croupier.games import House
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.auth.denied_attempts import DeniedAttempts
from croupier.server.auth.person import Person
from croupier.server.cluster.leases import BEAT_SECONDS, Leases, TableOwner, share
from croupier.server.practice.dealer_bot import DealerBot
from croupier.server.submissions.repository import SubmissionRepository
from croupier.server.tables.host import TableHost
from croupier.table import Account, Service, Viewer, view
from croupier.table.drivers.shuffler import Shuffler

OPENER = Account("floor", "system")
log = logging.getLogger("croupier.server")


class UnknownTable(Unknown):
    """The floor has no table of this name."""

    kind = "table"


class Floor:
    """All tables of one ledger with their hosts and bots, run in one event loop.

    `start` and `stop` it, or let `make_app` do so. `address` is where other servers of the same
    database reach this one. With `writer_process`, a separate process writes the ledger.
    """

    def __init__(
        self, ledger: Ledger, accounts: Accounts, *, address: str = "", writer_process: bool = False
    ) -> None:
        self.ledger = ledger
        self.accounts = accounts
        self.submissions = SubmissionRepository(accounts, ledger)
        self.denied_attempts = DeniedAttempts(ledger, accounts)
        self.leases = Leases(accounts, address)
        self.places: dict[str, TableOwner] = {}  # owners of the tables, as last read
        self.takeovers = 0
        self.table_hosts: dict[str, TableHost] = {}
        self.dealers: dict[str, DealerBot] = {}
        self.ready = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._lost: set[str] = set()  # tables that other servers took over, yet to be released
        self._moving = asyncio.Lock()  # held while tables are opened, taken over or released
        self._bots: dict[str, asyncio.Task[None]] = {}  # by table
        self._writer_process = writer_process
        self._appender: AsyncAppender | None = None

    @classmethod
    def at(
        cls, database: str | Path | URL, *, purpose: str = "practice", address: str = ""
    ) -> Floor:
        """The floor of a ledger, which is created if there is none."""
        ledger = Ledger(database, purpose="practice" if purpose == "practice" else "live")
        return cls(ledger, Accounts(accounts_url(database)), address=address, writer_process=True)

    async def start(self) -> None:
        """Open every table of the ledger and start the bots of practice tables."""
        self._appender = AsyncAppender(self.ledger.store, writer_process=self._writer_process)
        await asyncio.to_thread(self.leases.beat)
        self._task("heartbeat", self._every_beat(self._beat))
        await self._share()
        self._task("sharing", self._every_beat(self._share))
        self._task("denied attempts", self._every_beat(self.denied_attempts.flush))
        self.ready = True

    @property
    def writer(self) -> int:
        """The process id of the ledger's writer process; 0 without one."""
        return self._appender.process if self._appender is not None else 0

    def _task(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background task failed", exc_info=error, extra={"task": task.get_name()})

    async def open(
        self,
        table_id: str,
        house: House | None = None,
        *,
        service: Service = "practice",
        by: Account = OPENER,
        shuffler: Shuffler | None = None,
        claim: bool = True,
    ) -> TableHost:
        """Open a recorded table, or a new one under this House.

        This server becomes the owner unless another one is or `claim` is false.
        """
        assert self._appender is not None, "the floor has not started"
        async with self._moving:
            host = self.table_hosts.get(table_id)
            return host or await self._open(table_id, house, service, by, shuffler, claim=claim)

    async def _open(
        self,
        table_id: str,
        house: House | None = None,
        service: Service = "practice",
        by: Account = OPENER,
        shuffler: Shuffler | None = None,
        *,
        claim: bool,
    ) -> TableHost:
        assert self._appender is not None

        def open_table() -> RecordedTable:
            if claim:
                self._claim(table_id)
            try:
                return self.ledger.open_table(table_id, house, by=by, service=service)
            except CroupierError:
                self.leases.give_up([table_id])
                raise

        table = await asyncio.to_thread(open_table)
        host = self.table_hosts[table_id] = TableHost(self.ledger, self._appender, table)
        host.leases = self.leases
        if host.owned:
            table.fence = self.leases.fence(table_id)
            self._start_bot(host, shuffler)
        return host

    def _start_bot(self, host: TableHost, shuffler: Shuffler | None = None) -> None:
        if host.table.service == "practice" and not host.table.live:
            bot = DealerBot(host, self.accounts, shuffler=shuffler)
            self.dealers[host.id] = bot
            host.driver = bot
            self._bots[host.id] = self._task(host.id, bot.run())

    async def _release(self, host: TableHost) -> None:
        """Stop the bot of a table and close its subscriptions."""
        self.dealers.pop(host.id, None)
        task = self._bots.pop(host.id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        host.release()

    async def withdraw(self, table_id: str) -> None:
        """Take a table off the floor. Its record stays in the ledger."""
        async with self._moving:
            if table_id in self.table_hosts:  # `_share` may have withdrawn it meanwhile
                await self._withdraw(self.table_hosts[table_id])

    async def _withdraw(self, host: TableHost) -> None:
        await self._release(host)
        await asyncio.to_thread(self.leases.give_up, [host.id])
        del self.table_hosts[host.id]
        host.close()

    # Tables shared with other servers of the same database

    async def _every_beat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await work()
            except (CroupierError, SQLAlchemyError) as error:  # the database is unavailable
                log.error("periodic task failed", extra={"why": type(error).__name__})
            except Exception as error:  # ending the loop would lose every table
                log.error("periodic task failed", exc_info=error)

    async def _beat(self) -> None:
        """Renew the leases of this server."""
        self._lost |= await asyncio.to_thread(self.leases.beat)

    async def _share(self) -> None:
        """Claim free tables up to this server's share, release the surplus, follow the rest."""
        async with self._moving:
            await self._move()
        for host in tuple(self.table_hosts.values()):
            if host.id not in self.leases.terms:
                await host.follow()

    async def _move(self) -> None:
        while self._lost:
            name = self._lost.pop()
            log.warning("another server took over a table", extra={"table": name})
            await self._release(self.table_hosts[name])
        names, servers, self.places = await asyncio.to_thread(self._read_places)
        most = share(names, servers)
        for name in set(self.table_hosts).difference(names):  # withdrawn at another server
            await self._withdraw(self.table_hosts[name])
        for name in names:
            free = name not in self.places and name not in self.leases.terms
            claim = free and len(self.leases.terms) < most
            if name not in self.table_hosts:
                await self._open(name, claim=claim)
            elif claim:
                await self._take_over(name)
        await self._hand_over(len(self.leases.terms) - most)

    def _read_places(self) -> tuple[list[str], int, dict[str, TableOwner]]:
        off = self.submissions.off()
        tables = [name for name in self.ledger.tables() if name not in off]
        return tables, self.leases.servers(), self.leases.places()

    async def find_places(self) -> None:
        """Read the owners of the tables now."""
        self.places = await asyncio.to_thread(self.leases.places)

    def _claim(self, table_id: str) -> bool:
        # Under the writer lock: no append of the last owner can follow the change of a lease.
        with self.ledger.store.write_transaction():
            return self.leases.claim(table_id)

    async def _take_over(self, name: str) -> None:
        if await asyncio.to_thread(self._claim, name):
            self.takeovers += 1
            await self.table_hosts[name].take_over()
            self._start_bot(self.table_hosts[name])

    async def _hand_over(self, surplus: int) -> None:
        """Release tables beyond this server's share, between rounds."""
        idle = [name for name in self.leases.terms if self.table_hosts[name].table.dealing is None]
        for name in idle[: max(surplus, 0)]:
            await self._release(self.table_hosts[name])
            await asyncio.to_thread(self.leases.give_up, [name])

    def table_host(self, table_id: str) -> TableHost:
        """The host of a table; raises UnknownTable."""
        host = self.table_hosts.get(table_id)
        if host is None:
            raise UnknownTable(table_id)
        return host

    async def stop(self) -> None:
        """Finish queued commands and close everything. Rounds continue after the next start."""
        self.ready = False
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for host in self.table_hosts.values():
            await host.drain()
            host.close()
        await self.denied_attempts.flush(all=True)
        with suppress(SQLAlchemyError):  # the leases expire
            await asyncio.to_thread(self.leases.leave)
        if self._appender is not None:
            await self._appender.close()
        await asyncio.to_thread(self.ledger.close)
        await asyncio.to_thread(self.accounts.close)

    # The lobby

    def lobby(self, person: Person) -> msg.Lobby:
        """Every table at which a person has a role."""
        return msg.Lobby(tuple(self._lobby_tables(person)))

    def _lobby_tables(self, person: Person) -> Iterable[msg.LobbyTable]:
        for host in sorted(self.table_hosts.values(), key=menu_order):
            roles = person.roles_at(host.id)
            if not roles or host.is_lesson:
                continue
            table_view = view(host.table, Viewer(Account(person.id, "player")))
            yield msg.LobbyTable(
                id=host.id,
                game=table_view.game,
                title=host.table.house.game.title,
                operator=table_view.operator,
                service=table_view.service,
                live=table_view.live,
                open=table_view.open,
                state=host.table.due().kind,
                rounds_played=table_view.rounds_played,
                ante=table_view.limits[host.table.house.game.ante.name],
                seats={seat: seat in table_view.seats for seat in range(1, 7)},
                meters=table_view.meters,
                roles=roles,
            )


def menu_order(host: TableHost) -> tuple[int, str, str]:
    """Sort key of tables in lists: by game, then by name."""
    game = host.table.house.game
    return game.menu_place, game.title, host.id
