"""Solver of Texas Hold 'Em Bonus: play or fold, then check or bet on the flop and the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel, payoffs
from croupier.analysis.kernels.enumerate import closest_decisions, flops, turns
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.result_builder import (
    EMPTY_TALLY,
    FactsCounts,
    RoundTally,
    build_solution,
    tally_rounds,
)
from croupier.analysis.results import ChartRow
from croupier.analysis.solution import Advice, Solution, rank_options
from croupier.analysis.solvers import board_enumeration, starting_hands
from croupier.analysis.solvers.street_summaries import flop_summary, turn_summary
from croupier.cards import Card
from croupier.errors import BadInput
from croupier.games import FactsSpace, House
from croupier.games.holdem import Contest
from croupier.money import Cents

Longs = NDArray[np.int64]

OPPONENTS = 990
ALWAYS_QUALIFIES = 0  # in this game the dealer always qualifies
FLOP_RUNOUTS = comb(47, 2) * OPPONENTS  # unordered
TURN_RUNOUTS = 46 * OPPONENTS
# Flop, hand, then turn and river in their order, and the dealer.
DEALS = comb(52, 3) * comb(49, 2) * 2 * FLOP_RUNOUTS


class TexasRules:
    """Streets and payoffs of a House in kernel form, at exact odds or as paid at an ante."""

    def __init__(self, house: House, ante: Cents | None = None) -> None:
        self.house = house
        self.preflop, self.flop, self.turn = house.game.streets
        assert [street.shown for street in house.game.streets] == [0, 3, 4], "other streets"
        (self.opening,) = payoffs.bet_options(self.preflop.options)
        (self.flop_bet,) = payoffs.bet_options(self.flop.options)
        (self.turn_bet,) = payoffs.bet_options(self.turn.options)
        self.ante = payoffs.opening_stakes(house.game)
        self.stakes = {**self.ante, self.opening.wager: self.opening.times}
        self.space = FactsSpace.of(house.every_facts(), Contest)
        self.codes = payoffs.contest_codes(self.space)
        self.money = payoffs.payoffs_at(house, ante)
        rows = [
            self.money.by_code(self.space, self.stakes),
            self.money.by_code(self.space, {self.flop_bet.wager: self.flop_bet.times}),
            self.money.by_code(self.space, {self.turn_bet.wager: self.turn_bet.times}),
        ]
        assert rows[1] == rows[2], "the Turn and River wagers must have the same payoffs"
        every = {wager: times for bet in (self.flop_bet, self.turn_bet)
                 for wager, times in ((bet.wager, bet.times),)}  # fmt: skip
        together = self.money.by_code(self.space, {**self.stakes, **every})
        if together != [sum(parts) for parts in zip(*rows, strict=True)]:
            raise BadInput(
                f"an ante of {ante} cents reaches the payout limit of {house.payout_limit} in the "
                "main game, so that bets cannot be valued separately; expected a smaller ante"
            )
        self.fold = rows[0][self.codes.folded]
        scaled = payoffs.scale_to_int32(rows[:2], OPPONENTS)
        self.scale = scaled.scale
        self.pay = np.ascontiguousarray(scaled.values[:, self.codes.showdowns])


class TexasStrategy:
    """The best play of a solved House, held in arrays that fit in a file."""

    def __init__(self, house: House, arrays: Mapping[str, Any], ante: Cents | None = None) -> None:
        self.rules = TexasRules(house, ante)
        self.arrays = arrays

    def _early(self, cards: Sequence[Card], board: Sequence[Card], row: int) -> int:
        """The sum over runouts and opponents of one payoff row."""
        size = len(board)
        name = "flop" if size == 3 else "turn"
        number = flops.hand_number(cards)
        ranks = tuple(card >> 2 for card in board)
        rank_board = isomorphism.multiset_ids(size)[ranks]
        total = int(self.arrays[f"{name}_plain"][rank_board, row, flops.hand_ranks()[number]])
        for suit in range(4):
            seen = isomorphism.suit_view_number(board, suit)
            if seen >= 0:
                kind = flops.hand_types()[suit, number]
                total += int(self.arrays[f"{name}_suited"][seen, row, kind])
        return total

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]:
        """Every legal option with its exact worth, best first."""
        rules = self.rules
        if street == rules.preflop.name:
            seen = int(starting_hands.hand_classes().ids[0, flops.hand_number(cards)])
            size = int(starting_hands.hand_classes().sizes[seen])
            play = Fraction(int(self.arrays["play_totals"][seen]), deals_per_hand(rules) * size)
            return rank_options(
                [("fold", 0, rules.fold), (rules.opening.word, rules.opening.times, play)]
            )
        if street == rules.flop.name:
            left = [card for card in range(52) if card not in cards and card not in community]
            turn_gains = sum(max(0, self._early(cards, (*community, card), 1)) for card in left)
            check = Fraction(2 * self._early(cards, community, 0) + turn_gains)
            bet = check + 2 * self._early(cards, community, 1)
            total, option = 2 * FLOP_RUNOUTS * rules.scale, rules.flop_bet
        else:
            made = (bets or {}).get(rules.flop_bet.wager, 0)
            gain = self._early(cards, community, 1)
            check = Fraction(self._early(cards, community, 0) + made * gain)
            bet = check + gain
            total, option = TURN_RUNOUTS * rules.scale, rules.turn_bet
        return rank_options([("check", 0, check / total), (option.word, option.times, bet / total)])

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str:
        """The best option's word."""
        rules = self.rules
        if street == rules.preflop.name:
            return self.ask(street, cards, community)[0].option
        option = rules.flop_bet if street == rules.flop.name else rules.turn_bet
        return option.word if self._early(cards, community, 1) > 0 else "check"


