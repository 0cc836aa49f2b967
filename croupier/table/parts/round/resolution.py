"""Resolution of the turns at the end of a round: hands, payments and their clauses.

Counterclockwise, in as many passes as the game has (chapters 11, 12); the amounts are those of
`croupier.games.payout`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.games import House, PaytableFacts, Result, Slot, title
from croupier.games.envy_bonus import EnvyBonus
from croupier.games.meter_arithmetic import MeterPayment
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.meter_pools import pool_used_event
from croupier.table.parts.round.showdown import hands_shown, turn_up
from croupier.table.parts.round.state import Round
from croupier.table.parts.round.turn_order import (
    Showing,
    Turn,
    envy_hand,
    first_showings,
    hand_showings,
    one_by_one,
    pending_envy,
    showings,
    turns,
    unturned_places,
)

if TYPE_CHECKING:
    from croupier.table.table import Table

FOLDED_AND_VOID = "A147"  # whether a void round returns the wagers that a fold has lost


def payment_of(current: Round, delayed: msg.PaymentDelayed) -> msg.WagerSettled | msg.EnvyPaid:
    """The payment with the amount that was fixed."""
    if delayed.holder:
        return msg.EnvyPaid(
            seat=delayed.seat,
            holder=delayed.holder,
            hand=title(envy_hand(current, delayed.holder)),
            paid=delayed.returned,
            clause=delayed.clause,
            clauses=delayed.clauses,
        )
    return msg.WagerSettled(
        seat=delayed.seat,
        wager=delayed.wager,
        stake=delayed.stake,
        outcome="win",
        returned=delayed.returned,
        pays=delayed.pays,
        clause=delayed.clause,
        withheld=delayed.withheld,
        clauses=delayed.clauses,
    )


class JudgedResult(msgspec.Struct, frozen=True):
    """A wager's result; `hand` is the hand it was paid on if the wager looks at one hand."""

    result: Result
    hand: str = ""


class Resolution:
    """The turns that are left, one after the other, with the cards and meters as they then are.

    `turns` has the events of each turn in which the dealer does something, up to the first hand
    that a person has to turn up; `rest` is what a fold has settled after the last one.
    """

    def __init__(self, table: Table) -> None:
        current = table.in_progress()
        self.table, self.current = table, current
        self.meters: dict[str, Fraction] = dict(table.meters)
        self.up: set[Slot] = set(current.turned)
        self.announced = set(current.announced)
        self.unturned = set(unturned_places(current))
        self.payers: dict[int, BoxPayer] = {}
        self.results: dict[int, dict[str, JudgedResult]] = {}
        self.envied = [seat for _, seat in current.envied]  # once per bonus
        self.envied += [delayed.seat for delayed in current.delayed.values() if delayed.holder]
        self.turns: list[list[Event]] = []
        self.rest: list[Event] = list(self.first_cards())
        for turn in turns(current, self.up):
            if table.attended and any(hand_showings(current, (turn,))):
                break
            self.rest += self.take(turn)
            if turn.by_dealer:
                self.turns.append(self.rest)
                self.rest = []

    @property
    def events(self) -> list[Event]:
        """The events of all these turns."""
        return [event for events in (*self.turns, self.rest) for event in events]

    def first_cards(self) -> Iterator[Event]:
        """Turn up what comes before the first turn; at an attended table a person does."""
        if self.table.attended:
            return
        first = first_showings if one_by_one(self.current.house) else showings
        for showing in first(self.current):
            yield from turn_up(self.table, self.current, showing)
            yield from self.note(showing)

    def note(self, showing: Showing) -> Iterator[Event]:
        """Record what was turned up; the last place completes the showdown."""
        self.up.add(showing.place)
        if showing.announced and isinstance(showing.place, int):
            self.announced.add(showing.place)
        if showing.place in self.unturned:
            self.unturned.remove(showing.place)
            if not self.unturned:
                yield hands_shown(self.table)

    def take(self, turn: Turn) -> Iterator[Event]:
        """Turn up and announce the hand of a turn, then resolve its wagers."""
        current, seat = self.current, turn.seat
        if seat not in self.up:
            for showing in hand_showings(current, (turn,)):
                yield from turn_up(self.table, current, showing)
                yield from self.note(showing)
        elif turn.announced and seat not in self.announced:  # turned up in an earlier pass
            yield from turn_up(self.table, current, Showing(seat, announced=True))
        yield from self.resolve(turn)

    def resolve(self, turn: Turn) -> Iterator[Event]:
        """The payments of a turn."""
        current, seat = self.current, turn.seat
        box = current.boxes[seat]
        if current.void is not None:
            yield from return_stakes(current, turn, current.void.clause, saved=current.void.saved)
            if current.void.saved in turn.wagers:
                yield from self.pay(seat, current.void.saved)
        elif box.sat_out:
            yield from return_stakes(current, turn, current.house.cite("player_skipped")[0])
        elif box.forfeited:
            yield from collect_forfeited(current, turn)
        else:
            for wager in turn.wagers:
                yield from self.pay(seat, wager)
            if turn.pays_envy:
                yield from self.pay_envy(seat)

    def pay(self, seat: int, wager: str) -> Iterator[Event]:
        """Settle one wager on the cards."""
        current = self.current
        if seat not in self.results:
            self.results[seat] = verdicts(current, seat)
            delayed = (payment_of(current, each) for each in current.delayed.values())
            wins = (each for each in delayed if isinstance(each, msg.WagerSettled))
            before = (each for each in wins if each.seat == seat)
            paid = [*current.boxes[seat].settled.values(), *before]
            self.payers[seat] = BoxPayer(current.house, self.meters, paid)
        verdict = self.results[seat][wager]
        stake = current.boxes[seat].stakes[wager]
        yield from self.payers[seat].pay(seat, verdict.result, stake, verdict.hand)

    def pay_envy(self, holder: int) -> Iterator[Event]:
        """Pay the other players for a hand."""
        for bonus in pending_envy(self.current, holder):
            earlier = self.envied.count(bonus.seat)
            self.envied.append(bonus.seat)
            yield envy_payment(self.current, holder, bonus, earlier)


