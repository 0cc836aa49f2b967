"""Showdown: hands announced, every stake resolved, counter-clockwise (chapters 11 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.cards import Card, known_cards, names
from croupier.games import COMMUNITY, DEALER, Posted, Result, Slot
from croupier.table.people import Account
from croupier.table.record import Event
from croupier.table.round import envy
from croupier.table.round import record as rec
from croupier.table.round.dealing import live_after_fold
from croupier.table.round.payout import Cashier
from croupier.table.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def showdown(table: Table, command: rec.Showdown, by: Account, at: int) -> list[Event]:
    """Turn up everything that settlement looks at; nothing is paid yet."""
    current = ready_to_settle(table)
    if current.hands_shown:
        raise table.refusal("the hands lie face up already", "discard.order")
    shown: list[Event] = list(show_all(current))
    return [*shown, rec.HandsShown(clauses=table.house.cite("settle.pays"))]


def settle(table: Table, command: rec.Settle, by: Account, at: int) -> list[Event]:
    """Resolve every stake of the round and close it."""
    current = ready_to_settle(table)
    shown = [] if current.hands_shown else list(show_all(current))
    discards = discard_order(current)
    closed = rec.RoundClosed(
        discards=tuple(names(discards)),
        stub=52 - len(discards),
        clauses=table.house.cite("discard.order"),
    )
    return [*shown, *table.settlement(), closed]


def ready_to_settle(table: Table) -> Round:
    """The round after its last card and decision."""
    current = table.in_progress()
    due = table.due()
    if due.kind != "settle":
        raise table.refusal(f"the round cannot be settled yet; due: {due.kind}", "late")
    return current


def resolve(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """What becomes of every stake; `meters` are those at the first seat's turn."""
    return return_void(current, meters) if current.void else pay_all(current, meters)


class Verdict(msgspec.Struct, frozen=True):
    """A result with the hand it was reached on, where the wager looks at one hand."""

    result: Result
    hand: str = ""


def verdicts(current: Round, seat: int) -> dict[str, Verdict]:
    """What becomes of each wager of a box."""
    found: dict[str, Verdict] = {}
    settle_facts = current.house.settle
    for facts in current.game.judge(current.seen(seat), current.house):
        hand = facts.hand if isinstance(facts, Posted) else ""
        for result in settle_facts(facts):
            found[result.wager] = Verdict(result, hand)
    return found


