"""Texas Hold 'Em Bonus with exposed cards: their value, and detection of their use."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.exposure import known_cards
from croupier.analysis.exposure.detection import (
    Detector,
    RecordedDecision,
    best_openings,
    dealer_cards,
    first_street,
    with_clubs,
)
from croupier.analysis.exposure.exposed_cards import ExposureValue, hands_and_board
from croupier.analysis.exposure.holdem_board_exposure import (
    DEALS_BESIDE,
    FOLD_ALONE,
    NOTHING,
    by_opening,
    compared,
    decided,
    known_boards,
)
from croupier.analysis.exposure.holdem_exposure import (
    Board,
    Early,
    board_of,
    by_known_card,
    early_sums,
    over_boards,
    runouts,
)
from croupier.analysis.exposure.known_cards import KnownCards, Longs, Worths, count_openings
from croupier.analysis.kernels.enumerate import flops as flop_kernels
from croupier.analysis.kernels.enumerate import known_card_sums
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.solvers import board_enumeration
from croupier.cards import Card
from croupier.games import House
from croupier.games.texas_holdem_bonus.solver import ALWAYS_QUALIFIES, TexasRules


def by_hand(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """Value exposed cards of the dealer or another seat, or single board cards."""
    return ExposureValue(*_by_hand(house, *hands_and_board(knows), report))


def on_boards(house: House, knows: str, report: parallel.Progress) -> ExposureValue:
    """Value an exposed flop, or an exposed turn and river."""
    report(0.0, "boards")
    return ExposureValue(*_on_boards(house, hands_and_board(knows)[1]))


def _by_hand(
    house: House, every: Sequence[KnownCards], places: tuple[str, ...], report: parallel.Progress
) -> Worths:
    """Value exposed cards of the dealer or another seat, or single board cards."""
    rules = TexasRules(house)
    board = board_of(places, rules.preflop.shown)
    by_card: dict[str, Fraction] = {}
    ev, plays = Fraction(0), Fraction(0)
    for at, what in enumerate(every):
        report(at / len(every), what.name or "boards")
        totals, folds, times = texas_openings(rules, what, board)
        best, deals = np.maximum(totals, folds), int(times.sum())
        every_deal = deals * runouts(what, board) * rules.scale
        worth = Fraction(sum(best.tolist()), every_deal)
        by_card |= by_known_card(what, worth, best, board, every_deal)
        ev += what.share * worth
        plays += what.share * Fraction(int(times[totals > folds].sum()), deals)
    return ev, by_card, {rules.opening.word: plays, "fold": 1 - plays}


def texas_openings(rules: TexasRules, what: KnownCards, board: Board) -> tuple[Longs, Longs, Longs]:
    """Return by opening class: the sums of playing and of folding, and the number of hands."""
    river, shown = "river" in board.known, board.shown
    # With the river known, the last bet sees the whole board: its row has a floor of zero.
    pay = rules.pay[[0, 1, 1]] if river else rules.pay
    floors = np.array(
        [board_enumeration.NO_FLOOR, board_enumeration.NO_FLOOR, 0][: len(pay)], np.int64
    )
    sizes = (3, 4) if board.early == 3 else (4,)
    every = early_sums(what, pay, floors, ALWAYS_QUALIFIES, sizes)
    early = over_boards(known_card_sums.sum_early, what, board.early, every[0], shown, 1)
    if board.early == 3:
        plain, suited = every[1]
        last = Early(plain[:, 1:].copy(), suited[:, :, 1:].copy())
        turns = over_boards(known_card_sums.sum_early, what, 4, last, shown, 0)
        # Each deal counts once per order of turn and river; a turn contains 4 - shown flops.
        totals = 2 * (early[:, 0] + early[:, 1]) + (4 - shown) * turns[:, 0]
    else:
        # With the turn in view both later bets are made on the same four cards.
        totals = early[:, 0] + early[:, 1] + early[:, 2 if river else 1]
    times = count_openings(what, shown)
    return totals, int(rules.fold * rules.scale) * runouts(what, board) * times, times


def _on_boards(house: House, places: tuple[str, ...]) -> Worths:
    """Value an exposed flop, or turn and river; later bets are placed where they gain."""
    rules = TexasRules(house)
    board = known_boards(places, rules.preflop.shown)
    words, always = ["fold", rules.opening.word], ALWAYS_QUALIFIES
    play, later = rules.pay
    fold = int(rules.fold * rules.scale)
    if "flop" not in places:
        sums_by = by_opening(rules.pay, np.array([board_enumeration.NO_FLOOR, 0], np.int64), always)
        folds = fold * DEALS_BESIDE * count_openings(NOTHING, 2)
        totals = np.column_stack([folds, sums_by[:, 0] + 2 * sums_by[:, 1]])
        return compared(totals, words, rules.scale)
    if board.early == 4:  # both later bets are made on the four cards that are known
        pay = np.array([np.full_like(play, fold), play, play + 2 * later])
        (sums,) = board_enumeration.showdowns(
            pay, np.full(3, board_enumeration.NO_FLOOR, np.int64), always, (4,)
        ).sums
        decisions = decided(
            known_card_sums.decide_known_boards,
            4,
            3,
            *sums,
            FOLD_ALONE,
            np.eye(3, dtype=np.int64)[1:],
        )
        return decisions.worths([*words, words[1]], rules.scale)
    floors = np.full(2, board_enumeration.NO_FLOOR, np.int64)
    flops, turns = board_enumeration.showdowns(rules.pay, floors, always, (3, 4)).sums
    folded = np.int64(fold * 2 * comb(47, 2) * NOTHING.opponents)
    decisions = decided(
        known_card_sums.decide_street_bet_flops, 3, 2, *flops, board_enumeration.starts(4),
        isomorphism.multiset_ids(4), *turns, folded,
    )  # fmt: skip
    return decisions.worths(words, rules.scale, orders=2)


@lru_cache(maxsize=4)
def opening_table(house: House, progress: parallel.Progress) -> NDArray[np.int64]:
    """Return whether to play: [rank of the exposed dealer card, starting hand class]."""
    rules = TexasRules(house)

    def solve(known: KnownCards) -> NDArray[np.int64]:
        plays, folds, _ = texas_openings(rules, known, Board())
        return (plays > folds).astype(np.int64)

    return best_openings(house, solve, progress)


def best_answers(
    house: House, decision: RecordedDecision, unseen: Sequence[Card], progress: parallel.Progress
) -> dict[Card, str]:
    """Return play or fold before the flop, for each card that may have been exposed."""
    table = opening_table(house, progress)
    ids = known_cards.openings((0,), 0).ids
    words = "fold", TexasRules(house).opening.word
    answers = {}
    for card in unseen:
        held = [with_clubs(own, card & 3) for own in decision.cards]
        answers[card] = words[int(table[card >> 2, ids[0, flop_kernels.hand_number(held)]])]
    return answers


DETECTOR = Detector(streets=first_street, hidden_cards=dealer_cards, best_answers=best_answers)