def verdicts(current: Round, seat: int) -> dict[str, JudgedResult]:
    """The result of every wager of a box."""
    results: dict[str, JudgedResult] = {}
    settle_facts = current.house.settle
    for facts in current.game.judge(current.seen(seat), current.house):
        hand = facts.hand if isinstance(facts, PaytableFacts) else ""
        for result in settle_facts(facts):
            results[result.wager] = JudgedResult(result, hand)
    return results


def collect_forfeited(current: Round, turn: Turn) -> Iterator[msg.WagerSettled]:
    """Every wager of a forfeited box loses."""
    box = current.boxes[turn.seat]
    for wager, stake in box.stakes.items():
        if wager in turn.wagers:
            yield lost(turn.seat, wager, stake, box.forfeited)


def lost(seat: int, wager: str, stake: int, *clauses: str) -> msg.WagerSettled:
    """A wager that loses without a judgment of the cards."""
    return msg.WagerSettled(
        seat=seat,
        wager=wager,
        stake=stake,
        outcome="lose",
        returned=0,
        clause=clauses[0],
        clauses=clauses,
    )


def return_stakes(
    current: Round, turn: Turn, clause: str, *, saved: str = ""
) -> Iterator[msg.WagerSettled]:
    """Return the wagers of a box, except a saved one and, by choice, those a fold lost (A147)."""
    box = current.boxes[turn.seat]
    folded: Collection[str] = box.collected.wagers if box.collected else ()
    for wager, stake in box.stakes.items():
        if wager not in turn.wagers or wager == saved:
            continue
        if wager in folded and not current.house.choices.void_returns_folded:
            assert box.collected is not None
            yield lost(turn.seat, wager, stake, box.collected.clause, FOLDED_AND_VOID)
            continue
        yield msg.WagerSettled(
            seat=turn.seat,
            wager=wager,
            stake=stake,
            outcome="void",
            returned=stake,
            clause=clause,
            clauses=(clause, FOLDED_AND_VOID) if wager in folded else (clause,),
        )


