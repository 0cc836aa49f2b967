"""Side wagers, exactly: counts of named hands, valued line by line by the House's own `settle`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import msgspec

from croupier.games.facts import VERSUS, Facts, Posted, Result
from croupier.games.hands import ROYAL_FLUSH, ROYALS
from croupier.games.house import House
from croupier.games.ultimate_texas_holdem import BadBeat
from croupier.money import Cents
from croupier.study.census import Counts, counts
from croupier.study.forfeits import Folded
from croupier.study.forfeits import kept as kept_folds
from croupier.table.events import WagerSettled
from croupier.table.payout import Cashier

# What each wager is judged on; a progressive's basis is the operator's choice.
BASES = {
    "trips": "seven",
    "player_bonus": "seven",
    "six_card_bonus": "six",
    "ultimate_pairs": "pocket_and_dealer",
    "texas_holdem_bonus": "pocket_and_dealer",
    "ultimate_pairs_bonus": "pocket",
    "bad_beat": "bad_beat",
    "play_the_board": "five",
    "five_card_bonus": "five",
    "top_five_bonus": "live_count",
    "poker_bonus": "live_hand",
    "own_two_plus_flop": "five",
    "own_two_plus_first_three": "five",
    "first_run": "five",
    "best_five_of_seven": "seven",
    "higher_run": "higher_run",
}
OTHER_PLAYERS = range(1, 6)
DEFAULT_STAKE: Cents = 5_00  # of a wager that pays dollars, where no limit says otherwise (A20)


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
    envy_upper_bound: bool = False  # folded boxes neither give nor receive, but are counted here
    upper_bound: bool = False  # a fold would forfeit what is counted here

    @property
    def standard_deviation(self) -> float:
        """The deviation of one wager, printed."""
        return sqrt(self.variance)


def basis(house: House, wager: str) -> str:
    """The name of the counts behind a wager in this House."""
    name = BASES[house.choice("progressive_basis") if wager == "progressive" else wager]
    ace_high = house.choices.get("ace_low_straight") is False
    return f"{name}_ace_high" if ace_high and name in ("five", "seven", "higher_run") else name


def named_counts(house: House, wager: str) -> Counts:
    """Counts by the names that this wager's facts carry."""
    found = counts(basis(house, wager))
    if any(line.hand in ROYALS for line in house.paytable(wager).lines):
        return found
    merged: Counts = {}
    for hand, count in found.items():
        name = ROYAL_FLUSH if hand in ROYALS else hand
        merged[name] = merged.get(name, 0) + count
    return merged


def occurrences(house: House, wager: str) -> Iterator[tuple[Facts, str, int]]:
    """The facts of a wager, the hand as it is named, and how often they come."""
    for hand, count in named_counts(house, wager).items():
        if wager == "bad_beat":
            standing, player, dealer = hand.split("/")
            at = VERSUS[VERSUS.index(standing)]
            yield BadBeat(at, player, dealer, folded=False), hand, count
        else:
            yield Posted(wager, hand), hand, count


def stake_of(house: House, wager: str) -> Cents:
    """The stake a wager is studied at: the progressive's own, or the least that is taken."""
    if wager == "progressive":
        return int(house.choice("progressive_stake"))
    limits = house.limits.get(wager)
    return limits.minimum if limits else DEFAULT_STAKE


def returned(house: House, result: Result, stake: Cents, offered: bool = False) -> Fraction:
    """Everything that comes back, in cents; a meter is at its reset amount and keeps the stake.

    As offered, it is what the cashier pays: rounded, and under the limit on this wager alone.
    """
    if offered and result.pays.unit != "percent":
        (paid,) = Cashier(house, {}).pay(1, result, stake)
        assert isinstance(paid, WagerSettled)
        return Fraction(paid.returned)
    if result.outcome == "lose":
        return Fraction(0)
    if result.outcome == "push":
        return Fraction(stake)
    if result.pays.unit == "percent":
        return Fraction(house.meters[result.pays.meter].reset * result.pays.win, 100)
    return stake + result.pays.winnings(stake)


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


def study(
    house: House,
    wager: str,
    folded: Folded | None = None,
    offered: bool = False,
    enviable: Mapping[str, Fraction] | None = None,
) -> SideResult:
    """The exact worth of an offered side wager.

    Where a fold forfeits it, the folds of the best main play count, if they are known: kept, or
    given as `folded`. `enviable` is how often each hand of another player pays envy where boxes
    that fold have none. `offered` rounds and limits as the cashier does.
    """
    stake = stake_of(house, wager)
    forfeited = fold_forfeits(house, wager)
    if forfeited and folded is None:
        folded = kept_folds(house, wager)
    total = folded.deals if folded else sum(named_counts(house, wager).values())
    met = with_folds(house, wager, folded) if folded else occurrences(house, wager)
    sums = _add_up(house, wager, met, stake, offered)
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
    met: Iterable[tuple[Facts, str, int]],
    stake: Cents,
    offered: bool,
) -> _Sums:
    lines = house.paytable(wager).lines
    sums = _Sums(
        counts={line.clause: 0 for line in lines},
        backs={line.clause: Fraction(0) for line in lines},
    )
    for facts, _, count in met:
        (result,) = house.settle(facts)
        back = returned(house, result, stake, offered) / stake
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


def _envy(
    house: House, wager: str, stake: Cents, enviable: Mapping[str, Fraction] | None
) -> dict[int, Fraction]:
    """What envy adds per unit staked, by the number of other players whose hands count."""
    if not has_envy(house, wager):
        return {}
    if enviable is None:
        counts = named_counts(house, wager)
        total = sum(counts.values())
        enviable = {hand: Fraction(count, total) for hand, count in counts.items()}
    one = Fraction(0)
    for hand, share in enviable.items():
        line = house.envy_line(hand, stake)
        if line is not None:
            one += share * line.pays.winnings(stake) / stake
    return {others: others * one for others in OTHER_PLAYERS}


def folds_end_envy(house: House, wager: str) -> bool:
    """Whether a folded box neither gives nor receives envy here (A53)."""
    return has_envy(house, wager) and not house.choices.get("envy_on_folded_hand", True)


def has_envy(house: House, wager: str) -> bool:
    """Whether a wager brings envy here."""
    from croupier.rulebook.paytables import letters

    if wager != "progressive" or "envy_schedule" not in house.choices:
        return False
    stake = house.choice("progressive_stake") // 100
    wanted = f"{house.choice('envy_schedule')}{stake}"
    return wanted in letters(house.game.key, "envy")


def offered(house: House) -> list[str]:
    """The side wagers of a House, in the game's order."""
    return [
        wager.name
        for wager in house.game.wagers
        if wager.role in ("optional", "progressive") and house.offers(wager.name)
    ]
