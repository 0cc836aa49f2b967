"""Detection of a seen dealer card in games with one Play bet, on every street."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.exposure import holdem_exposure, known_cards
from croupier.analysis.exposure.detection import (
    Detector,
    RecordedDecision,
    best_openings,
    dealer_cards,
    with_clubs,
)
from croupier.analysis.exposure.known_cards import KnownCards
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.lookup_tables import rank_hands
from croupier.analysis.parallel import Progress
from croupier.analysis.solvers.single_raise import PlayRules
from croupier.cards import Card
from croupier.games import House
from croupier.ranking import CATEGORY_SHIFT


@lru_cache(maxsize=4)
def rules_of(house: House) -> PlayRules:
    return PlayRules(house)


def best_answers(
    house: House, decision: RecordedDecision, unseen: Sequence[Card], progress: Progress
) -> dict[Card, str]:
    """The best option for each possible card of the dealer."""
    rules = rules_of(house)
    if decision.street == rules.opening.name:
        return _openings(rules, decision, unseen, progress)
    if decision.street == rules.flop.name:
        return _flop(rules, decision, unseen)
    return _river(rules, decision, unseen)


@lru_cache(maxsize=4)
def opening_table(house: House, progress: Progress) -> NDArray[np.int64]:
    """The best opening bet by rank of the dealer's card and by own cards."""
    rules = rules_of(house)
    board = holdem_exposure.Board(open=rules.opening.shown)

    def solve(known: KnownCards) -> NDArray[np.int64]:
        totals, _ = holdem_exposure.value_openings(rules, known, board)
        best: NDArray[np.int64] = totals.argmax(axis=1)
        return best

    return best_openings(house, solve, progress)


def _openings(
    rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card], progress: Progress
) -> dict[Card, str]:
    table = opening_table(rules.house, progress)
    shown = rules.opening.shown
    ids = known_cards.openings((0,), shown).ids
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    answers = {}
    for card in unseen:
        held = [with_clubs(own, card & 3) for own in decision.cards]
        first = with_clubs(decision.board[0], card & 3) if shown else 0
        answers[card] = words[int(table[card >> 2, ids[first, flops.hand_number(held)]])]
    return answers


def _river(rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """Sums over all 990 hands of the dealer, by each card they hold."""
    sums = _last_bet(rules, decision.cards, np.array([decision.board]), np.array([unseen]))[0][0]
    fold = int(rules.fold * rules.scale) * (len(unseen) - 1)
    words = rules.river_bet.word, "fold"
    return {card: words[total <= fold] for card, total in zip(unseen, sums.tolist(), strict=True)}


def _flop(rules: PlayRules, decision: RecordedDecision, unseen: Sequence[Card]) -> dict[Card, str]:
    """Sums over all runouts and dealer hands: bet now, or check and bet or fold on the river."""
    runouts = list(combinations(range(len(unseen)), 2))
    cards = np.array(unseen)
    boards = np.array([[*decision.board, *cards[list(pair)]] for pair in runouts])
    rest = np.array([np.delete(cards, pair) for pair in runouts])
    later, now = _last_bet(rules, decision.cards, boards, rest)
    fold = int(rules.fold * rules.scale) * (rest.shape[1] - 1)
    checks, bets = np.zeros((2, 52))
    np.add.at(checks, rest, np.maximum(later, fold))
    np.add.at(bets, rest, now)
    return {card: rules.flop_bet.word if bets[card] > checks[card] else "check" for card in unseen}


def _last_bet(
    rules: PlayRules,
    hand: Sequence[Card],
    boards: NDArray[np.int64],
    rest: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of the river and flop bets over the dealer's second card, by board and seen card."""
    size = rest.shape[1]
    pairs = np.array(list(combinations(range(size), 2)))
    holds = np.zeros((len(pairs), size))
    holds[np.arange(len(pairs))[:, None], pairs] = 1
    dealer = rest[:, pairs].reshape(-1, 2)
    full = np.concatenate([dealer, np.repeat(boards, len(pairs), axis=0)], axis=1)
    theirs = rank_hands(full).reshape(len(boards), len(pairs))
    own = rank_hands(np.concatenate([np.tile(hand, (len(boards), 1)), boards], axis=1))[:, None]
    outcome = 3 * (theirs >= rules.qualifying) + 1 + (own > theirs) - (own < theirs)
    kind = own >> CATEGORY_SHIFT
    later, now = (rules.pay[row][kind, outcome].astype(np.float64) @ holds for row in (0, 1))
    return later, now


DETECTOR = Detector(
    streets=lambda house: tuple(street.name for street in house.game.streets),
    hidden_cards=dealer_cards,
    best_answers=best_answers,
)
