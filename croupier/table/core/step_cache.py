"""What the steps of a player at a practice table depend on: while it is the same, so are they.

Such a table has neither clocks nor staff, and most of what a player may do there depends on the
own chips and boxes alone. What is not listed here is worked out anew at every moment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.money import Cents
from croupier.table.core.fields import AmountField, FieldType, StakesField
from croupier.table.core.messages import Command
from croupier.table.core.roles import Account
from croupier.table.parts.chips.messages import CashOut, Tip
from croupier.table.parts.round.messages import Decide, PlaceWagers
from croupier.table.parts.seats.messages import Leave, SitDown

if TYPE_CHECKING:
    from croupier.table.table import Table


class Own(msgspec.Struct, frozen=True):
    """What is a player's own at a table, looked up once for all of their steps."""

    player: str
    seat: int | None
    chips: Cents
    bets: bool  # whether wagers lie on a box of theirs
    enough: Cents  # the chips, as far as they decide what is offered


def own_of(table: Table, player: str) -> Own:
    """What is a player's own now.

    Whoever has more than any least wager comes to may do the same with more; how many chips there
    are is filled in where a form says so.
    """
    house, chips, current = table.house, table.book.rack(player), table.open_round
    least = house.limits[house.game.ante.name].minimum
    plenty = (least + 100 * (house.lowest_chip or 1) + 100_00) * len(house.game.wagers)
    boxes = current.boxes.values() if current is not None else ()
    bets = player in [box.player for box in boxes]
    return Own(player, table.seats.seat_of(player), chips, bets, min(chips, plenty))


Reads: TypeAlias = Callable[["Table", Own], Hashable]  # None where they are not kept


def a_seat(table: Table, own: Own) -> Hashable:
    """Whoever sits already is offered none."""
    return True if own.seat is not None else None


def leaving(table: Table, own: Own) -> Hashable:
    """Whether wagers lie on the layout, and whether they are in play."""
    return own.seat, own.bets, table.dealing is None


def own_chips(table: Table, own: Own) -> Hashable:
    """The seat and the chips before it, as far as they matter."""
    return own.seat, own.enough


def wagers(table: Table, own: Own) -> Hashable:
    """Nothing while cards are out; otherwise who sits where, what lies there, in which round."""
    if table.dealing is not None:
        return True
    current = table.open_round
    boxes = current.boxes.items() if current is not None else ()
    lie = tuple((seat, box.player, tuple(box.stakes.items())) for seat, box in boxes)
    taken = tuple(table.seats.taken.items())
    opens = current is None  # the first wager opens a round
    return own.enough, taken, lie, opens, tuple(table.limits.accepted)


def a_word(table: Table, own: Own) -> Hashable:
    """Nothing is asked of the others; of one, by the street, what lies there, and can be paid."""
    due, current = table.due(), table.dealing
    if current is None or due.kind != "decide" or current.boxes[due.seat].player != own.player:
        return True
    assert current.street is not None, "somebody is asked on a street"
    box = current.boxes[due.seat]
    dearest = max(option.times for option in current.street.options)
    most = dearest * box.stakes[table.house.game.ante.name]
    paid = min(own.chips, most)
    absent = own.player in table.seats.absent
    return current.street.name, due.seat, tuple(box.stakes.items()), paid, absent


READS: dict[type[Command], Reads] = {
    SitDown: a_seat,
    Leave: leaving,
    PlaceWagers: wagers,
    Decide: a_word,
    Tip: own_chips,
    CashOut: own_chips,
}


def refilled(fields: dict[str, FieldType], chips: Cents) -> dict[str, FieldType]:
    """The fields of a step that was kept, for whoever has so many chips now."""
    found = dict(fields)
    for name, form in fields.items():
        if isinstance(form, AmountField):
            found[name] = replace(form, most=chips)
        elif isinstance(form, StakesField):
            found[name] = replace(form, chips=chips)
    return found


FOLLOW_CHIPS = (PlaceWagers, Tip, CashOut)


def read_by(table: Table, kind: type[Command], own: Own) -> Hashable:
    """All that a player's steps of a kind depend on under a House; None if they are not kept."""
    reads = READS.get(kind)
    return None if reads is None else reads(table, own)


def are_kept(table: Table, near: Account) -> bool:
    """Whether anything of the steps for an account is kept."""
    return near.role == "player" and not table.attended
