"""Side wagers, exactly: counts of named hands, valued line by line by the House's own `settle`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from croupier.games import House, Result
from croupier.games.expected_returns import (
    FoldedHands,
    amount_returned,
    is_forfeited_by_fold,
    occurrences_with_folds,
    precomputed_folds,
    reference_stake,
    wager_hand_counts,
)
from croupier.games.payout import PayoutCalculator
from croupier.money import Cents

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
class JointResult:
    """The main game and a wager that a fold forfeits, of one ante, by the odds alone."""

    ante: Cents
    ev: Fraction  # played for the sum of both
    apart: Fraction  # the same sum, the main game played as if there were no such wager

    @property
    def gain(self) -> Fraction:
        """What it adds to think of the wager before folding."""
        return self.ev - self.apart


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
    deals: int  # equally likely ones behind the fractions
    per_cent_staked: Fraction = Fraction(0)
    meters: dict[str, MeterWorth] = field(default_factory=dict)
    envy: dict[int, Fraction] = field(default_factory=dict)  # by number of other players
    envy_upper_bound: bool = False  # folded boxes neither give nor receive, but are counted here
    upper_bound: bool = False  # a fold would forfeit what is counted here
    together: JointResult | None = None  # where a fold forfeits it and the game knows how

    @property
    def standard_deviation(self) -> float:
        """The deviation of one wager, printed."""
        return sqrt(self.variance)

    @property
    def shares(self) -> dict[Fraction, Fraction]:
        """How often each net result of one unit comes, envy apart."""
        found: dict[Fraction, Fraction] = {}
        for line in self.lines:
            if line.probability:
                net = line.contribution / line.probability - 1
                found[net] = found.get(net, Fraction(0)) + line.probability
        lost = 1 - sum(found.values(), Fraction(0))
        found[Fraction(-1)] = found.get(Fraction(-1), Fraction(0)) + lost
        return found


def paid_back(house: House, result: Result, stake: Cents, offered: bool) -> Fraction:
    """What comes back, in cents, by the odds alone.

    As offered, it is what the cashier pays: rounded, and under the limit on this wager alone.
    """
    if offered and result.pays.unit != "percent":
        return Fraction(PayoutCalculator(house, {}).pay(result, stake).returned)
    return amount_returned(house, result, stake)


def analyze_side_wager(
    house: House,
    wager: str,
    folded: FoldedHands | None = None,
    offered: bool = False,
    enviable: Mapping[str, Fraction] | None = None,
) -> SideResult:
    """The exact worth of an offered side wager.

    Where a fold forfeits it, the folds of the best main play count, if they are known: kept, or
    given as `folded`. `enviable` is how often each hand of another player pays envy where boxes
    that fold have none. `offered` rounds and limits as the cashier does.
    """
    stake = reference_stake(house, wager)
    forfeited = is_forfeited_by_fold(house, wager)
    if forfeited and folded is None:
        folded = precomputed_folds(house, wager)
    total = folded.deals if folded else sum(wager_hand_counts(house, wager).values())
    sums = _add_up(house, wager, folded, stake, offered)
    ev = sums.mean / total - 1
    shares = {meter: count / total for meter, count in sums.meters.items()}
    dollars = sums.dollars / total
    return SideResult(
        wager=wager,
        letter=house.paytable(wager).letter,
        stake=stake,
        ev=ev,
        hit_frequency=Fraction(sums.hits, total),
        variance=sums.squares / total - (ev + 1) ** 2,
        lines=[
            SideLine(
                hand=line.hand,
                pays=str(line.pays),
                probability=Fraction(sums.counts[line.clause], total),
                contribution=sums.backs[line.clause] / total,
            )
            for line in house.paytable(wager).lines
        ],
        fixed=ev - dollars / stake,
        deals=total,
        per_cent_staked=dollars,
        meters=_meters(house, ev, stake, shares),
        envy=_envy(house, wager, stake, enviable),
        envy_upper_bound=enviable is None and folds_end_envy(house, wager),
        upper_bound=folded is None and forfeited,
    )


@dataclass(slots=True)
class _Sums:
    """What all deals bring, in units staked; lines by their clauses."""

    mean: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    hits: int = 0
    dollars: Fraction = Fraction(0)  # cents that do not depend on the stake
    meters: dict[str, Fraction] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    backs: dict[str, Fraction] = field(default_factory=dict)


def _add_up(
    house: House,
    wager: str,
    folded: FoldedHands | None,
    stake: Cents,
    offered: bool,
) -> _Sums:
    lines = house.paytable(wager).lines
    sums = _Sums(
        counts={line.clause: 0 for line in lines},
        backs={line.clause: Fraction(0) for line in lines},
    )
    for facts, _, count in occurrences_with_folds(house, wager, folded):
        (result,) = house.settle(facts)
        back = paid_back(house, result, stake, offered) / stake
        sums.mean += count * back
        sums.squares += count * back**2
        if result.outcome == "lose":
            continue
        sums.hits += count if result.outcome == "win" else 0
        sums.counts[result.clause] += count
        sums.backs[result.clause] += count * back
        if result.pays.unit == "percent":
            share = Fraction(count * result.pays.win, 100)
            sums.meters[result.pays.meter] = sums.meters.get(result.pays.meter, 0) + share
        elif result.pays.unit == "dollars":
            sums.dollars += count * (back - 1) * stake
    return sums


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


def _envy(
    house: House, wager: str, stake: Cents, enviable: Mapping[str, Fraction] | None
) -> dict[int, Fraction]:
    """What envy adds per unit staked, by the number of other players whose hands count."""
    if not has_envy(house, wager):
        return {}
    if enviable is None:
        counts = wager_hand_counts(house, wager)
        total = sum(counts.values())
        enviable = {hand: Fraction(count, total) for hand, count in counts.items()}
    one = Fraction(0)
    for hand, share in enviable.items():
        line = house.envy_line(hand)
        if line is not None:
            one += share * line.pays.winnings(stake) / stake
    return {others: others * one for others in OTHER_PLAYERS}


def has_envy(house: House, wager: str) -> bool:
    """Whether a wager brings envy here."""
    return wager == "progressive" and house.envy_paytable() is not None


def folds_end_envy(house: House, wager: str) -> bool:
    """Whether a folded box neither gives nor receives envy here (A53)."""
    terms = house.progressive
    ended = terms is not None and terms.envy is not None and not terms.envy.on_folded_hand
    return ended and has_envy(house, wager)
