"""The showdown: hands are turned up and announced, one by one or all at once. Nothing is paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from croupier.cards import Card, names
from croupier.games import BOX, COMMUNITY, DEALER, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.card_reading import faces_at
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

Faces: TypeAlias = Mapping[Slot, tuple[Card, ...]]  # the cards of places just turned up


def showdown(table: Table, command: msg.Showdown, by: Account, at: int) -> list[Event]:
    """Turn up all cards that settlement needs."""
    current = ready_to_settle(table)
    if current.hands_shown:
        raise table.refusal("the hands are already turned up", "discard.order")
    return [*turn_all(table, current), hands_shown(table)]


def turn_hand(table: Table, command: msg.TurnHand, by: Account, at: int) -> list[Event]:
    """Turn up the next hand; the last one completes the showdown."""
    current = ready_to_settle(table)
    unturned = unturned_places(current)
    if current.hands_shown or not unturned:
        raise table.refusal("all hands are already turned up", "discard.order")
    place = unturned[0]
    if command.place != place:
        raise table.refusal(
            f"turn up {place_name(place)} next, not {place_name(command.place)}", "discard.order"
        )
    cards = faces_at(table, current, place, command.cards)
    if cards is None:
        raise unread_refusal(table, place)
    events: list[Event] = list(turn_up(current, announced_places(current), {place: cards}))
    return events if len(unturned) > 1 else [*events, hands_shown(table)]


def ready_to_settle(table: Table) -> Round:
    """The round after its last card and decision; refused before."""
    current = table.in_progress()
    due = table.due()
    if due.kind != "settle":
        raise table.refusal(f"the round cannot be settled yet; next: {due.kind}", "late")
    return current


def hands_shown(table: Table) -> msg.HandsShown:
    """The event that completes the showdown."""
    return msg.HandsShown(clauses=table.house.cite("settle.pays"))


def place_name(place: Slot) -> str:
    """A place as written in messages: "seat 3" or "the dealer"."""
    return f"seat {place}" if isinstance(place, int) else f"the {place}"


def unread_refusal(table: Table, place: Slot) -> Exception:
    """The refusal to turn up unread cards without naming them."""
    return table.refusal(
        f"the cards of {place_name(place)} are not read yet; name them as you turn them up",
        "settle.pays",
    )


def turn_all(table: Table, current: Round) -> list[Event]:
    """Turn up every remaining hand; refused while one has unread cards."""
    faces: dict[Slot, tuple[Card, ...]] = {}
    announced = announced_places(current)
    for place in remaining_places(current, announced):
        cards = faces_at(table, current, place, ())
        if cards is None:
            raise unread_refusal(table, place)
        faces[place] = cards
    return list(turn_up(current, announced, faces))


def unturned_places(current: Round) -> list[Slot]:
    """The places whose cards are still to be turned up, in order."""
    return remaining_places(current, announced_places(current))


def remaining_places(current: Round, announced: list[Slot]) -> list[Slot]:
    """`unturned_places` for announced places that the caller has determined."""
    places = [place for place in announced if place not in current.turned]
    if current.void or any(not box.active for box in current.boxes.values()):
        places += [
            place
            for place in unannounced_places(current)
            if place not in announced
            and place not in current.turned
            and not current.exposed.issuperset(current.pile(place))
        ]
    return places


def announced_places(current: Round) -> list[Slot]:
    """The dealer's hand, the Six Card Bonus box, then the active hands."""
    playing = [seat for seat, box in sorted(current.boxes.items()) if not box.sat_out]
    if current.void or not playing:
        return []
    places: list[Slot] = []
    if current.game.announce_dealer and board_complete(current):
        places.append(DEALER)
    if current.six_card_box:
        places.append(BOX)
    return [*places, *(seat for seat in reversed(playing) if current.boxes[seat].active)]


def board_complete(current: Round) -> bool:
    """Whether every community card is on the layout."""
    return len(current.community) == current.game.community_cards


def surviving_wagers(current: Round, seat: int) -> tuple[str, ...]:
    """The wagers of a box that stay live after its fold or in a void round."""
    box = current.boxes[seat]
    if box.sat_out or box.forfeited:
        return ()
    if current.void:
        return (current.void.saved,) if current.void.saved in box.stakes else ()
    return live_after_fold(current.house, box) if box.folded_at else ()


def unannounced_places(current: Round) -> list[Slot]:
    """The places that surviving wagers depend on; their hands are not announced."""
    seats = [
        seat for seat in sorted(current.boxes, reverse=True) if surviving_wagers(current, seat)
    ]
    return [*seats, DEALER, COMMUNITY] if seats else []


def turn_up(current: Round, announced: list[Slot], faces: Faces) -> Iterator[Event]:
    """Turn up these places; only the announced hands get an announcement."""
    face_up = set(current.exposed)
    for place, cards in faces.items():
        if place in announced:
            face_up.update(cards)
            yield announcement(current, place, faces)
    turned = [
        (card, place)
        for place, cards in faces.items()
        if place not in announced
        for card in cards
        if card not in face_up
    ]
    if turned:
        yield msg.CardsTurned(
            cards=tuple(names(card for card, _ in turned)),
            places=tuple(place for _, place in turned),
            clauses=turning_clauses(current),
        )


def turning_clauses(current: Round) -> tuple[str, ...]:
    """The clauses on turning up cards without an announcement."""
    if current.void:
        return current.void.clauses
    wagers = {
        wager: None
        for seat in sorted(current.boxes, reverse=True)
        for wager in surviving_wagers(current, seat)
    }
    return cite_settling(current, wagers)


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
