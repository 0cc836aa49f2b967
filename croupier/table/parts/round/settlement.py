"""Settlement of all wagers, counterclockwise, seat by seat or all at once (chapters 11, 12)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.cards import Face, names
from croupier.games import Posted, Result
from croupier.table.core.messages import Event
from croupier.table.core.roles import Account
from croupier.table.parts.round import envy
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.box_payer import BoxPayer
from croupier.table.parts.round.showdown import ready_to_settle, turn_all
from croupier.table.parts.round.state import Box, Round

if TYPE_CHECKING:
    from croupier.table.table import Table


def settle(table: Table, command: msg.Settle, by: Account, at: int) -> list[Event]:
    """Settle every wager of the round and close it."""
    current = ready_to_settle(table)
    shown = [] if current.hands_shown else turn_all(table, current)
    discards = discard_order(current)
    closed = msg.RoundClosed(
        discards=tuple(names(discards)),
        stub=52 - len(discards),
        clauses=table.house.cite("discard.order"),
    )
    return [*shown, *table.settlement(), closed]


def settle_seat(table: Table, command: msg.SettleSeat, by: Account, at: int) -> list[Event]:
    """Settle the wagers of the next seat; the round stays open."""
    current = ready_to_settle(table)
    events = table.settlement()
    if not events:
        raise table.refusal("every wager is settled; close the round", "discard.order")
    if not current.hands_shown and (current.void is None or current.void.saved):
        raise table.refusal("turn up the hands before paying", "settle.pays")
    seat = settling_seat(events[0])
    if command.seat != seat:
        raise table.refusal(f"settle seat {seat} next, not seat {command.seat}", "settle.pays")
    return list(takewhile(lambda event: settling_seat(event) == seat, events))


def settling_seat(event: Event) -> int:
    """The seat in whose turn an event is paid; for an envy bonus, the seat with the hand."""
    assert isinstance(event, msg.WagerSettled | msg.MeterPaid | msg.EnvyPaid)
    return event.holder if isinstance(event, msg.EnvyPaid) else event.seat


def resolve(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """The settlement events of the round; `meters` are the amounts before the first seat."""
    return settle_void(current, meters) if current.void else settle_boxes(current, meters)


class JudgedResult(msgspec.Struct, frozen=True):
    """A wager's result; `hand` is the hand it was paid on if the wager looks at one hand."""

    result: Result
    hand: str = ""


class JudgedBox(NamedTuple):
    """A box with the results of its wagers and its payer."""

    seat: int
    box: Box
    payer: BoxPayer
    results: dict[str, JudgedResult]


def verdicts(current: Round, seat: int) -> dict[str, JudgedResult]:
    """The result of every wager of a box."""
    results: dict[str, JudgedResult] = {}
    settle_facts = current.house.settle
    for facts in current.game.judge(current.seen(seat), current.house):
        hand = facts.hand if isinstance(facts, Posted) else ""
        for result in settle_facts(facts):
            results[result.wager] = JudgedResult(result, hand)
    return results


def settle_boxes(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """Settle the boxes from the dealer's right, in as many passes as the game has."""
    house = current.house
    playing: list[JudgedBox] = []
    for seat, box in sorted(current.boxes.items(), reverse=True):
        if box.judged:
            payer = BoxPayer(house, meters, box.settled.values())
            playing.append(JudgedBox(seat, box, payer, verdicts(current, seat)))
        elif box.settled:
            continue
        elif box.sat_out:
            yield from return_stakes(current, seat, house.cite("player_skipped")[0])
        else:
            yield from collect_forfeited(current, seat)
    holders = envy.holders(current)
    for wagers in current.game.passes:
        for seat, box, payer, results in playing:
            for wager in wagers:
                stake = box.stakes.get(wager)
                if stake and wager not in box.settled:
                    verdict = results[wager]
                    yield from payer.pay(seat, verdict.result, stake, verdict.hand)
            if "progressive" in wagers and seat in holders and seat not in current.envied:
                yield from envy.pay(current, seat, holders)


def collect_forfeited(current: Round, seat: int) -> Iterator[msg.WagerSettled]:
    """Every wager of a forfeited box loses."""
    box = current.boxes[seat]
    for wager, stake in box.stakes.items():
        yield msg.WagerSettled(
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
) -> Iterator[msg.WagerSettled]:
    """Return every wager of a box, except a saved one."""
    for wager, stake in current.boxes[seat].stakes.items():
        if wager != saved:
            yield msg.WagerSettled(
                seat=seat,
                wager=wager,
                stake=stake,
                outcome="void",
                returned=stake,
                clause=clause,
                clauses=(clause,),
            )


def settle_void(current: Round, meters: dict[str, Fraction]) -> Iterator[Event]:
    """Return all wagers of a void round, except the saved wager, which is settled (A111, A112)."""
    assert current.void is not None
    saved = current.void.saved
    for seat in sorted(current.boxes, reverse=True):
        box = current.boxes[seat]
        if box.settled:
            continue
        yield from return_stakes(current, seat, current.void.clause, saved=saved)
        if saved in box.stakes:
            verdict = verdicts(current, seat)[saved]
            payer = BoxPayer(current.house, dict(meters))
            yield from payer.pay(seat, verdict.result, box.stakes[saved], verdict.hand)


def discard_order(current: Round) -> list[Face]:
    """The cards in discard order: set aside, burned, each hand, the dealer's, the layout."""
    hands = [card for seat in sorted(current.boxes) for card in current.boxes[seat].cards]
    layout = current.dealer + current.community + current.six_card_box
    return [*current.face_up, *current.burned, *hands, *layout]
