"""The floor: every table of a ledger with its one writer, and the machines that run practice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import CroupierError, Unknown
from croupier.games import House, Wager
from croupier.ledger import Ledger, RecordedTable
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.rulebook import clauses
from croupier.server import protocol as msg
from croupier.server.api.felt_endpoint import felt_of
from croupier.server.auth.accounts import Accounts, Person
from croupier.server.auth.accounts_database import accounts_url
from croupier.server.auth.denied_attempts import DeniedAttempts
from croupier.server.cluster.leases import BEAT_SECONDS, Leases, TableOwner, share
from croupier.server.practice.dealer_bot import DealerBot
from croupier.server.school.school_messages import is_school
from croupier.server.submissions.repository import SubmissionRepository
from croupier.server.tables.host import TableHost
from croupier.table import Account, Service, Viewer, view
from croupier.table.drivers.shuffler import Shuffler

OPENER = Account("floor", "system")
log = logging.getLogger("croupier.server")


class UnknownTable(Unknown):
    """No table of this floor has this name."""

    kind = "table"


class Floor:
    """Tables, people and machines, from `start` to `stop`, in one event loop."""

    def __init__(
        self, ledger: Ledger, accounts: Accounts, *, address: str = "", apart: bool = False
    ) -> None:
        """`address` is how other servers of the same database reach this one.

        `apart`: the record is written by a process of its own.
        """
        self.ledger = ledger
        self.accounts = accounts
        self.submissions = SubmissionRepository(accounts, ledger)
        self.denied_attempts = DeniedAttempts(ledger, accounts)
        self.leases = Leases(accounts, address)
        self.places: dict[str, TableOwner] = {}  # where the tables are, as of the last look
        self.takeovers = 0
        self.table_hosts: dict[str, TableHost] = {}
        self.dealers: dict[str, DealerBot] = {}
        self.ready = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._lost: set[str] = set()  # tables that others have taken over, yet to be let go
        self._moving = asyncio.Lock()  # held while tables come to this server, or leave it
        self._running: dict[str, asyncio.Task[None]] = {}  # machine dealers, by table
        self._apart = apart
        self._waiting: AsyncAppender | None = None

    @classmethod
    def at(
        cls, database: str | Path | URL, *, purpose: str = "practice", address: str = ""
    ) -> Floor:
        """The floor of a ledger, which is founded if there is none."""
        ledger = Ledger(database, purpose="practice" if purpose == "practice" else "live")
        return cls(ledger, Accounts(accounts_url(database)), address=address, apart=True)

    async def start(self) -> None:
        """Open every table on record; practice tables begin to run."""
        self._waiting = AsyncAppender(self.ledger.store, apart=self._apart)
        await asyncio.to_thread(self.leases.beat)
        self._task("beats", self._every_beat(self._beat))
        await self._share()
        self._task("shares", self._every_beat(self._share))
        self._task("denials", self._every_beat(self.denied_attempts.flush))
        self.ready = True

    @property
    def writer(self) -> int:
        """The number of the process that writes the record; 0 where this one does."""
        return self._waiting.process if self._waiting is not None else 0

    def _task(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._stopped)
        return task

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
        """A table as the record has it, or a new one under this House.

        It becomes this server's if it is nobody's, unless `claim` is false.
        """
        assert self._waiting is not None, "the floor has not started"
        async with self._moving:
            known = self.table_hosts.get(table_id)
            return known or await self._open(table_id, house, service, by, shuffler, claim=claim)

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
        assert self._waiting is not None

        def opened() -> RecordedTable:
            if claim:
                self._claim(table_id)
            try:
                return self.ledger.open_table(table_id, house, by=by, service=service)
            except CroupierError:
                self.leases.give_up([table_id])
                raise

        table = await asyncio.to_thread(opened)
        desk = self.table_hosts[table_id] = TableHost(self.ledger, self._waiting, table)
        desk.leases = self.leases
        if desk.ours:
            table.fence = self.leases.fence(table_id)
            self._begin(desk, shuffler)
        return desk

    def _begin(self, desk: TableHost, shuffler: Shuffler | None = None) -> None:
        """A table has become this server's."""
        if desk.table.service == "practice" and not desk.table.live:
            dealer = DealerBot(desk, self.accounts, shuffler=shuffler)
            self.dealers[desk.id] = dealer
            desk.driver = dealer
            self._running[desk.id] = self._task(desk.id, dealer.run())

    async def _end(self, desk: TableHost) -> None:
        """A table is another server's, or about to be."""
        self.dealers.pop(desk.id, None)
        task = self._running.pop(desk.id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        desk.leave()

    async def withdraw(self, table_id: str) -> None:
        """Take a table off the floor: nobody looks at it or runs it any more."""
        async with self._moving:
            if table_id in self.table_hosts:  # the others' look may have been faster
                await self._withdraw(self.table_hosts[table_id])

    async def _withdraw(self, desk: TableHost) -> None:
        await self._end(desk)
        await asyncio.to_thread(self.leases.give_up, [desk.id])
        del self.table_hosts[desk.id]
        desk.close()

    def _stopped(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the floor failed", exc_info=error, extra={"task": task.get_name()})

    # Sharing tables with other servers of the same database

    async def _every_beat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await work()
            except (CroupierError, SQLAlchemyError) as error:  # the database: tried again
                log.error("leases wait", extra={"why": type(error).__name__})
            except Exception as error:  # without it every table would be lost
                log.error("leases wait", exc_info=error)

    async def _beat(self) -> None:
        """Renew what is ours, whatever else goes on."""
        self._lost |= await asyncio.to_thread(self.leases.beat)

    async def _share(self) -> None:
        """Take what nobody has up to our share, hand over what is more, follow the others."""
        async with self._moving:
            await self._move()
        for desk in tuple(self.table_hosts.values()):
            if desk.id not in self.leases.terms:
                await desk.follow()

    async def _move(self) -> None:
        while self._lost:
            name = self._lost.pop()
            log.warning("a table was taken over", extra={"table": name})
            await self._end(self.table_hosts[name])
        names, servers, self.places = await asyncio.to_thread(self._look)
        most = share(names, servers)
        for name in set(self.table_hosts).difference(
            names
        ):  # closed by an operator at another server
            await self._withdraw(self.table_hosts[name])
        for name in names:
            free = name not in self.places and name not in self.leases.terms
            wanted = free and len(self.leases.terms) < most
            if name not in self.table_hosts:
                await self._open(name, claim=wanted)
            elif wanted:
                await self._take(name)
        await self._hand_over(len(self.leases.terms) - most)

    def _look(self) -> tuple[list[str], int, dict[str, TableOwner]]:
        off = self.submissions.off()
        tables = [name for name in self.ledger.tables() if name not in off]
        return tables, self.leases.servers(), self.leases.places()

    async def find_places(self) -> None:
        """Look now where the tables are."""
        self.places = await asyncio.to_thread(self.leases.places)

    def _claim(self, table_id: str) -> bool:
        # Nobody appends while a lease changes hands: nothing of its last owner comes later.
        with self.ledger.store.writing():
            return self.leases.claim(table_id)

    async def _take(self, name: str) -> None:
        if await asyncio.to_thread(self._claim, name):
            self.takeovers += 1
            await self.table_hosts[name].take()
            self._begin(self.table_hosts[name])

    async def _hand_over(self, surplus: int) -> None:
        """Let other servers have what is more than our share, between rounds."""
        idle = [name for name in self.leases.terms if self.table_hosts[name].table.dealing is None]
        for name in idle[: max(surplus, 0)]:
            await self._end(self.table_hosts[name])
            await asyncio.to_thread(self.leases.give_up, [name])

    def table_host(self, table_id: str) -> TableHost:
        """The table of a name."""
        found = self.table_hosts.get(table_id)
        if found is None:
            raise UnknownTable(table_id)
        return found

    async def stop(self) -> None:
        """Finish what is on its way; rounds stay as the record has them, to be gone on with."""
        self.ready = False
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for desk in self.table_hosts.values():
            await desk.finish()
            desk.close()
        await self.denied_attempts.flush(all=True)
        with suppress(SQLAlchemyError):  # where it cannot be said, the lease ends by itself
            await asyncio.to_thread(self.leases.leave)
        if self._waiting is not None:
            await self._waiting.close()
        await asyncio.to_thread(self.ledger.close)
        await asyncio.to_thread(self.accounts.close)

    # What it shows

    def lobby(self, person: Person) -> msg.Lobby:
        """Every table that somebody has a role at."""
        return msg.Lobby(tuple(self._listed(person)))

    def _listed(self, person: Person) -> Iterable[msg.LobbyTable]:
        for name, desk in sorted(self.table_hosts.items(), key=lambda item: menu_order(item[1])):
            roles = person.roles_at(name)
            if not roles or is_school(name):
                continue
            seen = view(desk.table, Viewer(Account(person.id, "player")))
            yield msg.LobbyTable(
                id=name,
                game=seen.game,
                title=desk.table.house.game.title,
                operator=seen.operator,
                service=seen.service,
                live=seen.live,
                open=seen.open,
                state=desk.table.due().kind,
                rounds_played=seen.rounds_played,
                ante=seen.limits[desk.table.house.game.ante.name],
                seats={seat: seat in seen.seats for seat in range(1, 7)},
                meters=seen.meters,
                roles=roles,
            )


def menu_order(desk: TableHost) -> tuple[int, str, str]:
    """Where a table stands in lists."""
    game = desk.table.house.game
    return game.menu_place, game.title, desk.id


@cache
def house_card(table_id: str, house: House) -> msg.HouseCard:
    """What a screen needs to know of a House."""
    game = house.game
    return msg.HouseCard(
        id=table_id,
        game=game.key,
        title=game.title,
        tagline=game.tagline,
        operator=house.operator,
        digest=house.digest,
        player_cards=game.player_cards,
        dealer_cards=game.dealer_cards,
        community_cards=game.community_cards,
        places=game.layout.places,
        wagers=tuple(wager_card(house, wager) for wager in game.wagers if house.offers(wager.name)),
        streets=tuple(
            msg.StreetCard(
                street.name,
                street.when,
                street.clause,
                tuple(msg.OptionCard(o.word, o.clause, o.wager, o.times) for o in street.options),
            )
            for street in game.streets
        ),
        clauses={clause.id: clause.summary for clause in clauses(game.document)},
        anchors=felt_of(house).anchors(),
    )


def wager_card(house: House, wager: Wager) -> msg.WagerCard:
    """One betting spot."""
    limits = house.limits.get(wager.name)
    terms = house.progressive if wager.role == "progressive" else None
    posted = wager.name in house.letters or wager.name in house.game.fixed_paytables
    lines = house.paytable(wager.name).lines if posted else ()
    return msg.WagerCard(
        name=wager.name,
        title=wager.title,
        role=wager.role,
        clause=wager.clause,
        least=terms.stake if terms else limits.minimum if limits else 0,
        most=terms.stake if terms else limits.maximum if limits else None,
        equals=house.game.ante.name if wager.role == "matching" else "",
        needs=house.prerequisites.get(wager.name, ""),
        paytable=tuple(
            msg.PaytableRow(line.hand.replace("_", " "), str(line.pays)) for line in lines
        ),
    )
