"""The exact cost of a strategy: play or fold, then one bet or none on flop and turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.enumerate import decision_costs
from croupier.analysis.kernels.enumerate import flops as deals
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration, starting_hands
from croupier.analysis.strategies import features
from croupier.analysis.strategies.cost import (
    CostModel,
    Decisions,
    StrategyDecisions,
    StreetCost,
    StreetDecision,
    cached_perfect_play,
)
from croupier.analysis.strategies.decision_cost import mistakes, small_decision
from croupier.analysis.strategies.holdem_cost import BoardBlock, clashes, early_cards, one_bet
from croupier.games import House
from croupier.games.texas_holdem_bonus import solver
from croupier.games.texas_holdem_bonus.solver import TexasRules

Longs = NDArray[np.int64]


class StreetBetWorth(NamedTuple):
    """Values of all decisions under perfect play, summed over deals."""

    totals: Longs  # of playing, by starting hand
    gains: Longs  # of betting on each flop with each hand
    turn_plain: Longs  # of betting on turns: [ranks, 1, pair of ranks]
    turn_suited: NDArray[np.int32]  # correction for possible flushes


class SolvedPlay(NamedTuple):
    """Perfect play of one House."""

    rules: TexasRules
    worth: StreetBetWorth
    ev: Fraction


@lru_cache(maxsize=1)
def solved_play(house: House) -> SolvedPlay:
    """Solve a House; cached, since many strategies are compared with one solution."""
    rules = TexasRules(house)
    known = cached_perfect_play(house, StreetBetWorth._fields, lambda: _play_worth(rules)._asdict())
    worth = StreetBetWorth(**known)
    return SolvedPlay(rules, worth, solver.value(rules, worth.totals))


def _play_worth(rules: TexasRules) -> StreetBetWorth:
    best, bet = solver.decide(rules), slice(1, 2)  # the row of one bet
    return StreetBetWorth(
        totals=best.totals,
        gains=best.gains,
        turn_plain=np.ascontiguousarray(best.turn_sums.plain[:, bet]),
        turn_suited=best.turn_sums.suited[:, bet].astype(np.int32),
    )


def price(house: House, report: parallel.Progress) -> CostModel:
    """The cost of a strategy, decision by decision."""
    report(0.0, "perfect play")
    solved = solved_play(house)
    report(0.5, "the strategy")
    return CostModel(solved.ev, _decisions(solved))


def _decisions(solved: SolvedPlay) -> Decisions:
    rules = solved.rules
    unit = solver.DEALS * rules.scale
    classes = starting_hands.hand_classes()
    fold = int(rules.fold * solver.deals_per_hand(rules))
    play = solved.worth.totals // classes.sizes
    worth = np.stack([np.full_like(play, fold), play], axis=1)
    (opening,) = yield small_decision(
        rules.preflop, features.of_starting_hands(rules.preflop), worth, classes.sizes, unit,
        deals.HANDS, lambda at: (classes.names[at], ""),
    )  # fmt: skip
    plays = (opening.taken > 0)[classes.ids[0]]
    boards = deals.early_boards(3)
    weights = boards.sizes[:, None] * plays
    weights[clashes(boards.cards)] = 0
    flops = BoardBlock(solved.worth.gains, weights, features.of_early_boards(rules.flop))
    per = solver.FLOP_RUNOUTS * rules.scale
    # A deal is counted once per order of turn and river, four flops to every turn.
    yield one_bet(rules.flop, [flops], early_cards(3), unit // 2, per)
    yield _turn_decision(solved, plays, unit // 4)


def _turn_decision(solved: SolvedPlay, plays: NDArray[np.bool_], unit: int) -> StreetDecision:
    """Return the turn decision; its gains are computed on demand to save memory."""
    boards, worth, rules = deals.early_boards(4), solved.worth, solved.rules
    per = solver.TURN_RUNOUTS * rules.scale
    known = (
        boards.cards, boards.sizes, board_enumeration.rank_ids(4), board_enumeration.deal_tables(),
        isomorphism.numbering().masks, board_enumeration.starts(4), worth.turn_plain,
        worth.turn_suited, 0,
    )  # fmt: skip
    times = plays.astype(np.int64)

    def charge(answers: Sequence[StrategyDecisions]) -> Iterator[StreetCost]:
        lines, bets = answers[0].lines, answers[0].actions > 0
        which = np.concatenate([answer.which for answer in answers])
        parts: list[Longs] = []
        rooms: list[Longs] = []

        def work(first: int, last: int) -> None:
            parts.append(costs := np.zeros((len(lines), 3), np.int64))
            rooms.append(room := decision_costs.mistake_buffer())
            decision_costs.add_turn_costs(first, last, *known, bets, which, times, costs, room)

        parallel.parallel_for(len(boards.cards), work)
        costliest = mistakes(rules.turn, answers[0], rooms, per, unit, early_cards(4))
        yield StreetCost(lines, np.sum(parts, axis=0), unit, unit // per, costliest)

    def summed(keys: Sequence[Longs], count: int) -> NDArray[np.float64]:
        parts: list[Longs] = []
        every = np.concatenate(keys)

        def work(first: int, last: int) -> None:
            parts.append(part := np.zeros(count, np.int64))
            decision_costs.sum_turns(first, last, *known, times, every, part)

        parallel.parallel_for(len(boards.cards), work, parts=parallel.cores())
        total = np.sum(parts, axis=0) / unit
        return np.stack([np.zeros(count), total], axis=1)

    seen = features.of_early_boards(rules.turn)
    return StreetDecision(street=rules.turn, features=seen, cost=charge, sum_gains=summed)
