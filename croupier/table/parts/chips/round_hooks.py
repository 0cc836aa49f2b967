"""Hooks of chips in the round: players must cover their wagers, the tray must cover payouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.games import stake_unit
from croupier.money import Cents, dollars
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts import payouts
from croupier.table.parts.chips.messages import UnclaimedHeld
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.round.settlement import seats_to_settle

if TYPE_CHECKING:
    from croupier.table.table import Table


def after_placing(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Wagers must be whole chips that the player has."""
    placed = next(event for event in events if isinstance(event, round_msg.WagersPlaced))
    check_placed(table, placed)
    return []


def check_placed(table: Table, placed: round_msg.WagersPlaced) -> None:
    """Refuse wagers that are not whole chips, or that exceed the player's rack."""
    check_stakes(table, placed.stakes)
    box = table.open_round.boxes.get(placed.seat) if table.open_round else None
    already_placed = sum(box.stakes.values()) if box is not None else 0
    check_covered(table, placed.player, sum(placed.stakes.values()) - already_placed)


def after_deciding(
    table: Table, command: round_msg.Decide, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A bet during the round must be whole chips that the player has."""
    assert table.dealing is not None
    for event in events:
        if isinstance(event, round_msg.Decided) and event.wager:
            check_stakes(table, {event.wager: event.stake})
            check_covered(table, table.dealing.boxes[command.seat].player, event.stake)
    return []


def check_stakes(table: Table, stakes: Mapping[str, Cents]) -> None:
    """Refuse a stake that cannot be made up, or paid, in whole chips (A24)."""
    if table.house.lowest_chip is None:
        return
    for wager, stake in stakes.items():
        unit = stake_unit(table.house, wager)
        if stake % unit:
            problem = f"{wager} must be a multiple of {dollars(unit)}, got {dollars(stake)}"
            raise Refusal(problem, "A24", game=table.house.game.key)


def check_covered(table: Table, player: str, cents: Cents) -> None:
    """Refuse an amount above the player's rack (A34)."""
    short = cents - table.book.rack(player)
    if short > 0:
        problem = f"not enough chips: {player} is {dollars(short)} short"
        raise Refusal(problem, "A34", game=table.house.game.key)


def after_settling(
    table: Table, command: round_msg.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The tray must cover the payouts; winnings of an absent player are held."""
    book = table.book.copy()
    for event in events:
        book.post(event)
    if table.attended and book.tray < 0:
        # The missing amount would disclose the tray balance before a blind count.
        raise table.refusal("the tray cannot pay this round; a fill is needed", "settle.pays")
    return [
        UnclaimedHeld(player=player, amount=amount, by=by, clauses=("A89",))
        for player in sorted(table.seats.absent)
        if (amount := book.rack(player))
    ]


def missing_chips(table: Table, at: int) -> Cents:
    """What the tray lacks for the payments of the seat that is settled next; 0 if it is enough."""
    if not table.attended:
        return 0
    for events in seats_to_settle(table, at).values():
        after = tray_after(table, [*events, *payouts.check_payments(table, events)])
        if after < 0:
            return -after
    return 0


def tray_too_short(table: Table, at: int) -> bool:
    """Whether only a lack of chips in the tray prevents settlement."""
    return missing_chips(table, at) > 0


def tray_after(table: Table, events: Iterable[Event]) -> Cents:
    """The tray balance after these events."""
    book = table.book.copy()
    for event in events:
        book.post(event)
    return book.tray
