"""The order in which the cards of a round reach the discard rack."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from croupier.cards import Face
from croupier.games import BURN
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.dealing import live_after_fold
from croupier.table.parts.round.state import ASIDE, Round
from croupier.table.parts.round.turn_order import may_pay_envy


def rack_order(current: Round, closing: Collection[Event]) -> list[Face]:
    """The cards in the order in which they go to the rack; `closing` are the last settlements.

    First, as the round goes: cards set aside or burned by a deal, then the hands that fold after it
    without a live wager. At its end the other hands, the dealer's, the layout.
    """
    rack: list[Face] = []
    dealt = iter(current.drawn)
    aside, burned = iter(current.face_up), iter(current.burned)
    discarded: set[int] = set()
    streets = [street.name for street in current.game.streets]
    for stage, places in enumerate(current.plan):
        left = len(places)
        while left and (place := next(dealt, None)) is not None:
            left -= place != ASIDE
            if place in (ASIDE, BURN):
                rack.append(next(aside if place == ASIDE else burned))
        for seat, box in sorted(current.boxes.items()):
            folded = box.folded_at in streets[stage : stage + 1]
            if folded and not live_after_fold(current.house, box):
                discarded.add(seat)
                rack += box.cards
    kept = (seat for seat in settled_hands(current, closing) if seat not in discarded)
    hands = [card for seat in kept for card in current.boxes[seat].cards]
    layout = current.dealer + current.community + current.six_card_box
    return [*rack, *aside, *hands, *layout]


def settled_hands(current: Round, closing: Collection[Event]) -> list[int]:
    """The seats in the order in which their hands leave the table at the end of the round.

    Where the document says so (Top Five 11.C.5.a, Run 'Em Twice 11.I.3.a), a hand with a lost wager
    goes once its last wager is resolved (A95), and the others when all wagers are settled.
    """
    seats = sorted(current.boxes, reverse=True)
    at_once = current.house.cite("settle.loses", optional=True)
    if not at_once or current.void is not None:
        return seats
    settled = [event for box in current.boxes.values() for event in box.settled.values()]
    settled += [event for event in closing if isinstance(event, msg.WagerSettled)]
    lost = {event.seat for event in settled if event.outcome == "lose"}
    envied = {holder for holder, _ in current.envied}
    envied |= {event.holder for event in closing if isinstance(event, msg.EnvyPaid)}
    last = {seat: max(passes_of(current, seat, envied), default=0) for seat in lost}
    return [
        *sorted(lost, key=lambda seat: (last[seat], -seat)),
        *(seat for seat in seats if seat not in lost),
    ]


def passes_of(current: Round, seat: int, envied: Collection[int]) -> Iterator[int]:
    """The passes in which the cards of a seat decide a wager, or an envy bonus of others."""
    box = current.boxes[seat]
    # A hand that is up shows whether it pays envy bonuses; a folded one is turned up to see it.
    for_envy = seat in envied or (box.folded_at and may_pay_envy(current, seat, up=False))
    live: Collection[str] = live_after_fold(current.house, box) if box.folded_at else box.stakes
    for number, wagers in enumerate(current.game.passes):
        pays_envy = for_envy and "progressive" in wagers
        if box.judged and (pays_envy or not set(wagers).isdisjoint(live)):
            yield number
