"""Hooks of seats in the round: who may bet on a box, and who decides for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


def before_placing(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Seated players bet on their own box and on free adjacent boxes."""
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    home = table.seats.seat_of(by.id)
    if home is None or command.player not in ("", by.id):
        raise table.refusal(f"{by} may bet only when seated, and only for themselves", "seated")
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    taken = table.seats.taken.get(command.seat, by.id) != by.id
    if taken or (box is not None and box.player != by.id):
        raise table.refusal(f"seat {command.seat} belongs to another player", "boxes")
    if box is None and not any(command.wagers.values()):
        raise table.refusal("no wager to place or withdraw", "required")
    return "chips", "seated", "boxes"


def after_placing(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Players bet on their own box first and withdraw from it last."""
    home = table.seats.seat_of(by.id)
    placed = next(event for event in events if isinstance(event, round_msg.WagersPlaced))
    boxes = set(table.boxes_of(by.id)) - {command.seat}
    if placed.stakes:
        boxes.add(command.seat)
    if boxes and home not in boxes:
        raise table.refusal(f"{by.id} must bet on their own box, seat {home}, first", "boxes")
    return []


def before_deciding(
    table: Table, command: round_msg.Decide, by: Account, at: int
) -> tuple[str, ...]:
    """The player of the box decides; if absent, the dealer, without a further bet (A89)."""
    current = table.dealing
    box = current.boxes.get(command.seat) if current else None
    if box is None:
        return ()  # the round's rule refuses
    absent = box.player in table.seats.absent
    if by.role != "player" and not absent:
        raise table.refusal(f"only {box.player} may decide, not the {by.role}", "seated")
    if by.role == "player" and (absent or box.player != by.id):
        raise table.refusal(f"seat {command.seat} is played by {box.player}", "seated")
    if by.role != "player" and command.word != non_bet_decision(table):
        raise Refusal(f"{box.player} left; no further bets", "A89", game=table.house.game.key)
    return ("stay",)


def non_bet_decision(table: Table) -> str:
    """The decision without a bet: check if offered, otherwise fold."""
    street = table.dealing.street if table.dealing else None
    words = [option.word for option in street.options if not option.wager] if street else []
    return "check" if "check" in words else "fold"
