"""Rounds that were kept whole: meters in the order of awards, envy, payout limits, to the cent.

The payout module pays them, from meters that are fed as the table feeds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from croupier.analysis.kernels.simulate import tally as seats
from croupier.analysis.simulation.simulation_setup import NO_LIMIT, CodeValues, Seating, SimulationSetup
from croupier.games import Facts, House, Result, payout
from croupier.games.payout import Payment, PayoutCalculator
from croupier.money import Cents

MOST_KNOWN = 10_000  # sums whose contributions are remembered


class MeterHit(NamedTuple):
    """An award: from which meter, in which round, to whom, how much."""

    meter: str
    round: int
    seat: int
    paid: Cents


@dataclass(slots=True)
class SettlementAdjustment:
    """What a kept round pays beside what its codes are worth, by seat and wager."""

    by_wager: dict[tuple[int, str], Cents] = field(default_factory=dict)
    envy: dict[int, Cents] = field(default_factory=dict)

    def add(self, seat: int, wager: str, cents: Cents) -> None:
        """More, or less, returned on a wager."""
        key = seat, wager
        self.by_wager[key] = self.by_wager.get(key, 0) + cents

    @property
    def seats(self) -> set[int]:
        """Who has more, or less."""
        return {seat for seat, _ in self.by_wager} | set(self.envy)

    def of(self, seat: int) -> Cents:
        """All that changes for a seat."""
        wagers = sum(cents for (at, _), cents in self.by_wager.items() if at == seat)
        return wagers + self.envy.get(seat, 0)


class SimulatedBox(NamedTuple):
    """One box as envy bonuses see it; every seat is another person."""

    player: str
    stakes: dict[str, Cents]
    folded_at: str
    judged: bool = True


class RoundSettler:
    """The meters through a simulation; rounds must come in their order. Seats count from 1."""

    def __init__(self, game: SimulationSetup, seating: Seating, worth: CodeValues) -> None:
        self.game, self.seating, self.worth = game, seating, worth
        self.house: House = game.house
        self.meters = {name: Fraction(cents) for name, cents in self.house.opening_meters().items()}
        self.fed = 0  # rounds whose wagers are in the meters
        self.hits: list[MeterHit] = []
        # What is asked of every kept round, in forms that are quick to ask: lists, and answers
        # that follow from one code or one sum alone.
        self._main: list[list[int]] = worth.main.tolist()
        self._sides: list[list[list[int]]] = worth.sides.tolist()
        self._wins: dict[tuple[int, int], tuple[Result, ...]] = {}
        self._metered = [0, *(1 + np.flatnonzero(worth.sides[..., seats.MARKED].any(axis=1)))]
        self._payouts = PayoutCalculator(self.house, {})
        self._limited = any(meter.limit is not None for meter in self.house.meters.values())
        self._fed: dict[Cents, dict[str, Fraction]] = {}

    def feed(self, rounds: int) -> None:
        """The progressive wagers of all rounds up to one feed the meters."""
        stake = self.seating.stakes.get("progressive", 0)
        staked = (rounds - self.fed) * self.seating.seats * stake
        for name, amount in self.contributions(staked).items():
            self.meters[name] += amount
        self.fed = rounds

    def contributions(self, staked: Cents) -> dict[str, Fraction]:
        """What wagers add to meters; where no meter has a limit, that follows from their sum."""
        if staked in self._fed:
            return self._fed[staked]
        found = payout.contributions(self.house, staked, self.meters)
        if not self._limited and len(self._fed) < MOST_KNOWN:
            self._fed[staked] = found
        return found

    def net(self, row: Sequence[int]) -> Cents:
        """What a seat's codes are worth."""
        sides = zip(self._sides, row[1:], strict=True)
        return self._main[row[0]][seats.NET] + sum(side[code][seats.NET] for side, code in sides)

    def settle(self, number: int, codes: Sequence[Sequence[int]]) -> SettlementAdjustment:
        """What a kept round pays beside what its codes are worth."""
        self.feed(number + 1)
        change = SettlementAdjustment()
        rows = dict(enumerate(codes, 1))
        due = {seat: found for seat, row in rows.items() if (found := self.due(row))}
        staked = {seat: self.stakes(rows[seat]) for seat in due}
        payouts = {seat: PayoutCalculator(self.house, self.meters) for seat in due}
        for wagers in self.house.game.passes:
            for seat in sorted(due, reverse=True):
                for wager in wagers:
                    if wager in due[seat]:
                        result = due[seat][wager]
                        paid = payouts[seat].pay(result, staked[seat][wager])
                        self.note(number, seat, wager, paid, change)
        self.pay_envy(codes, change)
        return change

    def stakes(self, row: Sequence[int]) -> dict[str, Cents]:
        """Everything that a seat has staked."""
        multiples, _ = self.game.main(row[0])
        main = {wager: times * self.seating.ante for wager, times in multiples.items()}
        return {**main, **self.seating.stakes}

    def wins(self, place: int, code: int) -> tuple[Result, ...]:
        """What a code wins of what is staked; the main game's place is 0, then side wagers'."""
        key = place, code
        if key not in self._wins:
            if place:
                facts: Facts | None = self.game.sides[place - 1].facts[code]
                staked = set(self.seating.stakes)
            else:
                multiples, facts = self.game.main(code)
                staked = set(multiples)
            assert facts is not None, f"code {code} at {place} is of facts that cannot be"
            self._wins[key] = tuple(
                result
                for result in self.house.settle(facts)
                if result.wager in staked and result.outcome == "win"
            )
        return self._wins[key]

    def due(self, row: Sequence[int]) -> dict[str, Result]:
        """What a meter pays, and where the payout limit may cut, all that it covers."""
        cut = self.worth.limit < NO_LIMIT and self.covered(row) > self.worth.limit
        return {
            result.wager: result
            for place in (range(len(row)) if cut else self._metered)
            for result in self.wins(place, row[place])
            if result.pays.unit == "percent" or (cut and self._payouts.is_limited(result.wager))
        }

    def covered(self, row: Sequence[int]) -> Cents:
        """Winnings of a seat that the payout limit reaches."""
        sides = zip(self._sides, row[1:], strict=True)
        covered = sum(side[code][seats.COVERED] for side, code in sides)
        return self._main[row[0]][seats.COVERED] + covered

    def note(
        self, number: int, seat: int, wager: str, paid: Payment, change: SettlementAdjustment
    ) -> None:
        """Meter awards are added, amounts withheld by the payout limit are subtracted."""
        if paid.from_meter is None:
            change.add(seat, wager, -paid.withheld)
        else:
            change.add(seat, wager, paid.returned)
            self.hits.append(MeterHit(paid.from_meter.meter, number, seat, paid.returned))

    def pay_envy(self, codes: Sequence[Sequence[int]], change: SettlementAdjustment) -> None:
        """Envy as the table pays it; every seat is another person."""
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
        found = {
            seat: hand
            for seat, hand in hands.items()
            if house.envy_line(hand) and payout.is_envy_holder(house, boxes[seat])
        }
        for holder in sorted(found, reverse=True):
            for bonus in payout.envy_bonuses(house, boxes, holder, found[holder]):
                change.envy[bonus.seat] = change.envy.get(bonus.seat, 0) + bonus.paid
