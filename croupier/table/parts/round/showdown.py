"""The showdown: hands are turned up and announced, one by one or all at once (see `turn_order`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from croupier.cards import Card, names
from croupier.games import BOX, DEALER, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.card_reading import faces_at
from croupier.table.parts.round.dealing import not_due
from croupier.table.parts.round.state import Round
from croupier.table.parts.round.turn_order import (
    Showing,
    next_showing,
    next_turn,
    one_by_one,
    showings,
)

if TYPE_CHECKING:
    from croupier.table.table import Table

Faces: TypeAlias = Mapping[Slot, tuple[Card, ...]]  # the cards of places just turned up


def showdown(table: Table, command: msg.Showdown, by: Account, at: int) -> list[Event]:
    """Turn up all cards that settlement needs."""
    current = ready_to_settle(table)
    if one_by_one(table.house):
        raise table.refusal("hands are turned up and settled one by one", "announce.player")
    if current.hands_shown:
        raise table.refusal("the hands are already turned up", "announce.player")
    shown = [event for each in showings(current) for event in turn_up(table, current, each)]
    return [*shown, hands_shown(table)]


def turn_hand(table: Table, command: msg.TurnHand, by: Account, at: int) -> list[Event]:
    """Turn up the next hand; the last one completes the showdown."""
    current = ready_to_settle(table)
    showing = next_showing(current)
    if showing is None:
        turn = next_turn(current) if showings(current) else None
        if turn is not None:
            raise table.refusal(f"settle seat {turn.seat} first", "announce.player")
        raise table.refusal("all hands are already turned up", "announce.player")
    if command.place != showing.place:
        raise table.refusal(
            f"turn up {place_name(showing.place)} next, not {place_name(command.place)}",
            turning_duty(showing.place),
        )
    events = list(turn_up(table, current, showing, command.cards, by))
    return events if len(showings(current)) > 1 else [*events, hands_shown(table)]


def ready_to_settle(table: Table) -> Round:
    """The round after its last card and decision; refused before."""
    current = table.in_progress()
    if table.due().kind != "settle":
        raise not_due(table, current, "the round cannot be settled yet")
    return current


def hands_shown(table: Table) -> msg.HandsShown:
    """The event that completes the showdown."""
    return msg.HandsShown(clauses=table.house.cite("settle.pays"))


def place_name(place: Slot) -> str:
    """A place as written in messages: "seat 3" or "the dealer"."""
    return f"seat {place}" if isinstance(place, int) else f"the {place}"


def turning_duty(place: Slot) -> str:
    """The duty to turn up the cards of a place."""
    if place == DEALER:
        return "announce.dealer"
    return "box.show" if place == BOX else "announce.player"


def turn_up(
    table: Table,
    current: Round,
    showing: Showing,
    named: tuple[str, ...] = (),
    by: Account | None = None,
) -> Iterator[Event]:
    """Turn up the cards of a place, with an announcement if it is due.

    `named` are cards that `by` names because they have not been read; without them such a place is
    refused.
    """
    place = showing.place
    cards = faces_at(table, current, place, named, by)
    if cards is None:
        raise table.refusal(
            f"the cards of {place_name(place)} are not read yet; name them as you turn them up",
            turning_duty(place),
        )
    if showing.announced:
        yield announcement(current, place, {place: cards})
    elif turned := [card for card in cards if card not in current.exposed]:
        yield msg.CardsTurned(
            cards=tuple(names(turned)),
            places=(place,) * len(turned),
            clauses=turning_clauses(current, showing),
        )


def turning_clauses(current: Round, showing: Showing) -> tuple[str, ...]:
    """The clauses on turning up cards without an announcement."""
    if current.void:
        return current.void.clauses
    if not showing.wagers:
        return current.house.cite("envy.pays")
    return cite_settling(current, showing.wagers)


def cite_settling(current: Round, wagers: Iterable[str]) -> tuple[str, ...]:
    """The clauses on settling these wagers."""
    cite = current.house.cite
    clauses = [clause for wager in wagers for clause in cite(f"settle.{wager}", optional=True)]
    return tuple(dict.fromkeys(clauses)) or cite("settle.pays")


def announcement(current: Round, place: Slot, faces: Faces) -> msg.HandAnnounced | msg.BoxShown:
    """The dealer's announcement as the cards of a place are turned up."""
    game, house = current.game, current.house
    cards = tuple(names(faces[place]))
    if place == BOX:
        return msg.BoxShown(cards=cards, clauses=house.cite("box.show"))
    if place == DEALER:
        assert game.announce_dealer is not None
        any_seat = min(seat for seat, box in current.boxes.items() if not box.sat_out)
        hand = game.announce_dealer(current.seen(any_seat, faces), house)
        return msg.HandAnnounced(
            seat=0, hand=hand.hand, cards=cards, clauses=cite_all(current, hand.duties)
        )
    assert isinstance(place, int)
    hand = game.announce_player(current.seen(place, faces), house)
    clauses = cite_all(current, hand.duties)
    stakes = current.boxes[place].stakes
    if any(w.role == "optional" and w.name in stakes for w in game.wagers):
        clauses += house.cite("announce.kept", optional=True)
    return msg.HandAnnounced(seat=place, hand=hand.hand, cards=cards, clauses=clauses)


def cite_all(current: Round, duties: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses of several duties; duties not in the game's document cite nothing."""
    house = current.house
    return tuple(clause for duty in duties for clause in house.cite(duty, optional=True))
