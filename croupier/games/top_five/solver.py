"""Solver of Top Five: one decision on seven own cards, of which only the live ones matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel, payoffs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.live_cards import live_card_counts as live
from croupier.analysis.result_builder import (
    EMPTY_TALLY,
    FactsCounts,
    RoundTally,
    build_solution,
    tally_rounds,
)
from croupier.analysis.results import ChartRow, CloseDecision, StreetSummary
from croupier.analysis.solution import Advice, Solution, rank_options
from croupier.cards import NAMES, Card
from croupier.games import FactsSpace, House, Versus
from croupier.games.top_five.form import TopFiveChoices
from croupier.games.top_five.game import FOLDED, LiveCardContest
from croupier.money import Cents
from croupier.ranking import LOWEST_LIVE_RANK, live_card_value

Longs = NDArray[np.int64]

HAND = 7  # the largest hand
FIRST_LIVE = LOWEST_LIVE_RANK * 4
LIVE = 52 - FIRST_LIVE
DEAD = FIRST_LIVE


class Sizes(NamedTuple):
    """Cards per player and dealer: seven each, unless a proposal deals other numbers."""

    own: int
    dealer: int

    @property
    def opponents(self) -> int:
        """The number of dealer hands, given a player's hand."""
        return comb(52 - self.own, self.dealer)

    @property
    def deals(self) -> int:
        """The number of pairs of a player's and a dealer's hand."""
        return comb(52, self.own) * self.opponents


def sizes_of(house: House) -> Sizes:
    """The hand sizes of a House."""
    return Sizes(house.game.player_cards, house.game.dealer_cards)


class Sets(NamedTuple):
    """All sets of up to seven live cards, smallest first."""

    masks: NDArray[np.int32]
    sizes: Longs
    starts: Longs  # by size
    least: NDArray[np.int32]  # the least mask under suit permutations


@cache
def live_sets() -> Sets:
    """137,980 sets: bit 4 * (rank - ten) + suit."""
    listed = [
        sum(1 << card for card in chosen)
        for size in range(HAND + 1)
        for chosen in combinations(range(LIVE), size)
    ]
    masks = np.array(listed, np.int32)
    sizes = np.bitwise_count(masks).astype(np.int64)
    least = masks.copy()
    for order in deals.suit_orders():
        renamed = np.zeros_like(masks)
        for card in range(LIVE):
            renamed |= (masks >> card & 1) << int(card >> 2 << 2 | order[card & 3])
        np.minimum(least, renamed, out=least)
    return Sets(masks, sizes, np.searchsorted(sizes, np.arange(HAND + 2)), least)


def least_mask(cards: Sequence[Card]) -> int:
    """The live cards of a hand, as the least mask under suit permutations."""
    return renamed_mask(cards, least_order(cards))


def least_order(cards: Sequence[Card]) -> list[int]:
    """The suit permutation that gives a hand the least mask."""
    orders: list[list[int]] = deals.suit_orders().tolist()
    return min(orders, key=lambda order: renamed_mask(cards, order))


def renamed_mask(cards: Sequence[Card], order: Sequence[int]) -> int:
    """The live cards of a hand as a mask, after a suit permutation."""
    held = [card - FIRST_LIVE for card in cards if card >= FIRST_LIVE]
    return sum(1 << (card >> 2 << 2 | order[card & 3]) for card in held)


def held_cards(mask: int) -> list[Card]:
    """The cards of a set, best first."""
    return [FIRST_LIVE + card for card in range(LIVE - 1, -1, -1) if mask >> card & 1]


# Standings as numbered by the kernel: by count, then by rank.
STANDINGS: tuple[tuple[Versus, Versus], ...] = (
    ("behind", "tied"),
    ("ahead", "tied"),
    ("tied", "behind"),
    ("tied", "tied"),
    ("tied", "ahead"),
)


def contest_codes(space: FactsSpace[LiveCardContest]) -> Longs:
    """The codes of all showdowns: [dealer qualifies, standing]."""
    return np.array(
        [
            [space.code(LiveCardContest(False, qualifies, *standing)) for standing in STANDINGS]
            for qualifies in (False, True)
        ]
    )


