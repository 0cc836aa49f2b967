"""The order in which a round ends: what is turned up next, which wagers are settled next.

The dealer takes the seats from the right, in as many passes as the game has. A turn is one seat in
one pass: the hand is turned up and announced, then its wagers are resolved, then the next seat
follows (A150). Where the submission says `all_first`, all hands are turned up before any turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from croupier.games import BOX, COMMUNITY, DEALER, House, Slot
from croupier.games.envy_bonus import (
    EnvyBonus,
    envy_bonuses,
    is_envy_holder,
    may_receive_envy,
)
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.messages import envy_name
from croupier.table.parts.round.state import Round


class Turn(NamedTuple):
    """One seat in one pass, with its wagers that are not resolved yet."""

    seat: int
    wagers: tuple[str, ...]
    judged: tuple[str, ...]  # those that the cards still decide
    needs_hand: bool  # its cards must be face up first
    announced: bool  # its hand is announced, not only turned up
    pays_envy: bool  # others may be paid an envy bonus for its hand

    @property
    def by_dealer(self) -> bool:
        """Whether the dealer does anything; a fold's wagers are lost and collected already."""
        return self.judged != () or self.pays_envy


class Showing(NamedTuple):
    """A place whose cards are to be turned up."""

    place: Slot
    announced: bool
    wagers: tuple[str, ...] = ()  # that the cards decide


def one_by_one(house: House) -> bool:
    """Whether each player's wagers are resolved before the next hand is turned up (A150)."""
    return house.choices.showdown_order == "one_by_one"


def turns(current: Round, up: Collection[Slot] | None = None) -> Iterator[Turn]:
    """The turns that are not complete, in order; `up` are the places turned up by now.

    They depend on no card that is face down.
    """
    shown = current.turned if up is None else up
    passes = current.game.passes
    whole = tuple(wager for wagers in passes for wager in wagers)
    for number, wagers in enumerate(passes):
        for seat in sorted(current.boxes, reverse=True):
            box = current.boxes[seat]
            at_once = current.void is not None or not box.judged
            if at_once and number:
                continue
            placed = (name for name in (whole if at_once else wagers) if name in box.stakes)
            pending = tuple(name for name in placed if not current.is_resolved(seat, name))
            turn = turn_of(current, seat, pending, wagers, is_up(current, seat, shown))
            if turn.wagers or turn.pays_envy:
                yield turn


def turn_of(
    current: Round, seat: int, pending: tuple[str, ...], wagers: tuple[str, ...], up: bool
) -> Turn:
    """The turn of a seat with these pending wagers, in a pass of `wagers`."""
    box, house = current.boxes[seat], current.house
    void = current.void
    if void is not None or not box.judged:
        needs_hand = void is not None and void.saved in pending
        return Turn(seat, pending, pending, needs_hand, announced=False, pays_envy=False)
    judged = pending
    if box.folded_at:
        live = live_after_fold(house, box)
        judged = tuple(wager for wager in pending if wager in live)
    pays_envy = "progressive" in wagers and may_pay_envy(current, seat, up=up)
    return Turn(
        seat,
        pending,
        judged,
        pays_envy or any(looks_at_hand(house, wager) for wager in judged),
        announced=box.active and house.game.ante.name in pending,
        pays_envy=pays_envy,
    )


def looks_at_hand(house: House, wager: str) -> bool:
    """Whether a wager depends on the player's own cards."""
    definition = house.game.wager(wager)
    basis = definition.judged_on if definition is not None else None
    return basis is None or not basis(house).board_only


def next_turn(current: Round) -> Turn | None:
    """The next turn in which the dealer does something, or None."""
    return next((turn for turn in turns(current) if turn.by_dealer), None)


# Envy bonuses (A52 to A59).


def may_pay_envy(current: Round, holder: int, *, up: bool) -> bool:
    """Whether others may still be paid for a seat's hand; its cards count only if they are `up`."""
    house, boxes = current.house, current.boxes
    if house.progressive is None or house.progressive.envy is None:
        return False
    if not is_envy_holder(house, boxes[holder]):
        return False
    if up:
        return any(pending_envy(current, holder))
    player = boxes[holder].player
    return any(box.player != player and may_receive_envy(house, box) for box in boxes.values())


