"""The one place where money is applied to Results: rounding, payout limits, meters."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from croupier.games import House, Result
from croupier.money import Cents, down_to_cent, meter_text, up_to_cent, up_to_chip
from croupier.table.core.messages import Event
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.meter_pools import after_award


class Cashier:
    """Pays the results of one box, under its payout limit, from the tray and the meters."""

    def __init__(
        self,
        house: House,
        meters: dict[str, Fraction],
        paid_before: Iterable[rec.WagerSettled] = (),
    ) -> None:
        self.house = house
        self.meters = meters  # falls and is refilled as awards are paid
        self.left = house.payout_limit
        for settled in paid_before:
            if settled.outcome == "win":
                self._limited(settled.wager, settled.returned - settled.stake)

    def pay(self, seat: int, result: Result, stake: Cents, hand: str = "") -> list[Event]:
        """The events that resolve one stake; `hand` is the one a posted wager looks at."""
        if result.outcome == "win" and result.pays.unit == "percent":
            return self._pay_from_meter(seat, result, stake)
        withheld = 0
        clauses = self._clauses(result, hand)
        if result.outcome == "lose":
            returned = 0
        elif result.outcome == "push":
            returned = stake
        else:
            winnings = self.rounded(result.pays.winnings(stake))
            paid = self._limited(result.wager, winnings)
            withheld = winnings - paid
            returned = stake + paid
            if withheld:
                clauses += self._limit_clauses()
        settled = rec.WagerSettled(
            seat=seat,
            wager=result.wager,
            stake=stake,
            outcome=result.outcome,
            returned=returned,
            pays=str(result.pays) if result.outcome == "win" else "",
            clause=result.clause,
            withheld=withheld,
            clauses=clauses,
        )
        return [settled]

    def rounded(self, winnings: Fraction) -> Cents:
        """Winnings in money that can be paid, never below the odds (A24)."""
        choices = self.house.choices
        if choices.chip_rounding == "up_to_chip" and choices.lowest_chip is not None:
            return up_to_chip(winnings, choices.lowest_chip)
        return up_to_cent(winnings)

    def covered(self, wager: str) -> bool:
        """Whether the payout limit reaches a wager (A63 to A65)."""
        limit = self.house.game.limit
        if limit is None or self.house.payout_limit is None:
            return False
        return wager in limit.covers or wager in limit.also_covers(self.house)

    def _limited(self, wager: str, winnings: Cents) -> Cents:
        if self.left is None or not self.covered(wager):
            return winnings
        paid = min(winnings, self.left)
        self.left -= paid
        return paid

    def _limit_clauses(self) -> tuple[str, ...]:
        house, limit = self.house, self.house.game.limit
        assert limit is not None and house.payout_limit is not None
        larger = "limit.minimum" if house.payout_limit > limit.fixed_floor else "limit.fixed"
        return house.cite("limit.cut") + house.cite(larger, optional=True)

    def _clauses(self, result: Result, hand: str = "") -> tuple[str, ...]:
        """The clauses that follow from the wager, what becomes of it and its hand: cited once."""
        moment = ("settle", result.wager, result.outcome, hand)
        return self.house.cite_once(moment, lambda: self._cited(result, hand))

    def _cited(self, result: Result, hand: str) -> tuple[str, ...]:
        house = self.house
        clauses = house.cite(f"settle.{result.wager}", optional=True)
        if not clauses and result.outcome == "win":
            clauses = house.cite("settle.pays")
        elif not clauses and result.outcome == "lose":
            clauses = house.cite("settle.loses", optional=True)
        if result.outcome == "win":
            clauses += house.cite(f"pay.{result.wager}", optional=True)
        limited = house.payout_limit is not None
        if limited and result.outcome == "win" and not self.covered(result.wager):
            clauses += house.cite("limit.exempt", optional=True)
        if hand:
            clauses += house.cite(f"{result.wager}.{hand}", optional=True)
        return clauses

    def _pay_from_meter(self, seat: int, result: Result, stake: Cents) -> list[Event]:
        """The stake is in the tray and stays there; the meter falls by what it pays (A28, A44)."""
        house = self.house
        meter = house.meters[result.pays.meter]
        held = self.meters[meter.name]
        share = held * result.pays.win / 100
        terms = house.progressive
        assert terms is not None, "a meter pays a progressive wager"
        policy = up_to_cent if terms.meter_rounding == "up_to_cent" else down_to_cent
        paid = policy(share)
        after = held - paid
        refill = Fraction(0)
        if result.pays.win == 100:
            refill = Fraction(meter.reset)
        elif terms.partial_award_floor and after < meter.reset:
            refill = meter.reset - after
        self.meters[meter.name] = after + refill
        settled = rec.WagerSettled(
            seat=seat,
            wager=result.wager,
            stake=stake,
            outcome="win",
            returned=paid,
            pays=str(result.pays),
            clause=result.clause,
            clauses=self._clauses(result),
        )
        fell = rec.MeterPaid(
            seat=seat,
            meter=meter.name,
            paid=paid,
            refill=meter_text(refill),
            after=meter_text(after + refill),
            clauses=house.cite("meter.pays"),
        )
        return [settled, fell, *after_award(meter, refill, self.meters)]
