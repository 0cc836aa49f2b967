"""Meter pools: a reserve that funds resets, and the overflow above the meter's limit (R35).

A pool is stored like a meter, under the name `reserve:METER` or `overflow:METER`. It is not
displayed and pays no awards. Submissions without these terms have no pools.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.games import POOLS, House, meter_arithmetic
from croupier.money import Cents, meter_text
from croupier.table.core.messages import Event, MeterText


class PoolUsed(Event, frozen=True, kw_only=True, tag="pool_used"):
    """After an award, the reserve funded the refill or the overflow moved into the meter.

    `after` is the meter's new amount, `left` what remains in the pool.
    """

    meter: str
    pool: meter_arithmetic.Pool
    amount: MeterText
    left: MeterText
    after: MeterText


def contributions(
    house: House, staked: Cents, meters: Mapping[str, Fraction]
) -> dict[str, MeterText]:
    """Contributions of progressive wagers to each meter and its pools, as recorded in events."""
    added = meter_arithmetic.contributions(house, staked, meters)
    return {name: meter_text(amount) for name, amount in added.items()}


def pool_used_event(move: meter_arithmetic.PoolMove) -> PoolUsed:
    """The event of a pool move."""
    return PoolUsed(
        meter=move.meter,
        pool=move.pool,
        amount=meter_text(move.amount),
        left=meter_text(move.left),
        after=meter_text(move.after),
        clauses=(POOLS,),
    )


def apply_pool_used(meters: dict[str, Fraction], event: PoolUsed) -> None:
    """Apply the event to the meters."""
    meters[f"{event.pool}:{event.meter}"] = Fraction(event.left)
    meters[event.meter] = Fraction(event.after)
