"""What seats ask of a round: who bets where, and who answers for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Seated players bet on their own box and the free boxes beside it."""
    if table.attended and not table.shift.open:
        raise table.refusal("the table is not open", "deck.spread")
    home = table.seats.seat_of(by.id)
    if home is None or command.player not in ("", by.id):
        raise table.refusal(f"{by} does not sit here, or bets for somebody else", "seated")
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    taken = table.seats.taken.get(command.seat, by.id) != by.id
    if taken or (box is not None and box.player != by.id):
        raise table.refusal(f"seat {command.seat} is another player's", "boxes")
    if box is None and not any(command.wagers.values()):
        raise table.refusal("nothing lies there and nothing was put down", "required")
    return "chips", "seated", "boxes"


def after_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The own box is bet on first, and given up last."""
    home = table.seats.seat_of(by.id)
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    others = set(table.boxes_of(by.id)) - {command.seat}
    after = others | {command.seat} if placed.stakes else others
    if after and home not in after:
        raise table.refusal(f"{by.id} bets on the box of seat {home} first", "boxes")
    return []


def before_deciding(table: Table, command: played.Decide, by: Account, at: int) -> tuple[str, ...]:
    """The player of the box; for one who left, the dealer without a further bet (A89)."""
    current = table.dealing
    box = current.boxes.get(command.seat) if current else None
    if box is None:
        return ()  # the round refuses
    absent = box.player in table.seats.absent
    if by.role != "player" and not absent:
        raise table.refusal(f"{box.player} decides, not the {by.role}", "seated")
    if by.role == "player" and (absent or box.player != by.id):
        raise table.refusal(f"seat {command.seat} is played by {box.player}", "seated")
    if by.role != "player" and command.word != passive(table):
        raise Refusal(f"{box.player} left; no further bet", "A89", game=table.house.game.key)
    return ("stay",)


def passive(table: Table) -> str:
    """The answer that makes no bet: check where there is one, otherwise fold."""
    street = table.dealing.street if table.dealing else None
    words = [option.word for option in street.options if not option.wager] if street else []
    return "check" if "check" in words else "fold"
