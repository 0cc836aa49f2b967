"""The floor: every table of a ledger with its one writer, and the machines that run practice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from sqlalchemy.engine import URL

from croupier.errors import Unknown
from croupier.floor import messages as msg
from croupier.floor.accounts import Accounts, Person, beside
from croupier.floor.dealer import MachineDealer
from croupier.floor.desk import Desk
from croupier.floor.felt import felt_of
from croupier.floor.filings import Filings
from croupier.games import House, Wager
from croupier.ledger import Ledger
from croupier.ledger.log import Waiting
from croupier.rulebook import clauses
from croupier.table import Account, Service, Viewer, view
from croupier.table.committed import Shuffler

OPENER = Account("floor", "system")
log = logging.getLogger("croupier.floor")


class UnknownTable(Unknown):
    """No table of this floor has this name."""

    kind = "table"


class Floor:
    """Tables, people and machines, from `start` to `stop`, in one event loop."""

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.ledger = ledger
        self.accounts = accounts
        self.desks: dict[str, Desk] = {}
        self.dealers: dict[str, MachineDealer] = {}
        self.ready = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: Waiting | None = None

    @classmethod
    def at(cls, database: str | Path | URL, *, purpose: str = "practice") -> Floor:
        """The floor of a ledger, which is founded if there is none."""
        ledger = Ledger(database, purpose="practice" if purpose == "practice" else "live")
        return cls(ledger, Accounts(beside(database)))

    async def start(self) -> None:
        """Open every table on record; practice tables begin to run."""
        self._waiting = Waiting(self.ledger.store)
        off = await asyncio.to_thread(Filings(self.accounts).closed_tables)
        for name in await asyncio.to_thread(self.ledger.tables):
            if name not in off:
                await self.open(name)
        self.ready = True

    async def open(
        self,
        table_id: str,
        house: House | None = None,
        *,
        service: Service = "practice",
        by: Account = OPENER,
        shuffler: Shuffler | None = None,
    ) -> Desk:
        """A table as the record has it, or a new one under this House."""
        assert self._waiting is not None, "the floor has not started"
        known = self.desks.get(table_id)
        if known is not None:
            return known

        def opened() -> Desk:
            table = self.ledger.open_table(table_id, house, by=by, service=service)
            assert self._waiting is not None
            return Desk(self.ledger, self._waiting, table)

        desk = self.desks[table_id] = await asyncio.to_thread(opened)
        if desk.table.service == "practice" and not desk.table.live:
            self._run(desk, shuffler)
        return desk

    def _run(self, desk: Desk, shuffler: Shuffler | None) -> None:
        dealer = MachineDealer(desk, self.accounts, shuffler=shuffler)
        self.dealers[desk.id] = dealer
        desk.runner = dealer
        task = asyncio.get_running_loop().create_task(dealer.run(), name=f"dealer of {desk.id}")
        self._tasks.add(task)
        task.add_done_callback(self._stopped)

    async def withdraw(self, table_id: str) -> None:
        """Take a table off the floor: nobody looks at it or runs it any more."""
        desk = self.desk(table_id)
        del self.desks[table_id]
        self.dealers.pop(table_id, None)
        tasks = [task for task in self._tasks if task.get_name() == f"dealer of {table_id}"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        desk.close()

    def _stopped(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a machine dealer failed", exc_info=error, extra={"task": task.get_name()})

    def desk(self, table_id: str) -> Desk:
        """The table of a name."""
        found = self.desks.get(table_id)
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
        for desk in self.desks.values():
            desk.close()
        await asyncio.to_thread(self.ledger.close)
        await asyncio.to_thread(self.accounts.close)

    # What it shows

    def lobby(self, person: Person) -> msg.Lobby:
        """Every table that somebody has a role at."""
        return msg.Lobby(tuple(self._listed(person)))

    def _listed(self, person: Person) -> Iterable[msg.LobbyTable]:
        for name, desk in sorted(self.desks.items(), key=lambda item: place_of(item[1])):
            roles = person.roles_at(name)
            if not roles:
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


def place_of(desk: Desk) -> tuple[int, str, str]:
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
            msg.PaytableLine(line.hand.replace("_", " "), str(line.pays)) for line in lines
        ),
    )
