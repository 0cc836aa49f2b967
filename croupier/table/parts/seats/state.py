"""State of seats, and its event handlers."""

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
    """The players by seat, and the players who left during the round in progress."""

    taken: dict[int, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)  # absent players whose wagers were ruled on
    unseen: bool = False  # the table was empty: the next player must be shown the cards
    last_bet_at: int = 0

    def seat_of(self, player: str) -> int | None:
        """The seat of a player, if any."""
        for seat, name in self.taken.items():
            if name == player:
                return seat
        return None


def on_sat_down(table: Table, event: rec.SatDown) -> None:
    """Take the seat."""
    table.seats.taken[event.seat] = event.player
    table.seats.absent.discard(event.player)


def on_left(table: Table, event: rec.Left | rec.LeftDuringRound | rec.SeatFreed) -> None:
    """Free the seat; wagers on its box stay."""
    seats = table.seats
    del seats.taken[event.seat]
    if isinstance(event, rec.LeftDuringRound):
        seats.absent.add(event.player)
    if not seats.taken:
        seats.unseen = True


def on_abandonment_ruled(table: Table, event: rec.AbandonmentRuled) -> None:
    """Mark an absent player's wagers as ruled on."""
    table.seats.ruled.add(event.player)


def on_wagers_placed(table: Table, event: played.WagersPlaced) -> None:
    """Restart the idle clock."""
    table.seats.last_bet_at = max(table.seats.last_bet_at, table.clock)


def on_round_closed(table: Table, event: played.RoundClosed) -> None:
    """Forget the players who left during the round."""
    table.seats.absent.clear()
    table.seats.ruled.clear()


EVOLVE: dict[type[Event], Evolve] = {
    rec.SatDown: on_sat_down,
    rec.Left: on_left,
    rec.LeftDuringRound: on_left,
    rec.SeatFreed: on_left,
    rec.AbandonmentRuled: on_abandonment_ruled,
    played.WagersPlaced: on_wagers_placed,
    played.RoundClosed: on_round_closed,
}
