"""Rounds that were kept whole: meters in the order of awards, envy, payout limits, to the cent.

The cashier of the table pays them, from meters that are fed as the table feeds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from croupier.games import Facts, House, Result
from croupier.money import Cents
from croupier.study.kernels import seats
from croupier.study.simulation.setup import Setup, Table, Worth
from croupier.table import Box, Cashier, Round, envy, pools
from croupier.table.events import MeterPaid, WagerSettled


class Hit(NamedTuple):
    """An award: from which meter, in which round, to whom, how much."""

    meter: str
    round: int
    seat: int
    paid: Cents


@dataclass(slots=True)
class Change:
    """What a kept round pays beside what its codes are worth, by seat and wager."""

    by_wager: dict[tuple[int, str], Cents] = field(default_factory=dict)
    envy: dict[int, Cents] = field(default_factory=dict)

    def add(self, seat: int, wager: str, cents: Cents) -> None:
        """More, or less, returned on a wager."""
        key = seat, wager
        self.by_wager[key] = self.by_wager.get(key, 0) + cents

    def of(self, seat: int) -> Cents:
        """All that changes for a seat."""
        wagers = sum(cents for (at, _), cents in self.by_wager.items() if at == seat)
        return wagers + self.envy.get(seat, 0)


class Register:
    """The meters through a simulation; rounds must come in their order. Seats count from 1."""

    def __init__(self, game: Setup, table: Table, worth: Worth) -> None:
        self.game, self.table, self.worth = game, table, worth
        self.house: House = game.house
        self.meters = {name: Fraction(cents) for name, cents in self.house.opening_meters().items()}
        self.fed = 0  # rounds whose wagers are in the meters
        self.hits: list[Hit] = []

    def feed(self, rounds: int) -> None:
        """The progressive wagers of all rounds up to one feed the meters."""
        stake = self.table.stakes.get("progressive", 0)
        staked = (rounds - self.fed) * self.table.seats * stake
        for name, amount in pools.contributions(self.house, staked, self.meters).items():
            self.meters[name] += Fraction(amount)
        self.fed = rounds

    def settle(self, number: int, codes: Sequence[Sequence[int]]) -> Change:
        """What a kept round pays beside what its codes are worth."""
        self.feed(number + 1)
        change = Change()
        staked = {seat: self.stakes(row) for seat, row in enumerate(codes, 1)}
        cashiers = {seat: Cashier(self.house, self.meters) for seat in staked}
        due = {seat: self.due(row) for seat, row in enumerate(codes, 1)}
        for wagers in self.house.game.passes:
            for seat in sorted(due, reverse=True):
                for wager in wagers:
                    if wager in due[seat]:
                        result = due[seat][wager]
                        events = cashiers[seat].pay(seat, result, staked[seat][wager])
                        self.note(number, events, result, change)
        self.pay_envy(number, codes, staked, change)
        return change

    def stakes(self, row: Sequence[int]) -> dict[str, Cents]:
        """Everything that a seat has staked."""
        multiples, _ = self.game.main(row[0])
        main = {wager: times * self.table.ante for wager, times in multiples.items()}
        return {**main, **self.table.stakes}

    def facts(self, row: Sequence[int]) -> list[Facts]:
        """The facts behind a seat's codes."""
        sides = [side.facts[code] for side, code in zip(self.game.sides, row[1:], strict=True)]
        assert None not in sides, f"{row} are codes of facts that cannot be"
        return [self.game.main(row[0])[1], *(facts for facts in sides if facts is not None)]

    def due(self, row: Sequence[int]) -> dict[str, Result]:
        """What a meter pays, and where the payout limit may cut, all that it covers."""
        covered = self.worth.main[row[0], seats.COVERED] + sum(
            self.worth.sides[at, code, seats.COVERED] for at, code in enumerate(row[1:])
        )
        cut = covered > self.worth.limit
        cashier = Cashier(self.house, {})
        staked = self.stakes(row)
        return {
            result.wager: result
            for facts in self.facts(row)
            for result in self.house.settle(facts)
            if result.wager in staked and result.outcome == "win"
            if result.pays.unit == "percent" or (cut and cashier.covered(result.wager))
        }

    def note(self, number: int, events: Sequence[object], result: Result, change: Change) -> None:
        """What is paid from a meter is more, what a limit withholds is less."""
        for event in events:
            match event:
                case WagerSettled():
                    by_meter = result.pays.unit == "percent"
                    more = event.returned if by_meter else -event.withheld
                    change.add(event.seat, event.wager, more)
                case MeterPaid():
                    self.hits.append(Hit(event.meter, number, event.seat, event.paid))

    def pay_envy(
        self,
        number: int,
        codes: Sequence[Sequence[int]],
        staked: Mapping[int, dict[str, Cents]],
        change: Change,
    ) -> None:
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
            seat: Box(
                player=str(seat),
                stakes=staked[seat],
                folded_at=self.game.folded_at.get(self.game.main(row[0])[1], ""),
            )
            for seat, row in enumerate(codes, 1)
        }
        current = Round(house=house, number=number, meters_before={}, boxes=boxes)
        found = {
            seat: hand
            for seat, hand in hands.items()
            if house.envy_line(hand) and envy.counts_as_holder(house, boxes[seat])
        }
        for holder in sorted(found, reverse=True):
            for paid in envy.pay(current, holder, found):
                change.envy[paid.seat] = change.envy.get(paid.seat, 0) + paid.paid
