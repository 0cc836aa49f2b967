"""Settlement events of one box: payments of `croupier.games.payout` with their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from croupier.games import House, Result
from croupier.games.meter_arithmetic import MeterPayment
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.meter_pools import pool_used_event


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
