"""Summaries of later streets: distinct situations, best actions, closest decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate import closest_decisions, flops
from croupier.analysis.kernels.enumerate.showdown_counts import BETS, FOLDS
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.results import CloseDecision, StreetSummary
from croupier.analysis.solvers.board_enumeration import Showdowns
from croupier.cards import Card, names

MARGINAL_SHOWN = 10
Groups = Sequence[Sequence[Card]]  # a hand, then the board in the order dealt


def flop_summary(street: str, word: str, gains: NDArray[np.int64], unit: int) -> StreetSummary:
    """Summarize classes of flop and hand; `gains` are betting over checking, in `unit`ths."""
    classes = flops.flop_classes()
    bets = int((gains[classes] > 0).sum())
    close = np.where(classes, np.abs(gains), np.iinfo(np.int64).max).ravel()
    nearest = np.argpartition(close, MARGINAL_SHOWN)[:MARGINAL_SHOWN]
    shown = []
    for at in nearest[np.argsort(close[nearest], kind="stable")].tolist():
        flop, hand = divmod(at, flops.HANDS)
        board = flops.early_boards(3).cards[flop].tolist()
        held = flops.hands()[hand].tolist()[::-1]
        gain = Fraction(int(gains[flop, hand]), unit)
        shown.append(CloseDecision(" ".join(names(held)), " ".join(names(board)), gain))
    total = int(classes.sum())
    return StreetSummary(
        street=street,
        situations=total,
        actions={word: bets, "check": total - bets},
        marginal=tuple(shown),
    )


def marginal(
    near: NDArray[np.int64], dealt: Callable[[int], Groups], unit: int
) -> tuple[CloseDecision, ...]:
    """The closest decisions of different hands, with cards that `dealt` finds."""
    shown = []
    for gain, number in closest_decisions.nearest(near, MARGINAL_SHOWN):
        hand, *table = dealt(number)
        held = sorted(hand, reverse=True)
        board = [card for group in table for card in sorted(group)]
        cards = " ".join(names(held)), " ".join(names(board))
        shown.append(CloseDecision(*cards, Fraction(gain, unit)))
    return tuple(shown)


def turn_summary(
    street: str, word: str, bet: NDArray[np.bool_], near: NDArray[np.int64], unit: int
) -> StreetSummary:
    """Turns up to suits, each with every hand."""

    def dealt(number: int) -> Groups:
        turn, hand = divmod(number, flops.HANDS)
        return flops.hands()[hand].tolist(), flops.early_boards(4).cards[turn].tolist()

    total = len(bet) * 48 * 47 // 2
    bets = int(bet.sum())
    return StreetSummary(
        street=street,
        situations=total,
        actions={word: bets, "check": total - bets},
        marginal=marginal(near, dealt, unit),
    )


def river_summary(street: str, word: str, boards: Showdowns, unit: int) -> StreetSummary:
    """Summarize rivers: classes of board and hand by rank and flush suit."""
    plain, suited = boards.plain_above, boards.suited_above

    def dealt(number: int) -> Groups:
        board, hand = divmod(number, isomorphism.HAND_TYPES)
        flush = board - len(plain)  # flush boards are numbered after those without one
        return river_cards(board, hand) if flush < 0 else flush_cards(flush, hand)

    bets = int((plain == BETS).sum() + (suited == BETS).sum())
    folds = int((plain == FOLDS).sum() + (suited == FOLDS).sum())
    return StreetSummary(
        street=street,
        situations=bets + folds,
        actions={word: bets, "fold": folds},
        marginal=marginal(boards.closest, dealt, unit),
    )


def river_cards(board: int, hand: int) -> Groups:
    """Return an example hand and rank board with these numbers; suits alternate."""
    ranks = sorted(isomorphism.multisets(5)[board].tolist())
    table = [rank << 2 | at % 4 for at, rank in enumerate(ranks)]
    return _beside(table, [(rank, range(4)) for rank in _types(hand)])


def flush_cards(board: int, hand: int) -> Groups:
    """A hand and a flush board, clubs, that have these numbers."""
    numbering = isomorphism.numbering()
    mask = int(numbering.flush_masks[board])
    outside = [rank for rank in numbering.flush_outside[board].tolist() if rank < 13]
    table = [rank << 2 for rank in range(13) if mask >> rank & 1]
    table += [rank << 2 | suit for suit, rank in enumerate(outside, 1)]
    wanted = [(kind % 13, range(1) if kind >= 13 else range(1, 4)) for kind in _types(hand)]
    return _beside(table, wanted)


def _types(hand: int) -> list[int]:
    types: list[int] = isomorphism.numbering().type_pairs[hand].tolist()
    return types


def _beside(table: list[Card], wanted: Iterable[tuple[int, range]]) -> Groups:
    """Return the first cards of these ranks and suits that are not on the board."""
    hand: list[Card] = []
    for rank, suits in wanted:
        left = [rank << 2 | suit for suit in suits]
        hand.append(next(card for card in left if card not in table and card not in hand))
    return hand, table
