"""What chips ask of a round: stakes that lie there, in whole chips, and a tray that can pay."""

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
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


def after_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Nobody bets more than lies before them, or what no chips make up."""
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    check_placed(table, placed)
    return []


def check_placed(table: Table, placed: played.WagersPlaced) -> None:
    """Refuse stakes that are not whole chips, or more than the player has."""
    check_stakes(table, placed.stakes)
    box = table.open_round.boxes.get(placed.seat) if table.open_round else None
    lay = sum(box.stakes.values()) if box is not None else 0
    check_covered(table, placed.player, sum(placed.stakes.values()) - lay)


def after_deciding(
    table: Table, command: played.Decide, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A bet during the round needs chips too."""
    assert table.dealing is not None
    for event in events:
        if isinstance(event, played.Decided) and event.wager:
            check_stakes(table, {event.wager: event.stake})
            check_covered(table, table.dealing.boxes[command.seat].player, event.stake)
    return []


def check_stakes(table: Table, stakes: Mapping[str, Cents]) -> None:
    """Refuse a stake that chips do not make up, or whose winnings they cannot pay (A24)."""
    if table.house.lowest_chip is None:
        return
    for wager, stake in stakes.items():
        unit = stake_unit(table.house, wager)
        if stake % unit:
            problem = (
                f"{wager} must be a multiple of {dollars(unit)} in chips, got {dollars(stake)}"
            )
            raise Refusal(problem, "A24", game=table.house.game.key)


def check_covered(table: Table, player: str, cents: Cents) -> None:
    """Refuse what a player's chips do not cover (A34)."""
    short = cents - table.book.rack(player)
    if short > 0:
        problem = f"{player} is {dollars(short)} short"
        raise Refusal(problem, "A34", game=table.house.game.key)


def after_settling(
    table: Table, command: played.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The tray must be able to pay; what an absent player wins is held."""
    book = table.book.copy()
    for event in events:
        book.post(event)
    if table.attended and book.tray < 0:
        # How much is missing would tell what the tray holds, which is for a count.
        raise table.refusal("the tray cannot pay this round; a fill is needed", "settle.pays")
    return [
        UnclaimedHeld(player=player, amount=amount, clauses=("A89",))
        for player in sorted(table.seats.absent)
        if (amount := book.rack(player))
    ]


def tray_too_short(table: Table, at: int) -> bool:
    """Whether everything is ready to be paid, except for the chips in the tray."""
    current = table.dealing
    if not table.attended or current is None or table.due().kind != "settle":
        return False
    seen = current.hands_shown or current.void is not None  # nothing is told of hidden hands
    if not seen or payouts.missing_paperwork(table, at):
        return False
    paid = table.settlement()
    return tray_after(table, [*paid, *payouts.check_payments(table, paid)]) < 0


def tray_after(table: Table, events: Iterable[Event]) -> Cents:
    """What the tray would hold after these events."""
    book = table.book.copy()
    for event in events:
        book.post(event)
    return book.tray
