"""Exact cost of hold'em strategies with one Play bet, by rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.enumerate import decision_costs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration, single_raise
from croupier.analysis.solvers.single_raise import PlayRules
from croupier.analysis.solvers.street_summaries import flush_cards, river_cards
from croupier.analysis.strategies import features
from croupier.analysis.strategies.cost import (
    CostModel,
    Decisions,
    StrategyDecisions,
    StreetCost,
    StreetDecision,
    cached_perfect_play,
)
from croupier.analysis.strategies.decision_cost import Describe, card_text, mistakes, small_decision
from croupier.games import House, Street

Longs = NDArray[np.int64]


class PlayWorth(NamedTuple):
    """What every decision of a one-Play-bet game is worth under perfect play."""

    totals: Longs  # by opening and option
    gains: Longs  # of betting on each flop with each hand
    plain: Longs  # of the river bet over a fold, by board and hand
    suited: NDArray[np.int32]
    plain_dealt: NDArray[np.bool_]  # whether a hand can be dealt beside a board
    suited_dealt: NDArray[np.bool_]


class PlaySolved(NamedTuple):
    """Perfect play of a one-Play-bet game."""

    rules: PlayRules
    worth: PlayWorth
    ev: Fraction


@lru_cache(maxsize=1)
def play_solved(house: House) -> PlaySolved:
    """Solve a House; cached, since many strategies are compared with one solution."""
    rules = PlayRules(house)
    cached = cached_perfect_play(house, PlayWorth._fields, lambda: _play_worth(rules)._asdict())
    worth = PlayWorth(**cached)
    best = sum(worth.totals.max(axis=1).tolist())
    return PlaySolved(rules, worth, Fraction(best, single_raise.total_deals(rules) * rules.scale))


def _play_worth(rules: PlayRules) -> PlayWorth:
    rows, river = single_raise.basis(rules), 2  # the row of the river bet without a fold
    suited = np.empty((isomorphism.FLUSH_BOARDS, isomorphism.HAND_TYPES), np.int32)
    ranks, pairs = board_enumeration.ranks_of_flush_boards(), isomorphism.numbering().rank_pairs

    def store(first: int, last: int, boards: NDArray[np.int32], plain: Longs) -> None:
        decision_costs.gain_over_fold(
            first, last, boards, river, plain, ranks, pairs, rules.floor, suited
        )

    boards = board_enumeration.showdowns(
        rows.pay, rows.floors(rules), rules.qualifying, on_boards=store
    )
    gains, totals = single_raise.decide(rules, rows, *boards.sums)
    return PlayWorth(
        totals=totals,
        gains=gains,
        plain=boards.plain[:, river] - rules.floor,
        suited=suited,
        plain_dealt=boards.plain_above > 0,
        suited_dealt=boards.suited_above > 0,
    )


def price_play(house: House, report: parallel.Progress) -> CostModel:
    """Strategies of games with one Play bet."""
    report(0.0, "perfect play")
    solved = play_solved(house)
    report(0.5, "the strategy")
    return CostModel(solved.ev, _play_decisions(solved))


def _play_decisions(solved: PlaySolved) -> Decisions:
    rules, known = solved.rules, solved.worth
    unit = single_raise.total_deals(rules) * rules.scale
    openings = rules.openings
    see = features.of_hand_and_card if rules.opening.shown else features.of_starting_hands
    worth, rest = np.divmod(known.totals, openings.sizes[:, None])
    assert not rest.any(), "hands of one class are worth the same"
    (opening,) = yield small_decision(
        rules.opening, see(rules.opening), worth, openings.sizes, unit,
        int(openings.sizes.sum()), lambda at: _opening_cards(openings.names[at]),
    )  # fmt: skip
    checks = opening.taken == 0
    per = comb(47, 2) * single_raise.OPPONENTS * rules.scale
    flops = BoardBlock(
        known.gains, flop_weights(rules, checks), features.of_early_boards(rules.flop)
    )
    answers = yield one_bet(rules.flop, [flops], early_cards(3), unit, per)
    flop_bets = np.concatenate([answer.taken > 0 for answer in answers])
    plain, suited = going_on(rules, ~checks, flop_bets)
    plain *= known.plain_dealt
    suited *= known.suited_dealt
    rivers = [
        BoardBlock(known.plain, plain, features.of_rank_rivers(rules.river)),
        BoardBlock(known.suited, suited, features.of_flush_rivers(rules.river)),
    ]
    per = single_raise.OPPONENTS * rules.scale
    yield one_bet(rules.river, rivers, _river_situation, unit, per)


def flop_weights(rules: PlayRules, checks: NDArray[np.bool_]) -> Longs:
    """Return how often each flop and hand is reached: [flop, hand]."""
    boards = deals.early_boards(3)
    ids = rules.openings.ids
    if len(ids) > 1:
        weights = sum(checks[ids[boards.cards[:, at]]].astype(np.int64) for at in range(3))
    else:
        weights = checks[ids[0]].astype(np.int64)
    by_hand = weights * boards.sizes[:, None]
    by_hand[clashes(boards.cards)] = 0
    return by_hand


def clashes(boards: Longs) -> NDArray[np.bool_]:
    """Where a hand holds a card of a board: [board, hand]."""
    shared = np.zeros((len(boards), deals.HANDS), np.bool_)
    for column in range(boards.shape[1]):
        for place in range(2):
            shared |= boards[:, column, None] == deals.hands()[None, :, place]
    return shared


def going_on(
    rules: PlayRules, opening_bets: NDArray[np.bool_], flop_bets: NDArray[np.bool_]
) -> tuple[Longs, NDArray[np.int32]]:
    """Return how often each board and hand is reached without a bet: rank boards, flush boards."""
    boards = deals.early_boards(3)
    _, partial = isomorphism.partial_boards(3)
    plain = np.zeros((455, 3, isomorphism.RANK_PAIRS), np.int64)
    suited = np.zeros((len(partial), 3, isomorphism.HAND_TYPES), np.int64)
    deals.weigh_flops(
        boards.cards, boards.sizes, board_enumeration.rank_ids(3), board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(3), rules.openings.ids,
        opening_bets.astype(np.int64), flop_bets.astype(np.int64), plain, suited,
        np.zeros(3, np.int64),
    )  # fmt: skip
    last = board_enumeration.Sums(
        np.ascontiguousarray(plain[:, 2:]), np.ascontiguousarray(suited[:, 2:])
    )
    rank_weights, suit_weights = board_enumeration.spread_weights(last, 3)
    return rank_weights[:, 0], suit_weights[:, 0]


class BoardBlock(NamedTuple):
    """Boards with one possible bet: its gain over the alternative, and how often they occur."""

    gains: NDArray[np.integer]  # [board, hand]
    weights: NDArray[np.integer]
    seen: features.FeatureParts


def one_bet(
    street: Street, blocks: Sequence[BoardBlock], describe: Describe, unit: int, per: int
) -> StreetDecision:
    """Return the decision of a street with one bet; a gain of `per` is one ante per situation.

    Situations are numbered block by block.
    """
    starts = np.cumsum([0] + [block.gains.size for block in blocks]).tolist()
    parts = [
        (start, block, first, last)
        for start, block in zip(starts, blocks, strict=False)
        for _, first, last in block.seen.parts
    ]

    def cost(answers: Sequence[StrategyDecisions]) -> Iterator[StreetCost]:
        costs: list[Longs] = []
        buffers: list[Longs] = []
        for answer, (start, block, first, last) in zip(answers, parts, strict=True):
            gains, weights = block.gains[first:last], block.weights[first:last]
            place = start + first * gains.shape[1]
            _add_part_costs(answer, gains, weights, place, costs, buffers)
        result = mistakes(street, answers[0], buffers, per, unit, describe)
        yield StreetCost(answers[0].lines, np.sum(costs, axis=0), unit, unit // per, result)

    def sum_gains(keys: Sequence[Longs], count: int) -> NDArray[np.float64]:
        result = np.zeros((count, 2))
        for key, (_, block, first, last) in zip(keys, parts, strict=True):
            gains = block.gains[first:last] * (block.weights[first:last] / unit)
            result[:, 1] += np.bincount(key.reshape(-1), gains.reshape(-1), count)
        return result

    seen = features.FeatureParts([part for block in blocks for part in block.seen.parts])
    return StreetDecision(street=street, features=seen, cost=cost, sum_gains=sum_gains)


def _add_part_costs(
    answer: StrategyDecisions,
    gains: NDArray[np.integer],
    weights: NDArray[np.integer],
    place: int,
    costs: list[Longs],
    buffers: list[Longs],
) -> None:
    """Add the costs of an answer on one block; its first situation has the number `place`."""
    bets, hands = answer.actions > 0, gains.shape[1]

    def work(first: int, last: int) -> None:
        costs.append(part := np.zeros((len(answer.lines), 3), np.int64))
        buffers.append(buffer := decision_costs.mistake_buffer())
        flat = (rows[first:last].reshape(-1) for rows in (gains, answer.which, weights))
        gained, which, times = flat
        decision_costs.add_costs(gained, bets, which, times, place + first * hands, part, buffer)

    parallel.parallel_for(len(gains), work, parts=parallel.cores())


def _opening_cards(name: str) -> tuple[str, str]:
    hand, _, card = name.partition(" | ")
    return hand, card


def early_cards(size: int) -> Describe:
    def describe(place: int) -> tuple[str, str]:
        board, hand = divmod(place, deals.HANDS)
        cards = deals.early_boards(size).cards[board].tolist()
        return card_text(deals.hands()[hand].tolist()), card_text(cards)

    return describe


def _river_situation(place: int) -> tuple[str, str]:
    plain = board_enumeration.RANK_BOARDS * isomorphism.RANK_PAIRS
    if place < plain:
        hand, board = river_cards(*divmod(place, isomorphism.RANK_PAIRS))
    else:
        hand, board = flush_cards(*divmod(place - plain, isomorphism.HAND_TYPES))
    return card_text(hand), card_text(board)
