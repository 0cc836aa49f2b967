"""Opens the tables of a session: in memory, or recorded on a practice ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from croupier.errors import BadInput
from croupier.games import House
from croupier.table import Table
from croupier.table.drivers.simulated_staff import InMemoryTable, PlayableTable
from croupier.terminal.bot_players import DEALER

if TYPE_CHECKING:
    from croupier.ledger import Ledger

Service: TypeAlias = Literal["practice", "attended"]
Meters: TypeAlias = Mapping[str, Fraction]
OpenTable: TypeAlias = Callable[[House, Service, Meters], PlayableTable]


def memory_table(house: House, service: Service, meters: Meters) -> PlayableTable:
    """A table that is not recorded."""
    return InMemoryTable(Table(house, service=service, meters=meters))


@contextmanager
def table_factory(path: str | Path | None) -> Iterator[OpenTable]:
    """A function that opens tables, recorded on the ledger at `path` if there is one.

    Raises BadInput for a live ledger.
    """
    if path is None:
        yield memory_table
        return
    from croupier.ledger import Ledger

    with Ledger(path, purpose="practice") as ledger:
        if ledger.purpose != "practice":
            raise BadInput(f"{path} is a live ledger; practice rounds need a practice ledger")
        yield lambda house, service, meters: recorded_table(ledger, house, service, meters)


def recorded_table(ledger: Ledger, house: House, service: Service, meters: Meters) -> PlayableTable:
    """The table of this game on a ledger, as the last session left it."""
    opened: PlayableTable = ledger.open_table(
        f"{service}-{house.game.key}", house, by=DEALER, service=service, meters=meters
    )
    return opened
