"""Reading cards that were dealt unread, and correcting misread cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, card_from_name, name, names
from croupier.games import COMMUNITY, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.dealing import check_undealt, misread_refusal
from croupier.table.parts.round.state import Round
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table


def faces_at(
    table: Table, current: Round, place: Slot, named: tuple[str, ...]
) -> tuple[Card, ...] | None:
    """The cards at a place, completed with the named ones; None while a face is missing.

    Cards already read may be left out; if they are named, they must match the record.
    """
    pile = current.layout if place == COMMUNITY else current.pile(place)
    read = [card for card in pile if card is not None]
    if not named:
        return tuple(read) if len(read) == len(pile) else None
    cards = tuple(map(card_from_name, named))
    if len(cards) != len(pile):
        raise table.refusal(
            f"name the {counted(len(pile), 'card')} of {place}, got {len(cards)}", "deal.hands"
        )
    for card in read:
        if card not in cards:
            raise misread_refusal(table, next(card for card in cards if card not in read))
    check_undealt(table, current, [card for card in cards if card not in read])
    return tuple(read) if len(read) == len(pile) else cards


def check_place(table: Table, current: Round, place: Slot) -> None:
    """Refuse a place without cards."""
    if place not in tuple(current.places()) or not current.pile(place):
        raise table.refusal(f"{place!r} has no cards", "deal.hands")


def read_cards(table: Table, command: msg.ReadCards, by: Account, at: int) -> list[Event]:
    """Record the faces of unread cards; they stay face down."""
    current = table.in_progress()
    place = command.place
    check_place(table, current, place)
    if None not in current.pile(place):
        raise table.refusal(f"all cards of {place} are already read", "deal.hands")
    cards = faces_at(table, current, place, command.cards)
    if cards is None:
        count = len(current.pile(place))
        raise table.refusal(f"name the {counted(count, 'card')} of {place}, got none", "deal.hands")
    clauses = table.house.cite("deal.hands")
    return [msg.CardsRead(place=place, cards=tuple(names(cards)), clauses=clauses)]


def correct_reading(table: Table, command: msg.CorrectReading, by: Account, at: int) -> list[Event]:
    """Correct a card before payment; a face-up card needs a floorperson and a reason."""
    current = table.in_progress()
    place, position = command.place, command.position
    check_place(table, current, place)
    pile = current.pile(place)
    was = pile[position] if 0 <= position < len(pile) else None
    if was is None:
        raise table.refusal(f"{place} has no read card at position {position}", "deal.hands")
    if current.paying:
        raise table.refusal("wagers are already paid; readings can no longer change", "deal.hands")
    check_undealt(table, current, [card_from_name(command.card)])
    face_up = was in current.exposed
    if face_up and (by.role not in FLOOR or not command.reason.strip()):
        raise table.refusal(
            f"{name(was)} is face up; only a floorperson may correct it, with a reason",
            "deal.hands",
        )
    corrected = msg.ReadingCorrected(
        place=place,
        position=position,
        was=name(was),
        card=command.card,
        face_up=face_up,
        reason=command.reason,
        clauses=table.house.cite("deal.hands"),
    )
    return [corrected]
