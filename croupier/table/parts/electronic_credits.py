"""Credits of an electronic table: acknowledged when bought, visible, cashed out to nothing.

Credits stand for chips and every other rule holds (A81); cards come from a reader or a keyboard,
because such a table may not decide the game of chance itself.
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
from croupier.table.parts.chips.messages import BoughtIn, CashOut
from croupier.table.parts.round.messages import PlaceWagers
from croupier.table.parts.seats.messages import Left, LeftDuringRound, SeatFreed
from croupier.table.parts.seats.seating import require_own_seat

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.02.21"  # the game account of an electronic table


class AcknowledgeBuyIn(Command, frozen=True, tag="acknowledge_buy_in"):
    """A player agrees that the credits bought are the cash that was given."""

    seat: int
    cash: Cents


class BuyInAcknowledged(Event, frozen=True, kw_only=True, tag="buy_in_acknowledged"):
    """A player agreed with the credits of a buy-in."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    cash: Cents


@dataclass(slots=True)
class Credits:
    """Buy-ins that their players have not agreed with yet."""

    waiting: dict[str, Cents] = field(default_factory=dict)


def used(table: Table) -> bool:
    """Whether credits stand for chips at this table."""
    return table.house.game.procedure.credits(table.house)


def bought(table: Table, event: BoughtIn) -> None:
    """The player is to agree with it."""
    if used(table):
        waiting = table.credits.waiting
        waiting[event.player] = waiting.get(event.player, 0) + event.cash


def agreed(table: Table, event: BuyInAcknowledged) -> None:
    """It waits no more."""
    table.credits.waiting.pop(event.player, None)


def gone(table: Table, event: Left | LeftDuringRound | SeatFreed) -> None:
    """Whoever leaves with everything has agreed with it."""
    table.credits.waiting.pop(event.player, None)


def acknowledge(table: Table, command: AcknowledgeBuyIn, by: Account, at: int) -> list[Event]:
    """The player says which amount, so that agreeing is more than a tap."""
    player = require_own_seat(table, command.seat, by)
    waiting = table.credits.waiting.get(player, 0)
    if not waiting:
        raise Refusal(f"no buy-in of {player} waits to be acknowledged", LAW)
    if command.cash != waiting:
        raise Refusal(
            f"{dollars(command.cash)} is acknowledged, but {dollars(waiting)} was bought", LAW
        )
    return [BuyInAcknowledged(seat=command.seat, player=player, cash=command.cash, clauses=(LAW,))]


def offer_acknowledge(table: Table, at: int) -> Iterator[ActionTemplate]:
    """To everybody whose credits are new."""
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
    """Nobody bets with credits that they have not agreed to."""
    check_agreed(table, by.id)
    return ()


def check_agreed(table: Table, player: str) -> None:
    """Refuse a bet with credits that the player has not agreed to."""
    if player in table.credits.waiting:
        raise Refusal(f"{player} has not acknowledged the buy-in", LAW)


def before_cashing(table: Table, command: CashOut, by: Account, at: int) -> tuple[str, ...]:
    """A game account is cashed out to nothing."""
    if used(table) and command.chips != table.book.rack(by.id):
        raise Refusal("credits are cashed out as a whole; nothing may be left behind", LAW)
    return ()


PART = Part(
    name="credits",
    services=ATTENDED,
    acts=(
        CommandSpec(
            command=AcknowledgeBuyIn,
            roles=PLAYER,
            duty="chips",
            decide=acknowledge,
            offers=offer_acknowledge,
        ),
    ),
    before={PlaceWagers: before_placing, CashOut: before_cashing},
    evolve={
        BoughtIn: bought,
        BuyInAcknowledged: agreed,
        Left: gone,
        LeftDuringRound: gone,
        SeatFreed: gone,
    },
)
