"""How the game's tables are opened: in memory, or on a practice ledger to be audited later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias

from croupier.errors import BadInput
from croupier.games import House
from croupier.table import Table
from croupier.table.drivers.simulated_staff import InMemoryTable, PlayableTable
from croupier.terminal.bot_players_people import DEALER

Service: TypeAlias = Literal["practice", "attended"]
Meters: TypeAlias = Mapping[str, Fraction]
OpenTable: TypeAlias = Callable[[House, Service, Meters], PlayableTable]


def in_memory(house: House, service: Service, meters: Meters) -> PlayableTable:
    """A table that is gone when the session ends."""
    return InMemoryTable(Table(house, service=service, meters=meters))


@contextmanager
def tables(path: str | Path | None) -> Iterator[OpenTable]:
    """How tables are opened while this lasts; a live ledger is refused."""
    if path is None:
        yield in_memory
        return
    from croupier.ledger import Ledger

    with Ledger(path, purpose="practice") as ledger:
        if ledger.purpose != "practice":
            raise BadInput(f"{path} is a live ledger; a practice round never touches one")
        yield lambda house, service, meters: recorded(ledger, house, service, meters)


def recorded(ledger: Any, house: House, service: Service, meters: Meters) -> PlayableTable:
    """The table of this game on a ledger, as the last session left it."""
    opened: PlayableTable = ledger.open_table(
        f"{service}-{house.game.key}", house, by=DEALER, service=service, meters=meters
    )
    return opened