def pay_all(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """Seat by seat from the dealer's right, in one pass or more as the game says."""
    house = current.house
    for seat in sorted(current.boxes, reverse=True):
        if current.boxes[seat].sat_out:
            yield from return_stakes(current, seat, house.cite("player_skipped")[0])
        elif current.boxes[seat].forfeited:
            yield from collect_forfeited(current, seat)
    playing = [seat for seat in sorted(current.boxes, reverse=True) if in_play(current, seat)]
    cashiers = {seat: Cashier(house, meters) for seat in playing}
    found = {seat: verdicts(current, seat) for seat in playing}
    holders = envy.holders(current)
    for wagers in current.game.passes:
        for seat in playing:
            for wager in wagers:
                stake = current.boxes[seat].stakes.get(wager)
                if stake:
                    verdict = found[seat][wager]
                    yield from cashiers[seat].pay(seat, verdict.result, stake, verdict.hand)
            if "progressive" in wagers and seat in holders:
                yield from envy.pay(current, seat, holders)


def in_play(current: Round, seat: int) -> bool:
    """Whether the box is judged: neither skipped, which returns its stakes, nor forfeited."""
    box = current.boxes[seat]
    return not box.sat_out and not box.forfeited


def collect_forfeited(current: Round, seat: int) -> Iterator[rec.WagerSettled]:
    """Every stake of a box that a ruling took out of the round is lost."""
    box = current.boxes[seat]
    for wager, stake in box.stakes.items():
        yield rec.WagerSettled(
            seat=seat,
            wager=wager,
            stake=stake,
            outcome="lose",
            returned=0,
            clause=box.forfeited,
            clauses=(box.forfeited,),
        )


def return_stakes(
    current: Round, seat: int, clause: str, *, saved: str = ""
) -> Iterator[rec.WagerSettled]:
    """Every stake of a box goes back, except that of a saved wager."""
    for wager, stake in current.boxes[seat].stakes.items():
        if wager != saved:
            yield rec.WagerSettled(
                seat=seat,
                wager=wager,
                stake=stake,
                outcome="void",
                returned=stake,
                clause=clause,
                clauses=(clause,),
            )


def return_void(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """A void round returns every cent, except that the saved wager is settled (A111, A112)."""
    assert current.void is not None
    saved = current.void.saved
    for seat in sorted(current.boxes, reverse=True):
        box = current.boxes[seat]
        yield from return_stakes(current, seat, current.void.clause, saved=saved)
        if saved in box.stakes:
            verdict = verdicts(current, seat)[saved]
            cashier = Cashier(current.house, dict(meters))
            yield from cashier.pay(seat, verdict.result, box.stakes[saved], verdict.hand)


def discard_order(current: Round) -> list[Card]:
    """Cards as they lie in the rack: set aside, burned, each hand, the dealer's, the layout."""
    hands = [card for seat in sorted(current.boxes) for card in current.boxes[seat].cards]
    layout = current.dealer + current.community + current.six_card_box
    return current.face_up + current.burned + hands + layout


def show_all(current: Round) -> Iterator[Event]:
    """Everything that settlement looks at, turned up; what lies face up already stays."""
    announced = () if current.void else tuple(show_hands(current))
    yield from announced
    if any(not box.active for box in current.boxes.values()) or current.void:
        seen = current.exposed.union(*(known_cards(event.cards) for event in announced))
        yield from turn_rest(current, seen)


def turn_rest(current: Round, seen: set[Card]) -> Iterator[rec.CardsTurned]:
    """Cards behind wagers that outlive a fold or a void, which nobody announces."""
    house, saved = current.house, current.void.saved if current.void else ""
    turned: list[tuple[Card, Slot]] = []
    judged: dict[str, None] = {}
    for seat, box in sorted(current.boxes.items(), reverse=True):
        if box.sat_out or box.forfeited:
            continue
        kept = live_after_fold(house, box) if box.folded_at else ()
        if current.void:
            kept = (saved,) if saved in box.stakes else ()
        if kept:
            judged |= dict.fromkeys(kept)
            turned += [(card, seat) for card in box.cards]
    if not judged:
        return
    turned += [(card, DEALER) for card in current.dealer]
    turned += [(card, COMMUNITY) for card in current.layout]
    fresh = [(card, place) for card, place in turned if card not in seen]
    if fresh:
        clauses = current.void.clauses if current.void else cite_settling(current, judged)
        yield rec.CardsTurned(
            cards=tuple(names(card for card, _ in fresh)),
            places=tuple(place for _, place in fresh),
            clauses=clauses,
        )


def cite_settling(current: Round, wagers: Iterable[str]) -> tuple[str, ...]:
    """The clauses by which these wagers are settled."""
    cite = current.house.cite
    found = [clause for wager in wagers for clause in cite(f"settle.{wager}", optional=True)]
    return tuple(dict.fromkeys(found)) or cite("settle.pays")


def show_hands(current: Round) -> Iterator[rec.HandAnnounced | rec.BoxShown]:
    """The dealer's hand, the six card box, then the hands still in the contest."""
    game, house = current.game, current.house
    playing = [seat for seat, box in sorted(current.boxes.items()) if not box.sat_out]
    if not playing:
        return
    board_complete = len(current.community) == game.community_cards
    if game.announce_dealer and board_complete:
        said = game.announce_dealer(current.seen(playing[0]), house)
        yield rec.HandAnnounced(
            seat=0,
            hand=said.hand,
            cards=tuple(names(current.dealer)),
            clauses=cite_all(current, said.duties),
        )
    if current.six_card_box:
        yield rec.BoxShown(cards=tuple(names(current.six_card_box)), clauses=house.cite("box.show"))
    for seat in reversed(playing):
        box = current.boxes[seat]
        if box.active:
            said = game.announce_player(current.seen(seat), house)
            clauses = cite_all(current, said.duties)
            if any(w.role == "optional" and w.name in box.stakes for w in game.wagers):
                clauses += house.cite("announce.kept", optional=True)
            yield rec.HandAnnounced(
                seat=seat, hand=said.hand, cards=tuple(names(box.cards)), clauses=clauses
            )


def cite_all(current: Round, duties: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses of several duties, those that this document has."""
    cite = current.house.cite
    return tuple(clause for duty in duties for clause in cite(duty, optional=True))
