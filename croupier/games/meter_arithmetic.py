"""Arithmetic of progressive meters: contributions, awards, refills, reserve and overflow (R35)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from croupier.games.choices import Progressive
from croupier.games.house import House, Meter
from croupier.money import Cents, down_to_cent, up_to_cent

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


def pay_award(
    meter: Meter, terms: Progressive, percent: int, meters: dict[str, Fraction]
) -> tuple[Cents, MeterPayment]:
    """Pay a percentage of a meter and refill it; updates `meters`."""
    round_award = up_to_cent if terms.meter_rounding == "up_to_cent" else down_to_cent
    paid = round_award(meters[meter.name] * percent / 100)
    left = meters[meter.name] - paid
    refill = Fraction(0)
    if percent == 100:
        refill = Fraction(meter.reset)
    elif terms.partial_award_floor and left < meter.reset:
        refill = meter.reset - left
    after = meters[meter.name] = left + refill
    return paid, MeterPayment(
        meter.name, refill, after, tuple(_settle_pools(meter, refill, meters))
    )


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
