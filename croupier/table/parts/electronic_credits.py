"""Credits of an electronic table: acknowledged after a buy-in, and cashed out in full.

Credits replace chips and every other rule holds (A81); cards come from a reader or a keyboard,
because such a table may not determine the outcome itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import PLAYER, Account
from croupier.table.parts.chips.buy_in import uses_credits
from croupier.table.parts.chips.messages import BoughtIn, CashOut, ChipsAdded
from croupier.table.parts.round.messages import PlaceWagers
from croupier.table.parts.seats.messages import Left, LeftDuringRound, SeatFreed
from croupier.table.parts.seats.seating import require_own_seat

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.02.21"  # the game account of an electronic table


class AcknowledgeBuyIn(Command, frozen=True, tag="acknowledge_buy_in"):
    """A player confirms that the credits bought match the cash paid."""

    seat: int
    cash: Cents


class BuyInAcknowledged(Event, frozen=True, kw_only=True, tag="buy_in_acknowledged"):
    """A player confirmed the credits of a buy-in."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    cash: Cents


@dataclass(slots=True)
class Credits:
    """The buy-ins not yet acknowledged, in cents by player."""

    waiting: dict[str, Cents] = field(default_factory=dict)


def bought(table: Table, event: BoughtIn | ChipsAdded) -> None:
    if uses_credits(table):
        waiting = table.credits.waiting
        waiting[event.player] = waiting.get(event.player, 0) + event.chips


def acknowledged(table: Table, event: BuyInAcknowledged) -> None:
    table.credits.waiting.pop(event.player, None)


def left(table: Table, event: Left | LeftDuringRound | SeatFreed) -> None:
    # A player who leaves and takes everything along has accepted the credits.
    table.credits.waiting.pop(event.player, None)


def acknowledge(table: Table, command: AcknowledgeBuyIn, by: Account, at: int) -> list[Event]:
    """Acknowledge a buy-in; the player must enter the amount, not just tap a button."""
    player = require_own_seat(table, command.seat, by)
    bought = table.credits.waiting.get(player, 0)
    if not bought:
        raise Refusal(f"{player} has no buy-in to acknowledge", LAW)
    if command.cash != bought:
        raise Refusal(
            f"{dollars(command.cash)} was acknowledged, but {dollars(bought)} was bought", LAW
        )
    return [BuyInAcknowledged(seat=command.seat, player=player, cash=command.cash, clauses=(LAW,))]


def offer_acknowledge(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer each player with an unacknowledged buy-in to acknowledge it."""
    for player, cash in sorted(table.credits.waiting.items()):
        seat = table.seats.seat_of(player)
        if seat is not None:
            yield ActionTemplate(
                command=AcknowledgeBuyIn(seat, cash),
                due="due",
                why=f"{dollars(cash)} was bought",
                who=(Account(player, "player"),),
            )


def before_placing(table: Table, command: PlaceWagers, by: Account, at: int) -> tuple[str, ...]:
    """Refuse bets with credits that are not acknowledged."""
    check_acknowledged(table, by.id)
    return ()


def check_acknowledged(table: Table, player: str) -> None:
    """Raise Refusal if a player has a buy-in that is not acknowledged."""
    if player in table.credits.waiting:
        raise Refusal(f"{player} has not acknowledged the buy-in", LAW)


def before_cashing(table: Table, command: CashOut, by: Account, at: int) -> tuple[str, ...]:
    """Require that a game account is cashed out in full."""
    if uses_credits(table) and command.chips != table.book.rack(by.id):
        raise Refusal("credits are cashed out in full; cash out the whole balance", LAW)
    return ()


PART = Part(
    subject="Chips, fills and credits",
    services=ATTENDED,
    commands=(
        CommandSpec(
            command=AcknowledgeBuyIn,
            roles=PLAYER,
            duty="chips",
            law=LAW,
            decide=acknowledge,
            offers=offer_acknowledge,
            in_person=uses_credits,
        ),
    ),
    before={PlaceWagers: before_placing, CashOut: before_cashing},
    evolve={
        BoughtIn: bought,
        ChipsAdded: bought,
        BuyInAcknowledged: acknowledged,
        Left: left,
        LeftDuringRound: left,
        SeatFreed: left,
    },
)
