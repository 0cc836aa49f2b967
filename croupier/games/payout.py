"""Payout arithmetic: rounding, payout limits, progressive awards.

Pure functions and values: the table turns them into events with clauses, and the simulator and the
solvers use them directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from croupier.games.facts import Result
from croupier.games.house import House
from croupier.games.meter_arithmetic import MeterPayment, pay_award
from croupier.money import Cents, up_to_cent, up_to_chip


class Payment(NamedTuple):
    """The payment for one stake.

    `returned` includes the stake unless it is lost; `withheld` is the part above the payout limit.
    """

    returned: Cents
    withheld: Cents = 0
    from_meter: MeterPayment | None = None


class PayoutCalculator:
    """Computes the payments of one box: rounded, within its payout limit, from tray or meters.

    `meters` is updated as awards are paid. `won_before` are winnings already paid to the box, as
    (wager, winnings); they count toward the limit.
    """

    def __init__(
        self,
        house: House,
        meters: dict[str, Fraction],
        won_before: Iterable[tuple[str, Cents]] = (),
    ) -> None:
        self.house = house
        self.meters = meters
        self.limit_left = house.payout_limit
        for wager, winnings in won_before:
            self._apply_limit(wager, winnings)

    def pay(self, result: Result, stake: Cents) -> Payment:
        """The payment for one stake; updates the limit left and the meters."""
        if result.outcome == "lose":
            return Payment(0)
        if result.outcome == "push":
            return Payment(stake)
        if result.pays.unit == "percent":
            return self._pay_from_meter(result)
        winnings = self.rounded(result.pays.winnings(stake))
        paid = self._apply_limit(result.wager, winnings)
        return Payment(stake + paid, winnings - paid)

    def rounded(self, winnings: Fraction) -> Cents:
        """Winnings rounded up to an amount that can be paid (A24)."""
        choices = self.house.choices
        if choices.chip_rounding == "up_to_chip" and choices.lowest_chip is not None:
            return up_to_chip(winnings, choices.lowest_chip)
        return up_to_cent(winnings)

    def is_limited(self, wager: str) -> bool:
        """Whether the payout limit covers a wager (A63 to A65)."""
        limit = self.house.game.limit
        if limit is None or self.house.payout_limit is None:
            return False
        return wager in limit.covers or wager in limit.also_covers(self.house)

    def _apply_limit(self, wager: str, winnings: Cents) -> Cents:
        if self.limit_left is None or not self.is_limited(wager):
            return winnings
        paid = min(winnings, self.limit_left)
        self.limit_left -= paid
        return paid

    def _pay_from_meter(self, result: Result) -> Payment:
        """The stake stays in the tray; the award is taken from the meter (A28, A44)."""
        terms = self.house.progressive
        assert terms is not None, "only a progressive wager is paid from a meter"
        meter = self.house.meters[result.pays.meter]
        paid, award = pay_award(meter, terms, result.pays.win, self.meters)
        return Payment(paid, 0, award)
