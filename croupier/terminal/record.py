"""Rounds of the terminal game on a practice ledger, so that they can be audited like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from croupier.errors import BadInput
from croupier.games import House
from croupier.table import Due, Event, Round, Table
from croupier.table import commands as cmd

if TYPE_CHECKING:
    from croupier.ledger import LoggedTable


class Played(Protocol):
    """What the game needs of a table, with or without a record behind it."""

    @property
    def round(self) -> Round | None:
        """The last round, open or closed."""

    @property
    def meters(self) -> dict[str, Fraction]:
        """The meters as they stand."""

    def due(self) -> Due:
        """What must happen next."""

    def do(self, command: cmd.Command) -> Sequence[Event]:
        """Carry out a command."""


OpenTable: TypeAlias = Callable[[House, dict[str, Fraction]], Played]


@contextmanager
def tables(path: str | Path | None) -> Iterator[OpenTable]:
    """How tables are opened: in memory, or on the practice ledger at this path."""
    if path is None:
        yield Table
        return
    from croupier.ledger import Ledger

    with Ledger(path, purpose="practice") as ledger:
        if ledger.purpose != "practice":
            raise BadInput(f"{path} is a live ledger; a practice round never touches one")

        def opened(house: House, meters: dict[str, Fraction]) -> Played:
            table = ledger.open_table(f"practice-{house.game.key}", house, meters=meters)
            return without_unfinished_round(table)

        yield opened


def without_unfinished_round(table: LoggedTable) -> LoggedTable:
    """Return every wager of a round that a killed session left behind: its deck is gone."""
    current = table.round
    if current is None or current.closed:
        return table
    if not current.betting_closed:
        for seat, box in list(current.boxes.items()):
            table.do(cmd.PlaceWagers(seat, dict.fromkeys(box.stakes, 0), box.player))
        return table
    if current.due().kind != "settle":
        table.do(cmd.FindWrongNumber(f"seat {min(current.boxes)}"))
    table.do(cmd.Settle())
    return table
