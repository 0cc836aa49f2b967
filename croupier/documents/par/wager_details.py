"""Details of a PAR sheet: each wager of the main game, and each meter of a progressive."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.documents.formatting import percent
from croupier.errors import BadInput
from croupier.games import House
from croupier.money import Cents, dollars, up_to_cent

if TYPE_CHECKING:
    from croupier.analysis import MainResult

MAIN_WAGER_TITLES = ("wager", "made", "wins", "pushes", "loses", "expected value, in antes")
METER_TITLES = ("meter", "reset", "added per wager", "paid in full", "mean when paid", "seed cost")


class MainWager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager of the main game with perfect play."""

    title: str
    made: Fraction  # how often it is settled
    wins: Fraction
    pushes: Fraction
    loses: Fraction
    ev: Fraction  # in antes

    @property
    def cells(self) -> tuple[str, ...]:
        """The wager as printed."""
        shares = (self.made, self.wins, self.pushes, self.loses)
        return (self.title, *map(percent, shares), f"{float(self.ev):+.6f}")


class MeterDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One progressive meter in the long run."""

    name: str
    reset: Cents
    added: Fraction  # cents per wager
    hit: Fraction  # probability that a wager takes the whole meter
    mean: Fraction  # cents
    seed_cost: Fraction  # cents per wager

    @property
    def cells(self) -> tuple[str, ...]:
        """The meter as printed."""
        return (
            self.name,
            dollars(self.reset),
            f"{float(self.added):g} cents",
            f"once in {float(1 / self.hit):,.0f}",
            dollars(up_to_cent(self.mean)),
            f"{float(self.seed_cost):.4f} cents",
        )


class LongRun(msgspec.Struct, frozen=True, kw_only=True):
    """A progressive wager in the long run: contributions come back as larger awards."""

    at_reset: Fraction  # expected value per unit
    ev: Fraction
    increment: Fraction  # share of a wager that goes to the meters
    meters: tuple[MeterDetail, ...]


def main_wagers(house: House, result: MainResult) -> Iterator[MainWager]:
    """Every wager of the main game of which the solver knows the outcomes."""
    for wager in house.game.wagers:
        shares = result.outcomes_by_wager.get(wager.name)
        if shares:
            yield MainWager(
                title=wager.title,
                made=sum(shares.values(), Fraction(0)),
                wins=shares["win"],
                pushes=shares["push"],
                loses=shares["lose"],
                ev=result.components[wager.name],
            )


def long_run(house: House) -> LongRun | None:
    """The long run of the progressive; None without one, or if no hand wins a whole meter."""
    from croupier.analysis import progressive_economics

    try:
        economics = progressive_economics(house)
    except BadInput:
        return None
    return LongRun(
        at_reset=economics.at_reset,
        ev=economics.ev,
        increment=economics.increment,
        meters=tuple(
            MeterDetail(
                name=meter.name,
                reset=meter.reset,
                added=meter.added,
                hit=meter.hit,
                mean=meter.mean,
                seed_cost=meter.seed_cost,
            )
            for meter in economics.meters
        ),
    )
