"""Payout arithmetic: rounding, payout limits, progressive awards, envy bonuses.

Pure functions and values: the table turns them into events with clauses, and the simulator and the
solvers use them directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from croupier.games.choices import Envy
from croupier.games.facts import Result
from croupier.games.house import House
from croupier.games.meter_arithmetic import MeterPayment, pay_award
from croupier.money import Cents, up_to_cent, up_to_chip
from croupier.rulebook import PaytableLine


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


class EnvyBox(Protocol):
    """The properties of a box that envy bonuses depend on."""

    @property
    def player(self) -> str: ...
    @property
    def stakes(self) -> Mapping[str, Cents]: ...
    @property
    def folded_at(self) -> str: ...
    @property
    def judged(self) -> bool: ...


class EnvyBonus(NamedTuple):
    """An envy bonus for one seat, and the line of the schedule that pays it."""

    seat: int
    paid: Cents
    line: PaytableLine


def envy_terms(house: House) -> Envy:
    """The envy bonus terms of a House that offers the bonus."""
    assert house.progressive is not None and house.progressive.envy is not None, "no envy bonus"
    return house.progressive.envy


def is_envy_holder(house: House, box: EnvyBox) -> bool:
    """Whether other players are paid for this box's hand (A53, A54)."""
    must_wager = envy_terms(house).holder_must_wager
    if not box.judged or (must_wager and "progressive" not in box.stakes):
        return False
    if not box.folded_at:
        return True
    on_folded = envy_terms(house).on_folded_hand
    return on_folded and any(house.outlives_fold(wager) for wager in box.stakes)


def may_receive_envy(house: House, box: EnvyBox) -> bool:
    """Whether a box is entitled to envy bonuses for other players' hands (A53)."""
    if not box.judged or "progressive" not in box.stakes:
        return False
    return not box.folded_at or envy_terms(house).on_folded_hand


def envy_bonuses(
    house: House, boxes: Mapping[int, EnvyBox], holder: int, hand: str
) -> Iterator[EnvyBonus]:
    """The bonuses of all entitled boxes of other players for a holder's hand (A56)."""
    line = house.envy_line(hand)
    assert line is not None, f"{hand} earns no envy bonus"
    for seat in sorted(boxes, reverse=True):
        box = boxes[seat]
        if box.player != boxes[holder].player and may_receive_envy(house, box):
            yield EnvyBonus(seat, int(line.pays.winnings(box.stakes["progressive"])), line)