def deals_per_hand(rules: TexasRules) -> int:
    """Return the number of deals of one starting hand, times the payoff scale."""
    return comb(50, 3) * 2 * FLOP_RUNOUTS * rules.scale


def solve(
    house: House,
    distribution: bool,
    report: parallel.Progress = parallel.no_progress,
    ante: Cents | None = None,
) -> Solution:
    """The exact solution of Texas Hold 'Em Bonus."""
    rules = TexasRules(house, ante)
    best = decide(rules, report)
    plays = best.totals > folds(rules)
    arrays = {
        "flop_plain": best.flop_sums.plain,
        "flop_suited": best.flop_sums.suited,
        "turn_plain": best.turn_sums.plain,
        "turn_suited": best.turn_sums.suited.astype(np.int32),
        "play_totals": best.totals,
    }
    rounds = EMPTY_TALLY
    if distribution:
        report(0.6, "distribution")
        rounds = _play_out(rules, plays, best)
    chart = _chart(rules, best.totals, plays)
    report(1.0, "solved")
    return build_solution(
        house,
        ev=value(rules, best.totals),
        deals=DEALS,
        chart=chart,
        strategy=TexasStrategy(house, arrays, ante),
        rounds=rounds,
    )


class SolvedDecisions(NamedTuple):
    """All optimal decisions of a House, and the sums over runouts behind them."""

    flop_sums: board_enumeration.Sums
    turn_sums: board_enumeration.Sums
    gains: Longs  # of betting on each flop with each hand
    turn_bets: NDArray[np.bool_]
    near: Longs  # the closest decisions on turns
    totals: Longs  # of playing, by starting hand


def decide(rules: TexasRules, report: parallel.Progress = parallel.no_progress) -> SolvedDecisions:
    """Compute the optimal decision in every situation, and the totals of playing."""
    report(0.0, "boards")
    floors = np.full(2, board_enumeration.NO_FLOOR, np.int64)
    flop_sums, turn_sums = board_enumeration.showdowns(
        rules.pay, floors, ALWAYS_QUALIFIES, (3, 4)
    ).sums
    report(0.3, "flops and turns")
    gains, flop_totals = _sum_flops(flop_sums)
    turn_bets, turn_totals, near = _decide_turns(turn_sums)
    # A deal is counted once per order of turn and river, four flops to every turn.
    totals = 2 * (flop_totals[:, 0] + flop_totals[:, 1]) + 4 * turn_totals
    return SolvedDecisions(flop_sums, turn_sums, gains, turn_bets, near, totals)


def folds(rules: TexasRules) -> Longs:
    """Return the value of folding by starting hand, summed over deals."""
    every: Longs = int(rules.fold * deals_per_hand(rules)) * starting_hands.hand_classes().sizes
    return every


def value(rules: TexasRules, totals: Longs) -> Fraction:
    """Return the value of the game per ante, from the totals of playing by starting hand."""
    best = np.maximum(totals, folds(rules))
    return Fraction(sum(best.tolist()), DEALS * rules.scale)


def _sum_flops(sums: board_enumeration.Sums) -> tuple[Longs, Longs]:
    boards = flops.early_boards(3)
    gains = np.zeros((len(boards.cards), flops.HANDS), np.int64)
    parts: list[Longs] = []

    def work(first: int, last: int) -> None:
        part = np.zeros((169, 2), np.int64)
        parts.append(part)
        turns.sum_flops(
            first, last, boards.cards, boards.sizes, board_enumeration.rank_ids(3),
            board_enumeration.deal_tables(), isomorphism.numbering().masks,
            board_enumeration.starts(3), sums.plain, sums.suited,
            starting_hands.hand_classes().ids[0], gains, part,
        )  # fmt: skip

    parallel.parallel_for(len(boards.cards), work, parts=8)
    return gains, np.sum(parts, axis=0)


