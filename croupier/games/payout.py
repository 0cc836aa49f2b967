"""Payout arithmetic: rounding, payout limits, meter awards and contributions, envy bonuses.

Pure functions and values: the table turns them into events with clauses, and the simulator and the
solvers use them directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol, TypeAlias

from croupier.games.choices import Envy
from croupier.games.facts import Result
from croupier.games.house import House, Meter
from croupier.money import Cents, down_to_cent, up_to_cent, up_to_chip
from croupier.rulebook import PaytableLine

Pool: TypeAlias = Literal["reserve", "overflow"]


class PoolMove(NamedTuple):
    """A transfer after an award: from the reserve for the refill, or from the overflow (R35).

    `left` remains in the pool; `after` is the new amount of the meter.
    """

    meter: str
    pool: Pool
    amount: Fraction
    left: Fraction
    after: Fraction


class MeterPayment(NamedTuple):
    """The effect of one award on a meter: its refill and its new amount."""

    meter: str
    refill: Fraction
    after: Fraction
    pool_moves: tuple[PoolMove, ...]


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
        meter = self.house.meters[result.pays.meter]
        amount = self.meters[meter.name]
        terms = self.house.progressive
        assert terms is not None, "only a progressive wager is paid from a meter"
        round_award = up_to_cent if terms.meter_rounding == "up_to_cent" else down_to_cent
        paid = round_award(amount * result.pays.win / 100)
        after = amount - paid
        refill = Fraction(0)
        if result.pays.win == 100:
            refill = Fraction(meter.reset)
        elif terms.partial_award_floor and after < meter.reset:
            refill = meter.reset - after
        self.meters[meter.name] = after + refill
        moves = tuple(_settle_pools(meter, refill, self.meters))
        return Payment(paid, 0, MeterPayment(meter.name, refill, after + refill, moves))


def contributions(
    house: House, staked: Cents, meters: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """The exact amounts that progressive stakes add to each meter and its pools.

    A negative stake reverses contributions: from the overflow first, because it was filled last.
    """
    if not staked:
        return {}
    added: dict[str, Fraction] = {}
    for name, meter in house.meters.items():
        amount = meter.contribution(staked)
        above = _above_limit(meter, amount, meters) if meter.limit is not None else Fraction(0)
        added[name] = amount - above
        if above:
            added[meter.overflow] = above
        if meter.reserve_percent is not None:
            added[meter.reserve] = staked * meter.reserve_percent / 100
    return added


def _above_limit(meter: Meter, amount: Fraction, meters: Mapping[str, Fraction]) -> Fraction:
    """The part of a contribution above the meter's limit."""
    assert meter.limit is not None
    if amount < 0:
        return -min(-amount, meters[meter.overflow])
    return max(Fraction(0), min(amount, meters[meter.name] + amount - meter.limit))


def _settle_pools(
    meter: Meter, refill: Fraction, meters: dict[str, Fraction]
) -> Iterator[PoolMove]:
    """Move money between a meter and its pools after an award; updates `meters`."""
    from_reserve = min(refill, meters.get(meter.reserve, Fraction(0)))
    if from_reserve > 0:
        meters[meter.reserve] -= from_reserve
        left = meters[meter.reserve]
        yield PoolMove(meter.name, "reserve", from_reserve, left, meters[meter.name])
    if meter.limit is not None:
        into_meter = min(meters[meter.overflow], meter.limit - meters[meter.name])
        if into_meter > 0:
            meters[meter.overflow] -= into_meter
            meters[meter.name] += into_meter
            left = meters[meter.overflow]
            yield PoolMove(meter.name, "overflow", into_meter, left, meters[meter.name])


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
