"""Cards entered by name: checked in one way, read after they were dealt unread, and corrected.

Staff know only the cards that are face up, so a card they enter is compared with no others: any
other refusal would say what lies face down. If that leaves one card read face down at two places,
it counts as unread at both (`Round.read`) and is named when it is turned up. A card-reading shoe,
and the system at a table without staff, know every card that they read.

A face-down card that staff corrected is named when it is turned up, whatever they entered: if that
depended on the card, they could find out which cards lie face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.cards import Card, Face, card_from_name, name, names
from croupier.errors import Refusal
from croupier.games import BOX, COMMUNITY, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import FLOOR, STAFF, Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.state import ASIDE, Round
from croupier.table.parts.staffing import check_did_not_deal
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table


def check_entered(
    table: Table,
    current: Round,
    cards: Sequence[Face],
    by: Account,
    *,
    place: Slot = "",
    recorded: Sequence[Face] = (),
    turned_up: bool = False,
) -> None:
    """Refuse cards named twice, already out of the deck, or unlike their readings.

    `recorded` are the readings of the same cards at `place`. The readings of cards that are being
    turned up must match even if the account did not know them: they are disclosed now.
    """
    named = [card for card in cards if card is not None]
    if not recorded and len(set(named)) == len(named) and current.gone.isdisjoint(named):
        return
    known = current.exposed if by.role in STAFF else current.gone
    seen: set[Face] = set()
    for card in named:
        if card in seen:
            raise table.refusal(f"{name(card)} is named twice", "deck.one")
        if card in known and card not in recorded:
            raise table.refusal(f"{name(card)} was already dealt", "deck.one")
        seen.add(card)
    readings = [
        (index, card)
        for index, card in enumerate(recorded)
        if card is not None and (turned_up or card in known)
    ]
    ordered = place == COMMUNITY  # a hand may be named in any order
    if any(cards[index] != card if ordered else card not in seen for index, card in readings):
        problem = f"these are not the cards read at {place}; correct the reading first"
        raise misread(table, place, problem)


def readings(table: Table, current: Round, place: Slot) -> list[Face]:
    """The cards of a place in layout order; None for one that is named when it is turned up."""
    if table.attended:
        return current.seen_or_read(place)
    return current.layout if place == COMMUNITY else current.pile(place)


def faces_at(
    table: Table,
    current: Round,
    place: Slot,
    named: tuple[str, ...],
    by: Account | None = None,
    *,
    turned_up: bool = True,
) -> tuple[Card, ...] | None:
    """The cards at a place, as read or as named by an account; None while a face is missing."""
    pile = readings(table, current, place)
    if not turned_up:
        pile = current.layout if place == COMMUNITY else current.pile(place)
    read = [card for card in pile if card is not None]
    if not named or by is None:
        return tuple(read) if len(read) == len(pile) else None
    cards = tuple(map(card_from_name, named))
    if len(cards) != len(pile):
        raise misread(
            table, place, f"name the {counted(len(pile), 'card')} of {place}, got {len(cards)}"
        )
    check_entered(table, current, cards, by, place=place, recorded=pile, turned_up=turned_up)
    return tuple(read) if len(read) == len(pile) else cards


def check_place(table: Table, current: Round, place: Slot) -> None:
    """Refuse a place without cards."""
    if place not in (*current.places(), ASIDE) or not current.pile(place):
        raise misread(table, place, f"{place!r} has no cards")


def read_cards(table: Table, command: msg.ReadCards, by: Account, at: int) -> list[Event]:
    """Record the faces of unread cards; they stay face down."""
    current = table.in_progress()
    place = command.place
    check_place(table, current, place)
    if not current.unread(place):
        raise misread(table, place, f"all cards of {place} are already read")
    cards = faces_at(table, current, place, command.cards, by, turned_up=False)
    if cards is None:
        count = len(current.pile(place))
        raise misread(table, place, f"name the {counted(count, 'card')} of {place}, got none")
    clauses = reading_clauses(table, place)
    return [msg.CardsRead(place=place, cards=tuple(names(cards)), clauses=clauses)]


def correct_reading(table: Table, command: msg.CorrectReading, by: Account, at: int) -> list[Event]:
    """Correct a card on which no payment depends; face up with a floorperson and a reason."""
    current = table.in_progress()
    place, position = command.place, command.position
    check_place(table, current, place)
    if position not in current.read_positions(place):
        raise misread(table, place, f"{place} has no read card at position {position}")
    if not current.may_correct(place):
        raise misread(table, place, f"wagers on the cards of {place} are already settled")
    was = current.pile(place)[position]
    face_up = was in current.exposed
    if face_up and (by.role not in FLOOR or not command.reason.strip()):
        problem = f"{names([was])[0]} is face up; only a floorperson may correct it, with a reason"
        raise misread(table, place, problem)
    if face_up:
        check_did_not_deal(table, by)
    check_entered(table, current, [card_from_name(command.card)], by)
    corrected = msg.ReadingCorrected(
        place=place,
        position=position,
        was=names([was])[0],
        card=command.card,
        face_up=face_up,
        reason=command.reason,
        clauses=reading_clauses(table, place),
    )
    return [corrected]


def reading_clauses(table: Table, place: Slot) -> tuple[str, ...]:
    """The clauses on dealing to a place; a card set aside was found face up in the deck."""
    cite = table.house.cite
    if place == ASIDE:
        return cite("face_up.aside", optional=True) or cite("face_up.void")
    # A place that the game does not have is refused with the clause on dealing the hands.
    own = f"deal.{place}" if place in (COMMUNITY, BOX) else "deal.hands"
    return cite(own, optional=True) or cite("deal.hands")


def misread(table: Table, place: Slot, problem: str) -> Refusal:
    """The refusal to read, turn up or correct cards at a place."""
    return Refusal(problem, reading_clauses(table, place)[0], game=table.house.game.key)
