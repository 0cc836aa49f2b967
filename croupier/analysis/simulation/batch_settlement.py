"""Settlement of the rounds that involve a meter, envy or the payout limit, in round order.

Kernels value all other rounds by code. These are paid by `croupier.games.payout`, to the cent,
from meters that grow as at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from croupier.analysis.kernels.simulate import tally as seats
from croupier.analysis.simulation.simulation_setup import (
    NO_LIMIT,
    CodeValues,
    Seating,
    SimulationSetup,
)
from croupier.games import Facts, House, Result, envy_bonus, meter_arithmetic
from croupier.games.payout import Payment, PayoutCalculator
from croupier.money import Cents

MOST_CACHED = 10_000  # cached sums of contributions


class MeterHit(NamedTuple):
    """A progressive award."""

    meter: str
    round: int
    seat: int
    paid: Cents


@dataclass(slots=True)
class SettlementAdjustment:
    """The difference between a round's payout and the value of its codes, by seat and wager."""

    by_wager: dict[tuple[int, str], Cents] = field(default_factory=dict)
    envy: dict[int, Cents] = field(default_factory=dict)

    def add(self, seat: int, wager: str, cents: Cents) -> None:
        """Adjust the amount returned on a wager."""
        key = seat, wager
        self.by_wager[key] = self.by_wager.get(key, 0) + cents

    @property
    def seats(self) -> set[int]:
        """The seats with an adjustment."""
        return {seat for seat, _ in self.by_wager} | set(self.envy)

    def of(self, seat: int) -> Cents:
        """The total adjustment of a seat."""
        wagers = sum(cents for (at, _), cents in self.by_wager.items() if at == seat)
        return wagers + self.envy.get(seat, 0)


class SimulatedBox(NamedTuple):
    """A box as the envy rules need it; every seat is a different player."""

    player: str
    stakes: dict[str, Cents]
    folded_at: str
    judged: bool = True