def envy_payment(current: Round, holder: int, bonus: EnvyBonus, earlier: int) -> msg.EnvyPaid:
    """The payment of a bonus; `earlier` is how many others the box was paid for in this round."""
    house = current.house
    stake = current.boxes[bonus.seat].stakes["progressive"]
    clauses = house.cite("envy.pays") + house.cite(f"envy.stake.{stake // 100}")
    if earlier:
        clauses += house.cite("envy.several", optional=True)
    return msg.EnvyPaid(
        seat=bonus.seat,
        holder=holder,
        hand=title(envy_hand(current, holder)),
        paid=bonus.paid,
        clause=bonus.line.clause,
        clauses=clauses,
    )


class BoxPayer:
    """Pays the wagers of one box and cites the clauses of every payment."""

    def __init__(
        self,
        house: House,
        meters: dict[str, Fraction],
        paid_before: Iterable[msg.WagerSettled] = (),
    ) -> None:
        self.house = house
        won = [
            (settled.wager, settled.returned - settled.stake)
            for settled in paid_before
            if settled.outcome == "win"
        ]
        self.payouts = PayoutCalculator(house, meters, won)

    def pay(self, seat: int, result: Result, stake: Cents, hand: str = "") -> list[Event]:
        """The events that settle one wager; `hand` is the hand that a posted wager is paid on."""
        payment = self.payouts.pay(result, stake)
        clauses = self._cited(result, "" if payment.from_meter else hand)
        if payment.withheld:
            clauses += self._limit_clauses()
        settled = msg.WagerSettled(
            seat=seat,
            wager=result.wager,
            stake=stake,
            outcome=result.outcome,
            returned=payment.returned,
            pays=str(result.pays) if result.outcome == "win" else "",
            clause=result.clause,
            withheld=payment.withheld,
            clauses=clauses,
        )
        if payment.from_meter is None:
            return [settled]
        return [settled, *self._meter_events(seat, payment.returned, payment.from_meter)]

    def _meter_events(self, seat: int, paid: Cents, award: MeterPayment) -> Iterator[Event]:
        yield msg.MeterPaid(
            seat=seat,
            meter=award.meter,
            paid=paid,
            refill=meter_text(award.refill),
            after=meter_text(award.after),
            clauses=self.house.cite("meter.pays"),
        )
        yield from map(pool_used_event, award.pool_moves)

    def _limit_clauses(self) -> tuple[str, ...]:
        house, limit = self.house, self.house.game.limit
        assert limit is not None and house.payout_limit is not None
        larger = "limit.minimum" if house.payout_limit > limit.fixed_floor else "limit.fixed"
        return house.cite("limit.cut") + house.cite(larger, optional=True)

    def _cited(self, result: Result, hand: str = "") -> tuple[str, ...]:
        """The clauses of a wager's outcome and hand."""
        house = self.house
        clauses = house.cite(f"settle.{result.wager}", optional=True)
        if not clauses and result.outcome == "win":
            clauses = house.cite("settle.pays")
        elif not clauses and result.outcome == "lose":
            clauses = house.cite("settle.loses", optional=True)
        if result.outcome == "win":
            clauses += house.cite(f"pay.{result.wager}", optional=True)
        limited = house.payout_limit is not None
        if limited and result.outcome == "win" and not self.payouts.is_limited(result.wager):
            clauses += house.cite("limit.exempt", optional=True)
        if hand:
            clauses += house.cite(f"{result.wager}.{hand}", optional=True)
        return clauses


def reasons(
    current: Round, seat: int, pending: Mapping[str, msg.WagerSettled] | None = None
) -> dict[str, str]:
    """The reason for the outcome of each settled wager of a box.

    `pending` are settlements not applied yet, used instead of the recorded ones. Wagers of a void
    round or a box that is not judged have no reason.
    """
    settled = current.boxes[seat].settled if pending is None else pending
    if not settled or current.void is not None or not current.boxes[seat].judged:
        return {}
    explanations: dict[str, str] = {}
    for facts in current.game.judge(current.seen(seat), current.house):
        for result in current.house.settle(facts):
            event = settled.get(result.wager)
            if event is not None and event.clause == result.clause:
                explanations[result.wager] = facts.why(result, current.house)
    return explanations