def pending_envy(current: Round, holder: int) -> Iterator[EnvyBonus]:
    """The bonuses for a seat's hand that are neither paid nor delayed."""
    hand = envy_hand(current, holder)
    if current.house.envy_line(hand) is None:
        return
    for bonus in envy_bonuses(current.house, current.boxes, holder, hand):
        delayed = (bonus.seat, envy_name(holder)) in current.delayed
        if not delayed and (holder, bonus.seat) not in current.envied:
            yield bonus


def envy_hand(current: Round, holder: int) -> str:
    """The hand of a seat that others may be paid for."""
    assert current.game.progressive_hand is not None
    return current.game.progressive_hand(current.seen(holder), current.house)


# Cards.


def is_up(current: Round, place: Slot, up: Collection[Slot]) -> bool:
    """Whether all cards at a place are face up."""
    return place in up or current.exposed.issuperset(current.pile(place))


def first_showings(current: Round) -> Iterator[Showing]:
    """What is turned up before the first turn: the dealer's hand, the box, the board."""
    seats = sorted(current.boxes, reverse=True)
    survives = tuple(wager for seat in seats for wager in surviving_wagers(current, seat))
    played = current.void is None and any(not box.sat_out for box in current.boxes.values())
    announced = played and current.game.announce_dealer is not None and board_complete(current)
    hidden = survives and not is_up(current, DEALER, ())
    if DEALER not in current.turned and (announced or hidden):
        yield Showing(DEALER, announced, survives)
    if played and current.six_card_box and BOX not in current.turned:
        yield Showing(BOX, announced=True)
    if survives and not is_up(current, COMMUNITY, current.turned):
        yield Showing(COMMUNITY, announced=False, wagers=survives)


def hand_showings(current: Round, every: Iterable[Turn]) -> Iterator[Showing]:
    """The hands that these turns need and that are not turned up yet, each once."""
    seen: set[Slot] = set()
    for turn in every:
        seat = turn.seat
        if not turn.needs_hand or seat in current.turned or seat in seen:
            continue
        if turn.announced or not is_up(current, seat, ()):
            seen.add(seat)
            wagers = tuple(w for w in turn.judged if looks_at_hand(current.house, w))
            yield Showing(seat, turn.announced, wagers)


def showings(current: Round) -> list[Showing]:
    """Everything that is still to be turned up, in order."""
    hands = list(hand_showings(current, turns(current)))
    if not one_by_one(current.house):  # hands that are announced first, all from the right
        active = {turn.seat for turn in turns(current) if turn.announced}
        hands = [each._replace(announced=each.place in active) for each in hands]
        hands.sort(key=lambda showing: (not showing.announced, -int(showing.place)))
    return [*first_showings(current), *hands]


def next_showing(current: Round) -> Showing | None:
    """What may be turned up now: a hand only at its turn, unless all are turned up first."""
    if not one_by_one(current.house):
        return next(iter(showings(current)), None)
    for showing in first_showings(current):
        return showing
    turn = next_turn(current)
    return None if turn is None else next(hand_showings(current, (turn,)), None)


def unturned_places(current: Round) -> list[Slot]:
    """The places whose cards are still to be turned up, in order."""
    return [showing.place for showing in showings(current)]


def may_settle(current: Round) -> bool:
    """Whether the cards of the next turn are face up."""
    return current.hands_shown or next_showing(current) is None


def board_complete(current: Round) -> bool:
    """Whether every community card is on the layout."""
    return len(current.community) == current.game.community_cards


def surviving_wagers(current: Round, seat: int) -> tuple[str, ...]:
    """The wagers of a box that stay live after its fold or in a void round."""
    box = current.boxes[seat]
    if current.void:
        return (current.void.saved,) if current.void.saved in box.stakes else ()
    if box.sat_out or box.forfeited:
        return ()
    return live_after_fold(current.house, box) if box.folded_at else ()
