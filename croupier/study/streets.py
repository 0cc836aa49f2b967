"""Later streets in numbers: how many situations differ, what is done in them, the closest ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.cards import names
from croupier.study.kernels import deals
from croupier.study.kernels.showdown import BETS, FOLDS
from croupier.study.solution import StreetSummary

MARGINAL_SHOWN = 10


def flop_summary(street: str, word: str, gains: NDArray[np.int64], unit: int) -> StreetSummary:
    """Flops and hands up to suits; `gains` are of betting over checking, in `unit`ths."""
    kept = deals.flop_classes()
    bets = int((gains[kept] > 0).sum())
    close = np.where(kept, np.abs(gains), np.iinfo(np.int64).max).ravel()
    nearest = np.argpartition(close, MARGINAL_SHOWN)[:MARGINAL_SHOWN]
    marginal = []
    for at in nearest[np.argsort(close[nearest], kind="stable")].tolist():
        flop, hand = divmod(at, deals.HANDS)
        board = deals.early_boards(3).cards[flop].tolist()
        held = deals.hands()[hand].tolist()[::-1]
        gain = Fraction(int(gains[flop, hand]), unit)
        marginal.append((" ".join(names(held)), " ".join(names(board)), gain))
    total = int(kept.sum())
    return StreetSummary(
        street=street,
        situations=total,
        actions={word: bets, "check": total - bets},
        marginal=marginal,
    )


def turn_summary(street: str, word: str, bet: NDArray[np.bool_]) -> StreetSummary:
    """Turns up to suits, each with every hand."""
    total = len(bet) * 48 * 47 // 2
    bets = int(bet.sum())
    return StreetSummary(
        street=street, situations=total, actions={word: bets, "check": total - bets}
    )


def river_summary(
    street: str, word: str, plain: NDArray[np.uint8], suited: NDArray[np.uint8]
) -> StreetSummary:
    """Boards and hands as far as they differ in rank or in the suit of a possible flush."""
    bets = int((plain == BETS).sum() + (suited == BETS).sum())
    folds = int((plain == FOLDS).sum() + (suited == FOLDS).sum())
    return StreetSummary(
        street=street, situations=bets + folds, actions={word: bets, "fold": folds}
    )
