"""Faces of cards that were dealt unseen: told when they are turned, read later, or set right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card, card_from_name, name, names
from croupier.games import COMMUNITY, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.dealing import check_new, misread
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def told_faces(
    table: Table, current: Round, place: Slot, told: tuple[str, ...]
) -> tuple[Card, ...] | None:
    """The cards of a place with what is told of them; None while a face is missing.

    Cards that were read need not be told; if they are, they must be the ones on record.
    """
    pile = current.layout if place == COMMUNITY else current.pile(place)
    read = [card for card in pile if card is not None]
    if not told:
        return tuple(read) if len(read) == len(pile) else None
    cards = tuple(map(card_from_name, told))
    if len(cards) != len(pile):
        raise table.refusal(f"{len(pile)} card(s) lie at {place}, got {len(cards)}", "deal.hands")
    for card in read:
        if card not in cards:
            raise misread(table, next(one for one in cards if one not in read))
    check_new(table, current, [card for card in cards if card not in read])
    return tuple(read) if len(read) == len(pile) else cards


def check_place(table: Table, current: Round, place: Slot) -> None:
    """Refuse a place where no card lies."""
    if place not in tuple(current.places()) or not current.pile(place):
        raise table.refusal(f"no card lies at {place!r}", "deal.hands")


def read_cards(table: Table, command: rec.ReadCards, by: Account, at: int) -> list[Event]:
    """A reader, or the dealer, says what lies face down somewhere."""
    current = table.in_progress()
    place = command.place
    check_place(table, current, place)
    if None not in current.pile(place):
        raise table.refusal(f"every card at {place} was read", "deal.hands")
    cards = told_faces(table, current, place, command.cards)
    if cards is None:
        count = len(current.pile(place))
        raise table.refusal(f"{count} card(s) lie at {place}, none was told", "deal.hands")
    clauses = table.house.cite("deal.hands")
    return [rec.CardsRead(place=place, cards=tuple(names(cards)), clauses=clauses)]


def correct_reading(table: Table, command: rec.CorrectReading, by: Account, at: int) -> list[Event]:
    """Before anything of the round is paid; what everybody saw needs a floorperson's reason."""
    current = table.in_progress()
    place, position = command.place, command.position
    check_place(table, current, place)
    pile = current.pile(place)
    was = pile[position] if 0 <= position < len(pile) else None
    if was is None:
        raise table.refusal(f"no card was read at position {position} of {place}", "deal.hands")
    if current.paying:
        raise table.refusal("wagers of this round are paid; no reading is changed", "deal.hands")
    check_new(table, current, [card_from_name(command.card)])
    face_up = was in current.exposed
    if face_up and (by.role not in FLOOR or not command.reason.strip()):
        raise table.refusal(
            f"everybody saw {name(was)}; a floorperson corrects it, with a reason", "deal.hands"
        )
    corrected = rec.ReadingCorrected(
        place=place,
        position=position,
        was=name(was),
        card=command.card,
        face_up=face_up,
        reason=command.reason,
        clauses=table.house.cite("deal.hands"),
    )
    return [corrected]