class RoundSettler:
    """Settles rounds against the meters; rounds must come in order. Seats count from 1."""

    def __init__(self, game: SimulationSetup, seating: Seating, worth: CodeValues) -> None:
        self.game, self.seating, self.worth = game, seating, worth
        self.house: House = game.house
        self.meters = {name: Fraction(cents) for name, cents in self.house.opening_meters().items()}
        self.fed = 0  # rounds whose contributions are in the meters
        self.hits: list[MeterHit] = []
        # Lists and caches for quick access: every settled round reads them.
        self._main: list[list[int]] = worth.main.tolist()
        self._sides: list[list[list[int]]] = worth.sides.tolist()
        self._wins: dict[tuple[int, int], tuple[Result, ...]] = {}
        self._metered = [0, *(1 + np.flatnonzero(worth.sides[..., seats.MARKED].any(axis=1)))]
        self._payouts = PayoutCalculator(self.house, {})
        self._limited = any(meter.limit is not None for meter in self.house.meters.values())
        self._fed: dict[Cents, dict[str, Fraction]] = {}

    def feed(self, rounds: int) -> None:
        """Add the contributions of all rounds before `rounds` to the meters."""
        stake = self.seating.stakes.get("progressive", 0)
        staked = (rounds - self.fed) * self.seating.seats * stake
        for name, amount in self.contributions(staked).items():
            self.meters[name] += amount
        self.fed = rounds

    def contributions(self, staked: Cents) -> dict[str, Fraction]:
        """Contributions to the meters; without a meter limit they depend on the sum alone."""
        if staked in self._fed:
            return self._fed[staked]
        contributions = meter_arithmetic.contributions(self.house, staked, self.meters)
        if not self._limited and len(self._fed) < MOST_CACHED:
            self._fed[staked] = contributions
        return contributions

    def net(self, row: Sequence[int]) -> Cents:
        """The net value of a seat's codes."""
        sides = zip(self._sides, row[1:], strict=True)
        return self._main[row[0]][seats.NET] + sum(side[code][seats.NET] for side, code in sides)

    def settle(self, number: int, codes: Sequence[Sequence[int]]) -> SettlementAdjustment:
        """Pay a round; returns the difference from the value of its codes."""
        self.feed(number + 1)
        change = SettlementAdjustment()
        rows = dict(enumerate(codes, 1))
        due = {seat: results for seat, row in rows.items() if (results := self.due(row))}
        staked = {seat: self.stakes(rows[seat]) for seat in due}
        payouts = {seat: PayoutCalculator(self.house, self.meters) for seat in due}
        for wagers in self.house.game.passes:
            for seat in sorted(due, reverse=True):
                for wager in wagers:
                    if wager in due[seat]:
                        result = due[seat][wager]
                        paid = payouts[seat].pay(result, staked[seat][wager])
                        self.record(number, seat, wager, paid, change)
        self.pay_envy(codes, change)
        return change

    def stakes(self, row: Sequence[int]) -> dict[str, Cents]:
        """All stakes of a seat."""
        multiples, _ = self.game.main(row[0])
        main = {wager: times * self.seating.ante for wager, times in multiples.items()}
        return {**main, **self.seating.stakes}

    def wins(self, place: int, code: int) -> tuple[Result, ...]:
        """The winning results of a code; place 0 is the main game, then the side wagers."""
        key = place, code
        if key not in self._wins:
            if place:
                facts: Facts | None = self.game.sides[place - 1].facts[code]
                staked = set(self.seating.stakes)
            else:
                multiples, facts = self.game.main(code)
                staked = set(multiples)
            assert facts is not None, f"code {code} at {place} stands for impossible facts"
            self._wins[key] = tuple(
                result
                for result in self.house.settle(facts)
                if result.wager in staked and result.outcome == "win"
            )
        return self._wins[key]

    def due(self, row: Sequence[int]) -> dict[str, Result]:
        """Results paid by a meter and, if the payout limit may apply, all that it covers."""
        cut = self.worth.limit < NO_LIMIT and self.covered(row) > self.worth.limit
        return {
            result.wager: result
            for place in (range(len(row)) if cut else self._metered)
            for result in self.wins(place, row[place])
            if result.pays.unit == "percent" or (cut and self._payouts.is_limited(result.wager))
        }

    def covered(self, row: Sequence[int]) -> Cents:
        """A seat's winnings under the payout limit."""
        sides = zip(self._sides, row[1:], strict=True)
        covered = sum(side[code][seats.COVERED] for side, code in sides)
        return self._main[row[0]][seats.COVERED] + covered

    def record(
        self, number: int, seat: int, wager: str, paid: Payment, change: SettlementAdjustment
    ) -> None:
        """Meter awards are added, amounts withheld by the payout limit are subtracted."""
        if paid.from_meter is None:
            change.add(seat, wager, -paid.withheld)
        else:
            change.add(seat, wager, paid.returned)
            self.hits.append(MeterHit(paid.from_meter.meter, number, seat, paid.returned))

    def pay_envy(self, codes: Sequence[Sequence[int]], change: SettlementAdjustment) -> None:
        """Pay envy bonuses as the table does; every seat is a different player."""
        house = self.house
        if house.progressive is None or house.progressive.envy is None:
            return
        at = [side.wager for side in self.game.sides].index("progressive")
        hands = {
            seat: getattr(self.game.sides[at].facts[row[at + 1]], "hand", "")
            for seat, row in enumerate(codes, 1)
        }
        if not any(house.envy_line(hand) for hand in hands.values()):
            return
        boxes = {
            seat: SimulatedBox(
                player=str(seat),
                stakes=self.stakes(row),
                folded_at=self.game.folded_at.get(self.game.main(row[0])[1], ""),
            )
            for seat, row in enumerate(codes, 1)
        }
        holders = {
            seat: hand
            for seat, hand in hands.items()
            if house.envy_line(hand) and envy_bonus.is_envy_holder(house, boxes[seat])
        }
        for holder in sorted(holders, reverse=True):
            for bonus in envy_bonus.envy_bonuses(house, boxes, holder, holders[holder]):
                change.envy[bonus.seat] = change.envy.get(bonus.seat, 0) + bonus.paid