class TopFiveStrategy:
    """The optimal strategy: play or fold for every set of live cards."""

    def __init__(
        self, house: House[TopFiveChoices], arrays: Mapping[str, Any], ante: Cents | None = None
    ) -> None:
        self.house = house
        self.arrays = arrays
        self.opponents = sizes_of(house).opponents
        (self.street,) = house.game.streets
        (self.bet,) = payoffs.bet_options(self.street.options)
        self.fold = payoffs.payoffs_at(house, ante).net(FOLDED, payoffs.opening_stakes(house.game))

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Both options with their exact value, best first."""
        at = int(np.searchsorted(self.arrays["masks"], least_mask(cards)))
        worth = Fraction(int(self.arrays["totals"][at]), self.opponents * int(self.arrays["scale"]))
        return rank_options([("fold", 0, self.fold), (self.bet.word, self.bet.times, worth)])

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The word of the best option."""
        return self.ask(street, cards, community)[0].option


class Players(NamedTuple):
    """Isomorphism classes of a player's live cards, and the values of all sets of live cards."""

    masks: NDArray[np.int32]
    first: Longs  # index of each class into `live_sets`
    orbit: Longs  # sets per class
    values: NDArray[np.int32]
    all_values: NDArray[np.int32]
    qualifying: int


def players_up_to_suits(house: House[TopFiveChoices]) -> Players:
    """7,362 classes; values are dense ranks, because only their order matters."""
    return _players(*_reading(house))


def _reading(house: House[TopFiveChoices]) -> tuple[bool, int]:
    """What the order of hands depends on: whether extra cards break ties, and the qualifier."""
    qualifier = house.game.qualifier
    return house.choices.tie_break_extra_cards, qualifier.value if qualifier else 0


@lru_cache(maxsize=4)
def _players(extra_cards: bool, qualifier: int) -> Players:
    sets = live_sets()
    players, first, orbit = np.unique(sets.least, return_index=True, return_counts=True)
    values = np.array(
        [live_card_value(held_cards(mask), extra_cards) for mask in players.tolist()], np.int64
    )
    places, dense = np.unique(values, return_inverse=True)
    qualifying = int(np.searchsorted(places, qualifier))
    all_values = dense[np.searchsorted(players, sets.least)].astype(np.int32)
    return Players(players, first, orbit, dense.astype(np.int32), all_values, qualifying)


def dead_ways(dead: int, cards: int) -> list[int]:
    """Ways to complete a hand with dead cards, by the number of its live cards."""
    return [comb(dead, cards - live) if live <= cards else 0 for live in range(HAND + 1)]


def hands_of(players: Players, own: int) -> Longs:
    """The number of hands of `own` cards in each class."""
    dead_sets = np.array(dead_ways(DEAD, own), np.int64)
    counted: Longs = players.orbit * dead_sets[live_sets().sizes[players.first]]
    return counted


def count_facts(
    space: FactsSpace[LiveCardContest], house: House[TopFiveChoices]
) -> tuple[Longs, Longs, Longs]:
    """Classes of live cards, hands per class, and dealer hands by code of facts."""
    dealt = sizes_of(house)
    players = players_up_to_suits(house)
    contests = tuple(map(tuple, contest_codes(space).tolist()))
    counts = _counts(*_reading(house), dealt, len(space), contests)
    possible = live_sets().sizes[players.first] <= dealt.own
    return (
        players.masks[possible].astype(np.int64),
        hands_of(players, dealt.own)[possible],
        counts[possible],
    )


@lru_cache(maxsize=4)
def _counts(
    extra_cards: bool,
    qualifier: int,
    dealt: Sizes,
    codes: int,
    contests: tuple[tuple[int, ...], ...],
) -> Longs:
    """Dealer hands by class of live cards and code, cached because no payout matters."""
    sets, players = live_sets(), _players(extra_cards, qualifier)
    ways = np.array(
        [dead_ways(DEAD - max(0, dealt.own - own), dealt.dealer) for own in range(HAND + 1)],
        np.int64,
    )
    apart_sets = np.array(
        [[comb(LIVE - own, other) for other in range(HAND + 1)] for own in range(HAND + 1)],
        np.int64,
    )
    sure = np.minimum.reduceat(players.all_values, sets.starts[:-1]) >= players.qualifying
    sizes, by_standing = sets.sizes[players.first], np.array(contests, np.int64)
    counts = np.zeros((len(players.masks), codes), np.int64)
    parallel.parallel_for(
        len(players.masks),
        lambda low, high: live.count_against(
            low, high, players.masks, sizes, players.values, sets.masks, players.all_values,
            sets.starts, players.qualifying, apart_sets, sure, ways, by_standing, counts,
        ),
    )  # fmt: skip
    counts.flags.writeable = False  # the cached array is shared
    return counts


