"""Beside a meter: a reserve that resets are paid from, and what came in above its limit (R35).

A pool is an amount like a meter's own, kept under the name `reserve:METER` or `overflow:METER`,
which nobody is shown and nothing is paid from. What was submitted without them has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from croupier.games import POOLS, House, Meter
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event, MeterText


class PoolUsed(Event, frozen=True, kw_only=True, tag="pool_used"):
    """After an award: the reserve pays for what was put back, or the overflow rises to the meter.

    `after` is what the meter then shows, `left` what stays in the pool.
    """

    meter: str
    pool: Literal["reserve", "overflow"]
    amount: MeterText
    left: MeterText
    after: MeterText


def contributions(
    house: House, staked: Cents, meters: Mapping[str, Fraction]
) -> dict[str, MeterText]:
    """What a sum of progressive stakes adds to each meter and its pools, exactly.

    A sum below nothing goes back: out of the overflow first, which was filled last.
    """
    if not staked:
        return {}
    found: dict[str, MeterText] = {}
    for name, meter in house.meters.items():
        amount = meter.contribution(staked)
        above = _above(meter, amount, meters) if meter.limit is not None else Fraction(0)
        found[name] = meter_text(amount - above)
        if above:
            found[meter.overflow] = meter_text(above)
        if meter.reserve_percent is not None:
            found[meter.reserve] = meter_text(staked * meter.reserve_percent / 100)
    return found


def _above(meter: Meter, amount: Fraction, meters: Mapping[str, Fraction]) -> Fraction:
    """The part of a contribution that a meter has no room for."""
    assert meter.limit is not None
    if amount < 0:
        return -min(-amount, meters[meter.overflow])
    return max(Fraction(0), min(amount, meters[meter.name] + amount - meter.limit))


def after_award(meter: Meter, refill: Fraction, meters: dict[str, Fraction]) -> list[Event]:
    """What the pools do once a meter has paid and was refilled; `meters` moves on with it."""
    events: list[Event] = []
    back = min(refill, meters.get(meter.reserve, Fraction(0)))
    if back > 0:
        meters[meter.reserve] -= back
        events.append(_used(meter, "reserve", back, meters))
    if meter.limit is not None:
        rises = min(meters[meter.overflow], meter.limit - meters[meter.name])
        if rises > 0:
            meters[meter.overflow] -= rises
            meters[meter.name] += rises
            events.append(_used(meter, "overflow", rises, meters))
    return events


def _used(
    meter: Meter,
    pool: Literal["reserve", "overflow"],
    amount: Fraction,
    meters: Mapping[str, Fraction],
) -> PoolUsed:
    return PoolUsed(
        meter=meter.name,
        pool=pool,
        amount=meter_text(amount),
        left=meter_text(meters[f"{pool}:{meter.name}"]),
        after=meter_text(meters[meter.name]),
        clauses=(POOLS,),
    )


def use(meters: dict[str, Fraction], event: PoolUsed) -> None:
    """Apply what happened."""
    meters[f"{event.pool}:{event.meter}"] = Fraction(event.left)
    meters[event.meter] = Fraction(event.after)