def _decide_turns(sums: board_enumeration.Sums) -> tuple[NDArray[np.bool_], Longs, Longs]:
    """Where a turn gains from a bet, the gains by starting hand, and the closest decisions."""
    boards = flops.early_boards(4)
    bet = np.zeros((len(boards.cards), flops.HANDS), np.bool_)
    parts: list[Longs] = []
    near: list[Longs] = []

    def work(first: int, last: int) -> None:
        part = np.zeros(169, np.int64)
        parts.append(part)
        near.append(buffer := closest_decisions.closest_buffer(169))
        turns.decide_turns(
            first, last, boards.cards, boards.sizes, board_enumeration.rank_ids(4),
            board_enumeration.deal_tables(), isomorphism.numbering().masks,
            board_enumeration.starts(4), sums.plain, sums.suited, 1,
            starting_hands.hand_classes().ids[0], bet, part, buffer,
        )  # fmt: skip

    parallel.parallel_for(len(boards.cards), work)
    return bet, np.sum(parts, axis=0), closest_decisions.merge_closest(near)


def _play_out(rules: TexasRules, plays: NDArray[np.bool_], best: SolvedDecisions) -> RoundTally:
    """Distribution, action frequencies and average wager of the best play."""
    boards = flops.early_boards(4)
    classes = starting_hands.hand_classes()
    masks, _ = isomorphism.partial_boards(4)
    plain = np.zeros((1820, 4, isomorphism.RANK_PAIRS), np.int64)
    suited = np.zeros((len(masks), 4, isomorphism.HAND_TYPES), np.int64)
    turns.weigh_turns(
        0, len(boards.cards), boards.cards, boards.sizes, board_enumeration.rank_ids(4),
        board_enumeration.deal_tables(), isomorphism.numbering().masks, board_enumeration.starts(4),
        flops.flop_places(), flops.renamed_hands(), best.gains, best.turn_bets,
        plays[classes.ids[0]], plain, suited,
    )  # fmt: skip
    weights = board_enumeration.spread_weights(board_enumeration.Sums(plain, suited), 4)
    tally = board_enumeration.tally(
        weights, rules.pay[0], board_enumeration.NO_FLOOR, ALWAYS_QUALIFIES, rules.codes
    )
    folded = np.zeros_like(tally[0])
    folded[rules.codes.folded] = int(classes.sizes[~plays].sum()) * (DEALS // 1326)
    occurrences = [FactsCounts(rules.ante, folded.tolist())]
    for action, counts in enumerate(tally.tolist()):
        flop_bet, turn_bet = divmod(action, 2)
        stakes = dict(rules.stakes)
        if flop_bet:
            stakes[rules.flop_bet.wager] = rules.flop_bet.times
        if turn_bet:
            stakes[rules.turn_bet.wager] = rules.turn_bet.times
        occurrences.append(FactsCounts(stakes, counts))
    streets = [
        flop_summary(rules.flop.name, rules.flop_bet.word, best.gains, FLOP_RUNOUTS * rules.scale),
        turn_summary(
            rules.turn.name,
            rules.turn_bet.word,
            best.turn_bets,
            best.near,
            TURN_RUNOUTS * rules.scale,
        ),
    ]
    actions = _frequencies(rules, tally.sum(axis=1).tolist())
    return tally_rounds(rules.money, rules.space, occurrences, DEALS, actions, streets)


def _frequencies(rules: TexasRules, made: Sequence[int]) -> dict[str, dict[str, Fraction]]:
    """How often each action is taken; `made` is by bet on the flop and bet on the turn."""
    stayed = sum(made)
    neither, turn_only, flop_only, both = (Fraction(count, stayed) for count in made)
    return {
        rules.preflop.name: {
            rules.opening.word: Fraction(stayed, DEALS),
            "fold": 1 - Fraction(stayed, DEALS),
        },
        rules.flop.name: {"check": neither + turn_only, rules.flop_bet.word: flop_only + both},
        rules.turn.name: {"check": neither + flop_only, rules.turn_bet.word: turn_only + both},
    }


def _chart(rules: TexasRules, totals: Longs, plays: NDArray[np.bool_]) -> list[ChartRow]:
    """The 169 starting hands."""
    classes = starting_hands.hand_classes()
    rows = zip(classes.names, classes.sizes.tolist(), totals.tolist(), plays.tolist(), strict=True)
    return [
        ChartRow(
            hand=name,
            deals=size,
            options={
                rules.opening.word: Fraction(total, deals_per_hand(rules) * size),
                "fold": rules.fold,
            },
            best=rules.opening.word if play else "fold",
        )
        for name, size, total, play in rows
    ]