def solve(
    house: House[TopFiveChoices],
    distribution: bool,
    report: parallel.Progress = parallel.no_progress,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution of Top Five."""
    (street,) = house.game.streets
    (bet,) = payoffs.bet_options(street.options)
    stakes = payoffs.opening_stakes(house.game)
    space = FactsSpace.of(house.every_facts(), LiveCardContest)
    payoff_table = payoffs.payoffs_at(house, ante)
    row = payoff_table.by_code(space, {**stakes, bet.wager: bet.times})
    fold = row[space.code(FOLDED)]
    scaled = payoffs.ScaledPayoffs([row])
    report(0.0, "live cards")
    players, hands, counts = count_facts(space, house)
    opponents, every_deal = sizes_of(house).opponents, sizes_of(house).deals
    assert (counts.sum(axis=1) == opponents).all(), "every dealer hand once"
    totals = counts @ scaled.values[0]
    cost = int(fold * scaled.scale) * opponents
    plays = totals > cost
    worth = np.where(plays, totals, cost).tolist()
    # Python integers: the sum is beyond 64 bits.
    ev = Fraction(
        sum(value * count for value, count in zip(worth, hands.tolist(), strict=True)),
        every_deal * scaled.scale,
    )
    arrays = {"masks": players, "totals": totals, "scale": np.int64(scaled.scale)}
    rounds = EMPTY_TALLY
    if distribution:
        report(0.6, "distribution")
        summary = StreetSummary(
            street=street.name,
            situations=len(players),
            actions={bet.word: int(plays.sum()), "fold": int((~plays).sum())},
            marginal=_marginal(players, totals - cost, opponents * scaled.scale),
        )
        rounds = _play_out(payoff_table, space, summary, counts, hands, plays)
    chart = [
        ChartRow(
            hand=" ".join(NAMES[card] for card in held_cards(mask)) or "none live",
            deals=count,
            options={bet.word: Fraction(total, opponents * scaled.scale), "fold": fold},
            best=bet.word if play else "fold",
        )
        for mask, count, total, play in zip(
            players.tolist(), hands.tolist(), totals.tolist(), plays.tolist(), strict=True
        )
    ]
    report(1.0, "solved")
    return build_solution(
        house,
        ev=ev,
        deals=every_deal,
        chart=chart,
        strategy=TopFiveStrategy(house, arrays, ante),
        rounds=rounds,
    )


def _play_out(
    payoff_table: payoffs.Payoffs,
    space: FactsSpace[LiveCardContest],
    summary: StreetSummary,
    counts: Longs,
    hands: Longs,
    plays: NDArray[np.bool_],
) -> RoundTally:
    """Distribution, action frequencies and average wager under optimal play."""
    (street,) = payoff_table.house.game.streets
    (bet,) = payoffs.bet_options(street.options)
    stakes = payoffs.opening_stakes(payoff_table.house.game)
    dealt = sizes_of(payoff_table.house)
    times = hands[plays].tolist()
    # Python integers: the sums are beyond 64 bits.
    stayed = [
        sum(count * hand for count, hand in zip(column, times, strict=True))
        for column in counts[plays].T.tolist()
    ]
    folded = [0] * len(space)
    folded[space.code(FOLDED)] = int(hands[~plays].sum()) * dealt.opponents
    occurrences = [
        FactsCounts({**stakes, bet.wager: bet.times}, stayed),
        FactsCounts(stakes, folded),
    ]
    share = Fraction(sum(folded), dealt.deals)
    actions = {street.name: {bet.word: 1 - share, "fold": share}}
    return tally_rounds(payoff_table, space, occurrences, dealt.deals, actions, [summary])


def _marginal(players: Longs, gains: Longs, unit: int) -> tuple[CloseDecision, ...]:
    nearest = np.argsort(np.abs(gains), kind="stable")[:10].tolist()
    return tuple(
        CloseDecision(
            " ".join(NAMES[card] for card in held_cards(int(players[at]))),
            "",
            Fraction(int(gains[at]), unit),
        )
        for at in nearest
    )
