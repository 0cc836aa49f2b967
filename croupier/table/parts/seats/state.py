"""State of seats, and its event handlers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.clock import DAY
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.seats import messages as msg

if TYPE_CHECKING:
    from croupier.table.table import Table

RECENT = 3 * DAY  # how long a dispute waits (COMAR 36.03.10.47B)


@dataclass(slots=True)
class Seats:
    """The players by seat, and the players who left during the round in progress."""

    taken: dict[int, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)  # absent players whose wagers were ruled on
    unseen: bool = False  # the table was empty: the next player must be shown the cards
    last_bet_at: int = 0
    recent: dict[str, int] = field(default_factory=dict)  # when a player last sat down or left

    def seat_of(self, player: str) -> int | None:
        """The seat of a player, if any."""
        for seat, name in self.taken.items():
            if name == player:
                return seat
        return None


def was_here(table: Table, player: str, at: int) -> bool:
    """Whether a player sits at the table, or did so within the last three days."""
    left = table.seats.recent.get(player)
    recently = left is not None and table.now(at) - left <= RECENT
    return recently or table.seats.seat_of(player) is not None


def remember(table: Table, player: str) -> None:
    """Record that a player is at the table now; forget those of earlier days."""
    since = table.clock - RECENT
    recent = {name: seen for name, seen in table.seats.recent.items() if seen >= since}
    table.seats.recent = {**recent, player: table.clock}


def on_sat_down(table: Table, event: msg.SatDown) -> None:
    """Take the seat."""
    remember(table, event.player)
    table.seats.taken[event.seat] = event.player
    table.seats.absent.discard(event.player)


def on_left(table: Table, event: msg.Left | msg.LeftDuringRound | msg.SeatFreed) -> None:
    """Free the seat; wagers on its box stay."""
    remember(table, event.player)
    seats = table.seats
    del seats.taken[event.seat]
    if isinstance(event, msg.LeftDuringRound):
        seats.absent.add(event.player)
    if not seats.taken:
        seats.unseen = True


def on_abandonment_ruled(table: Table, event: msg.AbandonmentRuled) -> None:
    """Mark an absent player's wagers as ruled on."""
    table.seats.ruled.add(event.player)


def on_wagers_placed(table: Table, event: round_msg.WagersPlaced) -> None:
    """Restart the idle clock; who bets needs no cards shown any more, if a device fails later."""
    if event.stakes:
        table.seats.unseen = False
    table.seats.last_bet_at = max(table.seats.last_bet_at, table.clock)


def on_round_closed(table: Table, event: round_msg.RoundClosed) -> None:
    """Forget the players who left during the round."""
    table.seats.absent.clear()
    table.seats.ruled.clear()


EVOLVE: dict[type[Event], Evolve] = {
    msg.SatDown: on_sat_down,
    msg.Left: on_left,
    msg.LeftDuringRound: on_left,
    msg.SeatFreed: on_left,
    msg.AbandonmentRuled: on_abandonment_ruled,
    round_msg.WagersPlaced: on_wagers_placed,
    round_msg.RoundClosed: on_round_closed,
}
