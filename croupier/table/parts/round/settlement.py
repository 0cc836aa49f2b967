"""Every stake resolved, counter-clockwise, seat by seat or all at once (chapters 11 and 12)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.cards import Face, names
from croupier.games import PaytableFacts, Result
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import envy
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.payout import Cashier
from croupier.table.parts.round.showdown import ready_to_settle, turn_all
from croupier.table.parts.round.state import Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def settle(table: Table, command: rec.Settle, by: Account, at: int) -> list[Event]:
    """Resolve every stake of the round and close it."""
    current = ready_to_settle(table)
    shown = [] if current.hands_shown else turn_all(table, current)
    discards = discard_order(current)
    closed = rec.RoundClosed(
        discards=tuple(names(discards)),
        stub=52 - len(discards),
        clauses=table.house.cite("discard.order"),
    )
    return [*shown, *table.settlement(), closed]


def settle_seat(table: Table, command: rec.SettleSeat, by: Account, at: int) -> list[Event]:
    """Resolve what is due at the seat whose turn it is; the round stays open."""
    current = ready_to_settle(table)
    events = table.settlement()
    if not events:
        raise table.refusal("every wager is resolved; close the round", "discard.order")
    if not current.hands_shown and (current.void is None or current.void.saved):
        raise table.refusal("turn the hands up before anything is paid", "settle.pays")
    seat = turn_of(events[0])
    if command.seat != seat:
        raise table.refusal(f"seat {seat} is settled next, not {command.seat}", "settle.pays")
    return list(takewhile(lambda event: turn_of(event) == seat, events))


def turn_of(event: Event) -> int:
    """The seat in whose turn something is paid: envy bonuses are, in that of the hand's holder."""
    assert isinstance(event, rec.WagerSettled | rec.MeterPaid | rec.EnvyPaid)
    return event.holder if isinstance(event, rec.EnvyPaid) else event.seat


def resolve(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """What becomes of every stake; `meters` are those at the first seat's turn."""
    return return_void(current, meters) if current.void else pay_all(current, meters)


class JudgedResult(msgspec.Struct, frozen=True):
    """A result with the hand it was reached on, where the wager looks at one hand."""

    result: Result
    hand: str = ""


def verdicts(current: Round, seat: int) -> dict[str, JudgedResult]:
    """What becomes of each wager of a box."""
    found: dict[str, JudgedResult] = {}
    settle_facts = current.house.settle
    for facts in current.game.judge(current.seen(seat), current.house):
        hand = facts.hand if isinstance(facts, PaytableFacts) else ""
        for result in settle_facts(facts):
            found[result.wager] = JudgedResult(result, hand)
    return found


def pay_all(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """Seat by seat from the dealer's right, in one pass or more as the game says."""
    house = current.house
    playing: list[Judged] = []
    for seat, box in sorted(current.boxes.items(), reverse=True):
        if box.judged:
            cashier = Cashier(house, meters, box.settled.values())
            playing.append(Judged(seat, box, cashier, verdicts(current, seat)))
        elif box.settled:
            continue
        elif box.sat_out:
            yield from return_stakes(current, seat, house.cite("player_skipped")[0])
        else:
            yield from collect_forfeited(current, seat)
    holders = envy.holders(current)
    for wagers in current.game.passes:
        for seat, box, cashier, found in playing:
            for wager in wagers:
                stake = box.stakes.get(wager)
                if stake and wager not in box.settled:
                    verdict = found[wager]
                    yield from cashier.pay(seat, verdict.result, stake, verdict.hand)
            if "progressive" in wagers and seat in holders and seat not in current.envied:
                yield from envy.pay(current, seat, holders)


class Judged(NamedTuple):
    """A box at its turn, with what becomes of its wagers and who pays them."""

    seat: int
    box: Box
    cashier: Cashier
    found: dict[str, JudgedResult]


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
        if box.settled:
            continue
        yield from return_stakes(current, seat, current.void.clause, saved=saved)
        if saved in box.stakes:
            verdict = verdicts(current, seat)[saved]
            cashier = Cashier(current.house, dict(meters))
            yield from cashier.pay(seat, verdict.result, box.stakes[saved], verdict.hand)


def discard_order(current: Round) -> list[Face]:
    """Cards as they lie in the rack: set aside, burned, each hand, the dealer's, the layout."""
    hands = [card for seat in sorted(current.boxes) for card in current.boxes[seat].cards]
    layout = current.dealer + current.community + current.six_card_box
    return [*current.face_up, *current.burned, *hands, *layout]
