"""What the steps of a player at a practice table depend on: while it is the same, so are they.

Such a table has neither clocks nor staff, and most of what a player may do there depends on the
own chips and boxes alone. What is not listed here is worked out anew at every moment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeAlias

from croupier.table.chips.record import CashOut, Tip
from croupier.table.people import Account
from croupier.table.record import Command
from croupier.table.round.record import Decide, PlaceWagers
from croupier.table.seats.record import Leave, SitDown

if TYPE_CHECKING:
    from croupier.table.table import Table

Reads: TypeAlias = Callable[["Table", str], Hashable]  # None where they are not kept


def a_seat(table: Table, player: str) -> Hashable:
    """Whoever sits already is offered none."""
    return True if player in table.seats.taken.values() else None


def leaving(table: Table, player: str) -> Hashable:
    """Whether wagers lie on the layout, and whether they are in play."""
    return table.seats.seat_of(player), bool(table.boxes_of(player)), table.dealing is None


def own_chips(table: Table, player: str) -> Hashable:
    """The seat and the chips before it."""
    return table.seats.seat_of(player), table.book.rack(player)


def wagers(table: Table, player: str) -> Hashable:
    """Nothing while cards are out; otherwise who sits where, what lies there, in which round."""
    if table.dealing is not None:
        return True
    current = table.open_round
    boxes = current.boxes.items() if current is not None else ()
    lie = tuple((seat, box.player, tuple(box.stakes.items())) for seat, box in boxes)
    taken = tuple(table.seats.taken.items())
    opens = current is None  # the first wager opens a round
    return table.book.rack(player), taken, lie, opens, tuple(table.limits.accepted)


def a_word(table: Table, player: str) -> Hashable:
    """Nothing is asked of the others; of one, by the street, what lies there, and can be paid."""
    due, current = table.due(), table.dealing
    if current is None or due.kind != "decide" or current.boxes[due.seat].player != player:
        return True
    assert current.street is not None, "somebody is asked on a street"
    box = current.boxes[due.seat]
    dearest = max(option.times for option in current.street.options)
    most = dearest * box.stakes[table.house.game.ante.name]
    paid = min(table.book.rack(player), most)
    absent = player in table.seats.absent
    return current.street.name, due.seat, tuple(box.stakes.items()), paid, absent


READS: dict[type[Command], Reads] = {
    SitDown: a_seat,
    Leave: leaving,
    PlaceWagers: wagers,
    Decide: a_word,
    Tip: own_chips,
    CashOut: own_chips,
}


def read_by(table: Table, kind: type[Command], near: Account) -> Hashable:
    """All that steps of a kind depend on for a player under a House; None if they are not kept."""
    reads = READS.get(kind)
    if reads is None or near.role != "player" or table.attended:
        return None
    return reads(table, near.id)
