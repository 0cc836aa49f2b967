"""Who sits where, as the events of a table made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.parts.round import messages as played
from croupier.table.parts.seats import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table


@dataclass(slots=True)
class Seats:
    """Who sits where, and who left a round that goes on without them."""

    taken: dict[int, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)
    unseen: bool = False  # everybody had left: a newcomer must be shown the cards
    last_bet_at: int = 0

    def seat_of(self, player: str) -> int | None:
        """Where a player sits."""
        for seat, name in self.taken.items():
            if name == player:
                return seat
        return None


def sat_down(table: Table, event: rec.SatDown) -> None:
    """The seat is taken."""
    table.seats.taken[event.seat] = event.player
    table.seats.absent.discard(event.player)


def got_up(table: Table, event: rec.Left | rec.LeftDuringRound | rec.SeatFreed) -> None:
    """The seat is free; wagers that lie there stay."""
    seats = table.seats
    del seats.taken[event.seat]
    if isinstance(event, rec.LeftDuringRound):
        seats.absent.add(event.player)
    if not seats.taken:
        seats.unseen = True


def was_ruled(table: Table, event: rec.AbandonmentRuled) -> None:
    """It was decided on an absent player's wagers."""
    table.seats.ruled.add(event.player)


def bet(table: Table, event: played.WagersPlaced) -> None:
    """Somebody bets: the table is not idle."""
    table.seats.last_bet_at = max(table.seats.last_bet_at, table.clock)


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """Whoever left is gone now."""
    table.seats.absent.clear()
    table.seats.ruled.clear()


EVOLVE: dict[type[Event], Evolve] = {
    rec.SatDown: sat_down,
    rec.Left: got_up,
    rec.LeftDuringRound: got_up,
    rec.SeatFreed: got_up,
    rec.AbandonmentRuled: was_ruled,
    played.WagersPlaced: bet,
    played.RoundClosed: round_closed,
}
