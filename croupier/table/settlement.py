"""Showdown: hands announced, every stake resolved, counter-clockwise (chapters 11 and 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.cards import Card, names
from croupier.games import Posted, Result
from croupier.table import commands as cmd
from croupier.table import envy
from croupier.table import events as ev
from croupier.table.payout import Cashier
from croupier.table.round import Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def settle(table: Table, command: cmd.Settle) -> list[ev.Event]:
    """Resolve every stake of the round and close it."""
    current = table.in_progress()
    due = current.due()
    if due.kind != "settle":
        raise table.refusal(f"the round cannot be settled yet; due: {due.kind}", "late")
    events = list(return_void(table, current) if current.void else pay_all(table, current))
    discards = discard_order(current)
    events.append(
        ev.RoundClosed(
            discards=tuple(names(discards)),
            stub=52 - len(discards),
            clauses=table.house.cite("discard.order"),
        )
    )
    return events


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


def pay_all(table: Table, current: Round) -> Iterator[ev.Event]:
    """Seat by seat from the dealer's right, in one pass or more as the game says."""
    yield from show_hands(current)
    house = current.house
    meters = dict(table.meters)
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


def collect_forfeited(current: Round, seat: int) -> Iterator[ev.WagerSettled]:
    """Every stake of a box that a ruling took out of the round is lost."""
    box = current.boxes[seat]
    for wager, stake in box.stakes.items():
        yield ev.WagerSettled(
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
) -> Iterator[ev.WagerSettled]:
    """Every stake of a box goes back, except that of a saved wager."""
    for wager, stake in current.boxes[seat].stakes.items():
        if wager != saved:
            yield ev.WagerSettled(
                seat=seat,
                wager=wager,
                stake=stake,
                outcome="void",
                returned=stake,
                clause=clause,
                clauses=(clause,),
            )


def return_void(table: Table, current: Round) -> Iterator[ev.Event]:
    """A void round returns every cent, except that the saved wager is settled (A111, A112)."""
    assert current.void is not None
    saved = current.void.saved
    for seat in sorted(current.boxes, reverse=True):
        box = current.boxes[seat]
        yield from return_stakes(current, seat, current.void.clause, saved=saved)
        if saved in box.stakes:
            verdict = verdicts(current, seat)[saved]
            cashier = Cashier(current.house, dict(table.meters))
            yield from cashier.pay(seat, verdict.result, box.stakes[saved], verdict.hand)


def discard_order(current: Round) -> list[Card]:
    """Cards as they lie in the rack: set aside, burned, each hand, the dealer's, the layout."""
    hands = [card for seat in sorted(current.boxes) for card in current.boxes[seat].cards]
    layout = current.dealer + current.community + current.six_card_box
    return current.face_up + current.burned + hands + layout


def show_hands(current: Round) -> Iterator[ev.Event]:
    """The dealer's hand, the six card box, then the hands still in the contest."""
    game, house = current.game, current.house
    playing = [seat for seat, box in sorted(current.boxes.items()) if not box.sat_out]
    if not playing:
        return
    board_complete = len(current.community) == game.community_cards
    if game.announce_dealer and board_complete:
        said = game.announce_dealer(current.seen(playing[0]), house)
        yield ev.HandAnnounced(
            seat=0,
            hand=said.hand,
            cards=tuple(names(current.dealer)),
            clauses=cite_all(current, said.duties),
        )
    if current.six_card_box:
        yield ev.BoxShown(cards=tuple(names(current.six_card_box)), clauses=house.cite("box.show"))
    for seat in reversed(playing):
        box = current.boxes[seat]
        if box.active:
            said = game.announce_player(current.seen(seat), house)
            clauses = cite_all(current, said.duties)
            if any(w.role == "optional" and w.name in box.stakes for w in game.wagers):
                clauses += house.cite("announce.kept", optional=True)
            yield ev.HandAnnounced(
                seat=seat, hand=said.hand, cards=tuple(names(box.cards)), clauses=clauses
            )


def cite_all(current: Round, duties: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses of several duties, those that this document has."""
    cite = current.house.cite
    return tuple(clause for duty in duties for clause in cite(duty, optional=True))
