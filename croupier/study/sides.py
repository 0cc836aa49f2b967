"""Side wagers, exactly: counts of named hands, valued line by line by the House's own `settle`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from croupier.games import Facts, House
from croupier.games.returns import named_counts, occurrences, returned, stake_of
from croupier.money import Cents
from croupier.study.forfeits import Folded

OTHER_PLAYERS = range(1, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLine:
    """A line of a return table: how often it is hit, and what it adds to the return."""

    hand: str
    pays: str
    probability: Fraction
    contribution: Fraction  # of one unit staked, the stake included where it comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterWorth:
    """What a meter does for one wager on it."""

    coefficient: Fraction  # of the meter, paid out per wager on average
    reset: Cents
    break_even: Fraction | None  # cents in it that make the wager even, the others at reset


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """One wager under one paytable and reading, per unit staked.

    Where a line pays dollars, `per_cent_staked` says how the worth depends on the stake:
    ev = fixed + per_cent_staked / stake. Where a fold would forfeit the wager and folds were not
    counted, it is valued as carried to the end, and marked `upper_bound`.
    """

    wager: str
    letter: str
    stake: Cents
    ev: Fraction
    hit_frequency: Fraction
    variance: Fraction
    lines: list[SideLine]
    fixed: Fraction
    per_cent_staked: Fraction = Fraction(0)
    meters: dict[str, MeterWorth] = field(default_factory=dict)
    envy: dict[int, Fraction] = field(default_factory=dict)  # by number of other players
    upper_bound: bool = False  # a fold would forfeit what is counted here

    @property
    def standard_deviation(self) -> float:
        """The deviation of one wager, printed."""
        return sqrt(self.variance)


def with_folds(house: House, wager: str, folded: Folded) -> Iterator[tuple[Facts, str, int]]:
    """`occurrences` with the folded deals told apart, all in deals of the main game."""
    total = sum(named_counts(house, wager).values())
    assert folded.deals % total == 0, "a deal of the main game decides the wager"
    left = dict(folded.counts)
    for facts, hand, count in occurrences(house, wager):
        gone = left.pop(hand, 0)
        yield facts, hand, count * (folded.deals // total) - gone
        yield msgspec.structs.replace(facts, folded=True), hand, gone
    # A category without a name of its own here, such as "pair", must be one that never pays.
    assert all(house.line(wager, hand) is None for hand, count in left.items() if count)


def study(house: House, wager: str, folded: Folded | None = None) -> SideResult:
    """The exact worth of an offered side wager; with `folded`, under the best main play."""
    stake = stake_of(house, wager)
    total = folded.deals if folded else sum(named_counts(house, wager).values())
    met = with_folds(house, wager, folded) if folded else occurrences(house, wager)
    table = house.paytable(wager)
    lines: dict[str, list[Any]] = {
        line.clause: [line.hand, str(line.pays), 0, Fraction(0)] for line in table.lines
    }
    mean, squares, hits = Fraction(0), Fraction(0), 0
    dollars = Fraction(0)
    shares: dict[str, Fraction] = {}
    for facts, _, count in met:
        (result,) = house.settle(facts)
        back = returned(house, result, stake) / stake
        mean += count * back
        squares += count * back**2
        if result.outcome == "lose":
            continue
        hits += count if result.outcome == "win" else 0
        line = lines[result.clause]
        line[2] += count
        line[3] += count * back
        if result.pays.unit == "percent":
            share = Fraction(count * result.pays.win, 100 * total)
            shares[result.pays.meter] = shares.get(result.pays.meter, Fraction(0)) + share
        elif result.pays.unit == "dollars":
            dollars += Fraction(count, total) * result.pays.winnings(stake)
    ev = mean / total - 1
    return SideResult(
        wager=wager,
        letter=table.letter,
        stake=stake,
        ev=ev,
        hit_frequency=Fraction(hits, total),
        variance=squares / total - (ev + 1) ** 2,
        lines=[
            SideLine(
                hand=hand,
                pays=pays,
                probability=Fraction(count, total),
                contribution=Fraction(back) / total,
            )
            for hand, pays, count, back in lines.values()
        ],
        fixed=ev - dollars / stake,
        per_cent_staked=dollars,
        meters=_meters(house, ev, stake, shares),
        envy=_envy(house, wager, stake),
        upper_bound=folded is None and fold_forfeits(house, wager),
    )


def fold_forfeits(house: House, wager: str) -> bool:
    """Whether a fold changes what becomes of a wager here."""
    return any(
        house.settle(facts) != house.settle(msgspec.structs.replace(facts, folded=True))
        for facts, _, _ in occurrences(house, wager)
    )


def _meters(
    house: House, ev: Fraction, stake: Cents, shares: dict[str, Fraction]
) -> dict[str, MeterWorth]:
    """Each meter's part, and where it alone would make the wager even."""
    return {
        name: MeterWorth(
            coefficient=share,
            reset=house.meters[name].reset,
            break_even=house.meters[name].reset - ev * stake / share if share else None,
        )
        for name, share in shares.items()
    }


def _envy(house: House, wager: str, stake: Cents) -> dict[int, Fraction]:
    """What envy adds per unit staked, by the number of other players whose hands count."""
    if wager != "progressive" or house.envy_paytable() is None:
        return {}
    one = Fraction(0)
    total = sum(named_counts(house, wager).values())
    for hand, count in named_counts(house, wager).items():
        line = house.envy_line(hand)
        if line is not None:
            one += Fraction(count, total) * line.pays.winnings(stake) / stake
    return {others: others * one for others in OTHER_PLAYERS}
