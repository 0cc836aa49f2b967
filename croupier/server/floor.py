"""The floor: all tables of a ledger, their hosts, and the dealer bots of practice tables."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from sqlalchemy.engine import URL

from croupier.errors import Unknown
from croupier.games import House
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import DisableGaming, EnableGaming
from croupier.ledger.gaming_orders import change_gaming
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import protocol as msg
from croupier.server.auth.accounts import Accounts
from croupier.server.auth.denied_attempts import DeniedAttempts
from croupier.server.auth.person import Person
from croupier.server.auth.sign_in_log import SignInLog
from croupier.server.practice.dealer_bot import DealerBot
from croupier.server.practice.solved_games import SolvedGames
from croupier.server.server_lock import ServerLock
from croupier.server.submissions.repository import SubmissionRepository
from croupier.server.tables.host import TableHost
from croupier.table import Account, Command, Service, Viewer, view
from croupier.table.drivers.shuffler import Shuffler

OPENER = Account("floor", "system")
PERIOD_SECONDS = 1.0  # between two runs of periodic work
RESTART_SECONDS = 1.0  # until a background task that failed starts again
ANSWER_SECONDS = 2.0  # for a check of the ledger; a longer one is a problem itself
log = logging.getLogger("croupier.server")


class UnknownTable(Unknown):
    """The floor has no table of this name."""

    kind = "table"


class Floor:
    """All tables of one ledger with their hosts and bots, run in one event loop.

    `start` and `stop` it, or let `make_app` do so. With a `lock`, commands are executed only
    while this server is the active one of its ledger.
    """

    def __init__(
        self, ledger: Ledger, accounts: Accounts, *, lock: ServerLock | None = None
    ) -> None:
        self.ledger = ledger
        self.accounts = accounts
        self.submissions = SubmissionRepository(accounts, ledger)
        self.denied_attempts = DeniedAttempts(ledger, accounts)
        self.sign_ins = SignInLog(accounts)
        self.table_hosts: dict[str, TableHost] = {}
        self.dealers: dict[str, DealerBot] = {}
        self.problem = ""  # why the ledger cannot be written or read at present
        self.out_of_descriptors = False
        self.task_failures = 0
        self._lock = lock
        self._started = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._moving = asyncio.Lock()  # held while a table is opened or withdrawn
        self.solved_games = SolvedGames()
        self._bots: dict[str, asyncio.Task[None]] = {}  # by table
        self._appender: AsyncAppender | None = None

    @classmethod
    def at(
        cls,
        database: str | Path | URL,
        *,
        purpose: str = "practice",
        lock: ServerLock | None = None,
    ) -> Floor:
        """The floor of a ledger, which is created if there is none."""
        ledger = Ledger(database, purpose="practice" if purpose == "practice" else "live")
        return cls(ledger, Accounts(ledger), lock=lock)

    async def start(self) -> None:
        """Open every table of the ledger and start the bots of practice tables."""
        self._appender = AsyncAppender(self.ledger.store)
        off, tables = await asyncio.to_thread(self._recorded_tables)
        for name in tables:
            if name not in off:
                await self.open(name)
        self.start_task("ledger health", self._check_health)
        self.start_task("denied attempts", self._flush_denied_attempts)
        self.start_task("orders", self._follow_orders)
        self._started = True

    def _recorded_tables(self) -> tuple[set[str], list[str]]:
        return set(self.submissions.off()), self.ledger.tables()

    @property
    def ready(self) -> bool:
        """Whether the tables are open and this server can write to the ledger."""
        return self._started and not self.problem and self.is_active

    @property
    def is_active(self) -> bool:
        """Whether this server is the active one of its ledger."""
        return self._lock is None or self._lock.held

    # Background tasks

    def start_task(self, name: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Run work until it is cancelled; it starts again if it fails."""
        task = asyncio.get_running_loop().create_task(self._supervise(name, work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _supervise(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except Exception as error:
                self.task_failures += 1
                log.error("background task failed", exc_info=error, extra={"task": name})
            await asyncio.sleep(RESTART_SECONDS)

    async def _flush_denied_attempts(self) -> None:
        while True:
            await asyncio.sleep(PERIOD_SECONDS)
            await self.denied_attempts.flush()
            await self.sign_ins.flush()
            await asyncio.to_thread(self.ledger.store.flush_repeats)

    async def _follow_orders(self) -> None:
        while True:
            await asyncio.sleep(PERIOD_SECONDS)
            await self.apply_orders()

    async def _check_health(self) -> None:
        """Notice a full or hung disk, a replaced file or an unreachable database, and the end."""
        while True:
            check = asyncio.ensure_future(asyncio.to_thread(self.ledger.store.health))
            await asyncio.wait((check,), timeout=ANSWER_SECONDS)
            if not check.done():
                self._set_problem("the database does not answer")
            self._set_problem(await check)
            self._check_descriptors()
            await asyncio.sleep(PERIOD_SECONDS)

    def _check_descriptors(self) -> None:
        """Log when no more files or connections can be opened, and the end of it."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
            scarce = False
        except OSError as error:
            scarce = error.errno in (errno.EMFILE, errno.ENFILE)
        if scarce and not self.out_of_descriptors:
            log.error("no file descriptors left: clients cannot connect; raise `ulimit -n`")
        elif self.out_of_descriptors and not scarce:
            log.warning("file descriptors are available again")
        self.out_of_descriptors = scarce

    def _set_problem(self, problem: str) -> None:
        if bool(problem) == bool(self.problem):
            return
        self.problem = problem
        if problem:
            log.error("the ledger is unavailable", extra={"why": problem})
        else:
            log.warning("the ledger is available again")
        for host in self.table_hosts.values():
            host.unavailable = bool(problem)
            host.state_changed()

    async def administer(self, command: Command) -> None:
        """Record an administration command of the server itself."""
        await asyncio.to_thread(self.ledger.administer_again, command, OPENER)

    # Disabled gaming

    async def change_gaming(
        self, command: DisableGaming | EnableGaming, by: Account, id: str
    ) -> None:
        """Disable gaming or enable it again, and show it at every table."""
        await asyncio.to_thread(change_gaming, self.ledger, command, by=by, id=id)
        await self.apply_orders()

    async def apply_orders(self) -> None:
        """Put every table under the orders on record, which another process may have written."""
        approvals = await asyncio.to_thread(self.ledger.approvals.refresh)
        for host in tuple(self.table_hosts.values()):
            bound = host.table.bound
            assert bound is not None, "a table on the floor is bound to a House"
            if approvals.orders_for(bound.table, bound.house) != host.table.disabling.orders:
                await asyncio.to_thread(self.ledger.open_table, host.id)
                await host.catch_up()

    # Tables

    async def open(
        self,
        table_id: str,
        house: House | None = None,
        *,
        service: Service = "practice",
        by: Account = OPENER,
        shuffler: Shuffler | None = None,
    ) -> TableHost:
        """Open a recorded table, or a new one under this House."""
        assert self._appender is not None, "the floor has not started"
        async with self._moving:
            host = self.table_hosts.get(table_id)
            if host is not None:
                return host
            table = await asyncio.to_thread(
                self.ledger.open_table, table_id, house, by=by, service=service
            )
            host = TableHost(self.ledger, self._appender, table, lambda: self.is_active)
            self.table_hosts[table_id] = host
            if host.table.service == "practice" and not host.table.live:
                bot = DealerBot(host, self.accounts, self.solved_games, shuffler=shuffler)
                self.dealers[table_id] = host.driver = bot
                self._bots[table_id] = self.start_task(table_id, bot.run)
            return host

    async def withdraw(self, table_id: str) -> None:
        """Take a table off the floor. Its record stays in the ledger."""
        async with self._moving:
            host = self.table_hosts.pop(table_id, None)
            if host is None:
                return
            self.dealers.pop(table_id, None)
            bot = self._bots.pop(table_id, None)
            if bot is not None:
                bot.cancel()
                await asyncio.gather(bot, return_exceptions=True)
            host.driver = None
            host.close()

    def table_host(self, table_id: str) -> TableHost:
        """The host of a table; raises UnknownTable."""
        host = self.table_hosts.get(table_id)
        if host is None:
            raise UnknownTable(table_id)
        return host

    async def stop(self) -> None:
        """Finish queued commands and close everything. Rounds continue after the next start."""
        self._started = False
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for host in self.table_hosts.values():
            await host.drain()
            host.close()
        await self.denied_attempts.flush(all=True)
        await self.sign_ins.flush(all=True)
        await asyncio.to_thread(self.ledger.close)
        await asyncio.to_thread(self.accounts.close)

    # The lobby

    def lobby(self, person: Person) -> msg.Lobby:
        """Every table at which a person has a role."""
        return msg.Lobby(tuple(self._lobby_tables(person)))

    def _lobby_tables(self, person: Person) -> Iterable[msg.LobbyTable]:
        for host in sorted(self.table_hosts.values(), key=menu_order):
            roles = person.roles_at(host.id)
            if not roles or host.is_lesson or host.is_private:
                continue
            table_view = view(host.table, Viewer(Account(person.id, "player")))
            positions = host.table.house.positions
            yield msg.LobbyTable(
                id=host.id,
                game=table_view.game,
                title=host.table.house.game.title,
                operator=table_view.operator,
                service=table_view.service,
                live=table_view.live,
                open=table_view.open,
                state="disabled" if table_view.disabled else host.table.due().kind,
                rounds_played=table_view.rounds_played,
                ante=table_view.limits[host.table.house.game.ante.name],
                seats={seat: seat in table_view.seats for seat in range(1, positions + 1)},
                meters=table_view.meters,
                roles=roles,
            )


def menu_order(host: TableHost) -> tuple[int, str, str]:
    """Sort key of tables in lists: by game, then by name."""
    game = host.table.house.game
    return game.menu_place, game.title, host.id
