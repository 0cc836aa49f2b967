"""Solver of games with one Play bet, which is larger the earlier it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel, payoffs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.enumerate.showdown_counts import BETS
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.result_builder import (
    EMPTY_TALLY,
    FactsCounts,
    RoundTally,
    build_solution,
    tally_rounds,
)
from croupier.analysis.results import ChartRow, StreetSummary
from croupier.analysis.solution import Advice, Solution, rank_options
from croupier.analysis.solvers import board_enumeration, starting_hands
from croupier.analysis.solvers.street_summaries import flop_summary, river_summary
from croupier.cards import Card
from croupier.games import FactsSpace, House, Option
from croupier.games.holdem import Contest
from croupier.money import Cents
from croupier.ranking import category, poker_value

Longs = NDArray[np.int64]

OPPONENTS = 990


class PlayRules:
    """Streets and payoffs of a House in kernel form, at exact odds or as paid at an ante."""

    def __init__(self, house: House, ante: Cents | None = None) -> None:
        opening, flop, river = house.game.streets
        self.house = house
        self.money = payoffs.payoffs_at(house, ante)
        self.opening, self.flop, self.river = opening, flop, river
        assert (flop.shown, river.shown) == (3, 5) and opening.shown in (0, 1), "other streets"
        self.opening_bets: list[Option] = payoffs.bet_options(opening.options)
        (self.flop_bet,) = payoffs.bet_options(flop.options)
        (self.river_bet,) = payoffs.bet_options(river.options)
        self.stakes = payoffs.opening_stakes(house.game)
        # Row 0 is the river, row 1 the flop, then the opening bets.
        self.bets = [self.river_bet, self.flop_bet, *self.opening_bets]
        self.space = FactsSpace.of(house.every_facts(), Contest)
        self.codes = payoffs.contest_codes(self.space)
        rows = [self.money.by_code(self.space, self.staked(bet)) for bet in self.bets]
        self.fold = rows[0][self.codes.folded]
        scaled = payoffs.scale_to_int32(rows, OPPONENTS)
        self.scale = scaled.scale
        self.pay = np.ascontiguousarray(scaled.values[:, self.codes.showdowns])
        self.floor = int(self.fold * self.scale) * OPPONENTS
        qualifier = house.game.qualifier
        self.qualifying = qualifier.value if qualifier else 0  # least qualifying dealer value

    def staked(self, bet: Option) -> dict[str, int]:
        """Return the stakes on the table after a bet."""
        return {**self.stakes, bet.wager: bet.times}

    @property
    def openings(self) -> starting_hands.StartingHandClasses:
        """What is known at the first decision."""
        if self.opening.shown == 0:
            return starting_hands.hand_classes()
        return starting_hands.hand_and_card_classes()

    @property
    def first_cards(self) -> int:
        """How many flop cards may have been shown first: 3 if one is shown, else 1."""
        return 3 if self.opening.shown else 1


class PayoffBasis(NamedTuple):
    """Payoff rows that a game is solved with, and opening bets as linear combinations of them.

    Rows are the river, which may be folded, the flop, the river bet without a fold, then others.
    By the odds every bet is a linear combination of the last two: 4x is three times 2x less two
    times 1x. An opening bet that is not, as where winnings are rounded, has its own row.
    """

    pay: Longs
    mixes: list[Longs]

    def floors(self, rules: PlayRules, opponents: int = OPPONENTS) -> Longs:
        """Return the floor of each row's sum over opponents; only the river row can be folded."""
        river = int(rules.fold * rules.scale) * opponents
        return np.array([river] + [board_enumeration.NO_FLOOR] * (len(self.pay) - 1), np.int64)

    def totals(self, sums: Longs) -> Longs:
        """Return totals by opening and option (check first), from sums by opening and row."""
        bets = [sums @ mix // int(mix.sum()) for mix in self.mixes]
        return np.column_stack([sums[:, 0], *bets])


def basis(rules: PlayRules) -> PayoffBasis:
    """Return a basis with as few payoff rows as possible."""
    river, flop = rules.river_bet.times, rules.flop_bet.times
    rows, mixes = [rules.pay[0], rules.pay[1], rules.pay[0]], []
    for bet, pay in zip(rules.opening_bets, rules.pay[2:], strict=True):
        mix = {1: bet.times - river, 2: flop - bet.times}
        mixed = sum(share * rows[row] for row, share in mix.items())
        if flop <= river or (mixed != (flop - river) * pay).any():
            mix = {len(rows): 1}
            rows.append(pay)
        mixes.append(mix)
    parts = [np.array([mix.get(row, 0) for row in range(len(rows))], np.int64) for mix in mixes]
    return PayoffBasis(np.array(rows), parts)


class PlayStrategy:
    """The best play of a solved House, held in arrays that fit in a file."""

    def __init__(self, house: House, arrays: Mapping[str, Any], ante: Cents | None = None) -> None:
        self.rules = PlayRules(house, ante)
        self.arrays = arrays

    def _flop_sums(self, cards: Sequence[Card], flop: Sequence[Card]) -> tuple[int, int]:
        """Sums over runouts and opponents of checking and of betting."""
        number = deals.hand_number(cards)
        board = np.array(sorted(flop), np.int64)
        rank_board = isomorphism.multiset_ids(3)[tuple(board >> 2)]
        totals = []
        for row in range(2):
            total = int(self.arrays["flop_plain"][rank_board, row, deals.hand_ranks()[number]])
            for suit in range(4):
                seen = isomorphism.suit_view_number(flop, suit)
                if seen >= 0:
                    kind = deals.hand_types()[suit, number]
                    total += int(self.arrays["flop_suited"][seen, row, kind])
            totals.append(total)
        return totals[0], totals[1]

    def _river_bets(self, cards: Sequence[Card], board: Sequence[Card]) -> bool:
        """Whether the river bet is worth more than folding, by table."""
        number = deals.hand_number(cards)
        for suit in range(4):
            inside = sum(1 << (card >> 2) for card in board if card & 3 == suit)
            if inside.bit_count() >= 3:
                outside = sorted(card >> 2 for card in board if card & 3 != suit)
                row = isomorphism.flush_board_number(inside, outside)
                return (
                    int(self.arrays["river_suited"][row, deals.hand_types()[suit, number]]) == BETS
                )
        row = int(isomorphism.multiset_ids(5)[tuple(card >> 2 for card in board)])
        return int(self.arrays["river_plain"][row, deals.hand_ranks()[number]]) == BETS

    def _opening(self, cards: Sequence[Card], community: Sequence[Card]) -> int:
        known = community[0] if self.rules.opening.shown else 0
        return int(self.rules.openings.ids[known, deals.hand_number(cards)])

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Every legal option with its exact worth, best first."""
        rules = self.rules
        if street == rules.opening.name:
            seen = self._opening(cards, community)
            deals_per_hand = int(self.arrays["opening_deals"]) * rules.scale
            sums = self.arrays["opening_totals"][seen].tolist()
            size = int(rules.openings.sizes[seen])
            words = [("check", 0)] + [(bet.word, bet.times) for bet in rules.opening_bets]
            return rank_options(
                (word, times, Fraction(total, deals_per_hand * size))
                for (word, times), total in zip(words, sums, strict=True)
            )
        if street == rules.flop.name:
            check, bet = self._flop_sums(cards, community)
            total = comb(47, 2) * OPPONENTS * rules.scale
            option = rules.flop_bet
            return rank_options(
                [
                    ("check", 0, Fraction(check, total)),
                    (option.word, option.times, Fraction(bet, total)),
                ]
            )
        river = rules.river_bet
        worth = river_worth(rules, cards, community)
        return rank_options(
            [
                ("fold", 0, rules.fold),
                (river.word, river.times, Fraction(worth, OPPONENTS * rules.scale)),
            ]
        )

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The best option's word."""
        rules = self.rules
        if street == rules.opening.name:
            option = int(self.arrays["opening_best"][self._opening(cards, community)])
            return rules.opening_bets[option - 1].word if option else "check"
        if street == rules.flop.name:
            check, bet = self._flop_sums(cards, community)
            return rules.flop_bet.word if bet > check else "check"
        return rules.river_bet.word if self._river_bets(cards, community) else "fold"


def river_worth(rules: PlayRules, cards: Sequence[Card], board: Sequence[Card]) -> int:
    """The sum of the river's payoffs over all 990 opponents, one by one."""
    own = poker_value((*cards, *board))
    row = rules.pay[0, category(own)].tolist()
    left = [card for card in range(52) if card not in cards and card not in board]
    total = 0
    for at, first in enumerate(left):
        for second in left[:at]:
            value = poker_value((first, second, *board))
            standing = (own > value) - (own < value) + 1
            total += row[3 * (value >= rules.qualifying) + standing]
    return int(total)


def solve(
    house: House,
    distribution: bool,
    report: parallel.Progress = parallel.no_progress,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution of a one-Play-bet game."""
    rules = PlayRules(house, ante)
    report(0.0, "boards")
    rows = basis(rules)
    boards = board_enumeration.showdowns(rows.pay, rows.floors(rules), rules.qualifying)
    report(0.4, "flops")
    (flops,) = boards.sums
    gains, totals = decide(rules, rows, flops)
    best = best_openings(totals)
    every_deal = total_deals(rules)
    chosen = np.take_along_axis(totals, best[:, None], 1)
    ev = Fraction(sum(chosen[:, 0].tolist()), every_deal * rules.scale)
    strategy = PlayStrategy(
        house,
        {
            "flop_plain": flops.plain[:, :2].copy(),
            "flop_suited": flops.suited[:, :2].copy(),
            "river_plain": boards.plain_above,
            "river_suited": boards.suited_above,
            "opening_totals": totals,
            "opening_best": best,
            "opening_deals": np.int64(_deals_per_opening(rules)),
        },
        ante,
    )
    rounds = EMPTY_TALLY
    if distribution:
        report(0.6, "distribution")
        unit = comb(47, 2) * OPPONENTS * rules.scale
        river = rules.river.name, rules.river_bet.word
        streets = [
            flop_summary(rules.flop.name, rules.flop_bet.word, gains, unit),
            river_summary(*river, boards, OPPONENTS * rules.scale),
        ]
        rounds = _play_out(rules, best, gains, every_deal, streets)
    chart = _chart(rules, totals, best)
    report(1.0, "solved")
    return build_solution(
        house, ev=ev, deals=every_deal, chart=chart, strategy=strategy, rounds=rounds
    )


def total_deals(rules: PlayRules) -> int:
    """Return the number of deals: flop, hand, first card shown (if any), runout, dealer hand."""
    return comb(52, 3) * comb(49, 2) * rules.first_cards * comb(47, 2) * OPPONENTS


def _deals_per_opening(rules: PlayRules) -> int:
    """Return the number of deals per opening, in the units of the totals."""
    if rules.opening.shown:
        return comb(49, 2) * comb(47, 2) * OPPONENTS
    return comb(50, 3) * comb(47, 2) * OPPONENTS


def decide(
    rules: PlayRules, rows: PayoffBasis, flops: board_enumeration.Sums
) -> tuple[Longs, Longs]:
    """Return the gain of betting on every flop, and the totals of each opening option."""
    boards, ids = deals.early_boards(3).cards, rules.openings.ids
    gains = np.zeros((len(boards), deals.HANDS), np.int64)
    parts: list[Longs] = []

    def decide_slice(first: int, last: int) -> None:
        part = np.zeros((len(ids), len(rows.pay), deals.HANDS), np.int64)
        parts.append(part)
        deals.decide_flops(
            range(first, last), board_enumeration.rank_ids(3), flops.plain, flops.suited,
            rules.first_cards, gains, part,
        )  # fmt: skip

    parallel.parallel_for(len(boards), decide_slice, parts=8)
    totals = np.zeros((len(rules.openings.names), len(rows.pay)), np.int64)
    dealt = ids >= 0
    np.add.at(totals, ids[dealt], np.sum(parts, axis=0).transpose(0, 2, 1)[dealt])
    return gains, rows.totals(totals)


def best_openings(totals: Longs) -> Longs:
    """The best option of each opening; the first, which risks least, among equals."""
    best: Longs = np.argmax(totals, axis=1).astype(np.int64)
    return best


def board_weights(
    rules: PlayRules, best: Longs, gains: Longs
) -> tuple[tuple[Longs, NDArray[np.int32]], list[int]]:
    """Return how often each bet reaches each board and hand, and the payoff row of each bet.

    The last is the river's, which some hands fold.
    """
    boards = deals.early_boards(3)
    # Only opening bets that are ever made get a row.
    used = sorted(set(best.tolist()) - {0})
    place = np.zeros(len(rules.opening_bets) + 1, np.int64)
    place[used] = np.arange(1, len(used) + 1)
    actions = len(used) + 2
    _, partial = isomorphism.partial_boards(3)
    plain = np.zeros((455, actions, isomorphism.RANK_PAIRS), np.int64)
    suited = np.zeros((len(partial), actions, isomorphism.HAND_TYPES), np.int64)
    frequency = np.zeros(actions, np.int64)
    deals.weigh_flops(
        boards.cards, boards.sizes, board_enumeration.rank_ids(3), board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(3), rules.openings.ids, place[best],
        gains, plain, suited, frequency,
    )  # fmt: skip
    made = [*(option + 1 for option in used), 1, 0]
    return board_enumeration.spread_weights(board_enumeration.Sums(plain, suited), 3), made


def _play_out(
    rules: PlayRules,
    best: Longs,
    gains: Longs,
    every_deal: int,
    streets: Sequence[StreetSummary],
) -> RoundTally:
    """Distribution, action frequencies and average wager of the best play."""
    weights, made = board_weights(rules, best, gains)
    tally = board_enumeration.tally(
        weights, rules.pay[0], rules.floor, rules.qualifying, rules.codes
    )
    # A hand folded on the river has not staked the river bet.
    folded = np.zeros_like(tally[-1])
    folded[rules.codes.folded] = tally[-1, rules.codes.folded]
    tally[-1] -= folded
    occurrences = [
        FactsCounts(rules.staked(rules.bets[row]), counts)
        for row, counts in zip(made, tally.tolist(), strict=True)
    ]
    occurrences.append(FactsCounts(rules.stakes, folded.tolist()))
    times = dict.fromkeys(range(len(rules.bets)), 0)
    times |= {row: int(counts.sum()) for row, counts in zip(made, tally, strict=True)}
    actions = _frequencies(rules, times, int(folded.sum()), every_deal)
    return tally_rounds(rules.money, rules.space, occurrences, every_deal, actions, streets)


def _frequencies(
    rules: PlayRules, times: Mapping[int, int], folded: int, every_deal: int
) -> dict[str, dict[str, Fraction]]:
    """Return action frequencies among the deals that reach each decision."""
    to_river = times[0] + folded
    reached_flop = to_river + times[1]
    opening = {"check": Fraction(reached_flop, every_deal)}
    opening |= {
        bet.word: Fraction(times[row], every_deal) for row, bet in enumerate(rules.opening_bets, 2)
    }
    return {
        rules.opening.name: opening,
        rules.flop.name: {
            "check": Fraction(to_river, reached_flop),
            rules.flop_bet.word: Fraction(times[1], reached_flop),
        },
        rules.river.name: {
            rules.river_bet.word: Fraction(times[0], to_river),
            "fold": Fraction(folded, to_river),
        },
    }


def _chart(rules: PlayRules, totals: Longs, best: Longs) -> list[ChartRow]:
    """Every opening with the exact worth of each option."""
    openings = rules.openings
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    per_deal = _deals_per_opening(rules) * rules.scale
    return [
        ChartRow(
            hand=name,
            deals=size,
            options={
                word: Fraction(total, per_deal * size)
                for word, total in zip(words, row, strict=True)
            },
            best=words[choice],
        )
        for name, size, row, choice in zip(
            openings.names, openings.sizes.tolist(), totals.tolist(), best.tolist(), strict=True
        )
    ]
