"""Hands turned up and announced, place after place or all at once; nothing is paid yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from croupier.cards import Card, names
from croupier.games import BOX, COMMUNITY, DEALER, Slot
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.card_reading import told_faces
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

Faces: TypeAlias = Mapping[Slot, tuple[Card, ...]]  # what lies at places just turned


def showdown(table: Table, command: rec.Showdown, by: Account, at: int) -> list[Event]:
    """Turn up everything that settlement looks at; nothing is paid yet."""
    current = ready_to_settle(table)
    if current.hands_shown:
        raise table.refusal("the hands lie face up already", "discard.order")
    return [*turn_all(table, current), all_shown(table)]


def turn_hand(table: Table, command: rec.TurnHand, by: Account, at: int) -> list[Event]:
    """Turn the cards of the next place; the last one completes the showdown."""
    current = ready_to_settle(table)
    left = to_turn(current)
    if current.hands_shown or not left:
        raise table.refusal("no cards are left to turn", "discard.order")
    place = left[0]
    if command.place != place:
        raise table.refusal(
            f"{spoken(place)} is turned next, not {spoken(command.place)}", "discard.order"
        )
    cards = told_faces(table, current, place, command.cards)
    if cards is None:
        raise untold(table, place)
    events: list[Event] = list(turned(current, announced_places(current), {place: cards}))
    return events if len(left) > 1 else [*events, all_shown(table)]


def ready_to_settle(table: Table) -> Round:
    """The round after its last card and decision."""
    current = table.in_progress()
    due = table.due()
    if due.kind != "settle":
        raise table.refusal(f"the round cannot be settled yet; due: {due.kind}", "late")
    return current


def all_shown(table: Table) -> rec.HandsShown:
    """Everything that settlement looks at lies face up."""
    return rec.HandsShown(clauses=table.house.cite("settle.pays"))


def spoken(place: Slot) -> str:
    """A place in words."""
    return f"seat {place}" if isinstance(place, int) else f"the {place}"


def untold(table: Table, place: Slot) -> Exception:
    """Nobody has seen the cards of a place, and nobody has told them."""
    return table.refusal(
        f"the cards of {spoken(place)} were not seen yet; they are told as they are turned",
        "settle.pays",
    )


def turn_all(table: Table, current: Round) -> list[Event]:
    """Every place that waits; refused while somebody has to tell what lies there."""
    faces: dict[Slot, tuple[Card, ...]] = {}
    announced = announced_places(current)
    for place in waiting(current, announced):
        cards = told_faces(table, current, place, ())
        if cards is None:
            raise untold(table, place)
        faces[place] = cards
    return list(turned(current, announced, faces))


def to_turn(current: Round) -> list[Slot]:
    """The places whose cards are still to be turned up, in their order."""
    return waiting(current, announced_places(current))


def waiting(current: Round, announced: list[Slot]) -> list[Slot]:
    """The same, where it is known which hands are announced."""
    found = [place for place in announced if place not in current.turned]
    if current.void or any(not box.active for box in current.boxes.values()):
        found += [
            place
            for place in other_places(current)
            if place not in announced
            and place not in current.turned
            and not current.exposed.issuperset(current.pile(place))
        ]
    return found


def announced_places(current: Round) -> list[Slot]:
    """The dealer's hand, the six card box, then the hands still in the contest."""
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


def kept_wagers(current: Round, seat: int) -> tuple[str, ...]:
    """The wagers of a box that outlive its fold or the round's void."""
    box = current.boxes[seat]
    if box.sat_out or box.forfeited:
        return ()
    if current.void:
        return (current.void.saved,) if current.void.saved in box.stakes else ()
    return live_after_fold(current.house, box) if box.folded_at else ()


def other_places(current: Round) -> list[Slot]:
    """Where cards lie behind wagers that outlive a fold or a void, which nobody announces."""
    seats = [seat for seat in sorted(current.boxes, reverse=True) if kept_wagers(current, seat)]
    return [*seats, DEALER, COMMUNITY] if seats else []


def turned(current: Round, announced: list[Slot], faces: Faces) -> Iterator[Event]:
    """These places turned up: hands announced, the rest turned without a word."""
    seen = set(current.exposed)
    for place, cards in faces.items():
        if place in announced:
            seen.update(cards)
            yield announcement(current, place, faces)
    fresh = [
        (card, place)
        for place, cards in faces.items()
        if place not in announced
        for card in cards
        if card not in seen
    ]
    if fresh:
        yield rec.CardsTurned(
            cards=tuple(names(card for card, _ in fresh)),
            places=tuple(place for _, place in fresh),
            clauses=turning_clauses(current),
        )


def turning_clauses(current: Round) -> tuple[str, ...]:
    """Why cards are turned that nobody announces."""
    if current.void:
        return current.void.clauses
    judged = {
        wager: None
        for seat in sorted(current.boxes, reverse=True)
        for wager in kept_wagers(current, seat)
    }
    return cite_settling(current, judged)


def cite_settling(current: Round, wagers: Iterable[str]) -> tuple[str, ...]:
    """The clauses by which these wagers are settled."""
    cite = current.house.cite
    found = [clause for wager in wagers for clause in cite(f"settle.{wager}", optional=True)]
    return tuple(dict.fromkeys(found)) or cite("settle.pays")


def announcement(current: Round, place: Slot, faces: Faces) -> rec.HandAnnounced | rec.BoxShown:
    """What the dealer says as the cards of a place are turned."""
    game, house = current.game, current.house
    cards = tuple(names(faces[place]))
    if place == BOX:
        return rec.BoxShown(cards=cards, clauses=house.cite("box.show"))
    if place == DEALER:
        assert game.announce_dealer is not None
        anybody = min(seat for seat, box in current.boxes.items() if not box.sat_out)
        said = game.announce_dealer(current.seen(anybody, faces), house)
        return rec.HandAnnounced(
            seat=0, hand=said.hand, cards=cards, clauses=cite_all(current, said.duties)
        )
    assert isinstance(place, int)
    said = game.announce_player(current.seen(place, faces), house)
    clauses = cite_all(current, said.duties)
    stakes = current.boxes[place].stakes
    if any(w.role == "optional" and w.name in stakes for w in game.wagers):
        clauses += house.cite("announce.kept", optional=True)
    return rec.HandAnnounced(seat=place, hand=said.hand, cards=cards, clauses=clauses)


def cite_all(current: Round, duties: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses of several duties, those that this document has."""
    house = current.house
    return house.cite_cached(
        ("said", *duties),
        lambda: tuple(clause for duty in duties for clause in house.cite(duty, optional=True)),
    )
