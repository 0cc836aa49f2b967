"""The 169 starting hands as a 13x13 grid: suited above the diagonal, offsuit below, aces first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import RANKS

if TYPE_CHECKING:
    from croupier.analysis import MainResult


def hand_at(row: int, column: int) -> str:
    """The starting hand in a cell: "AKs", "T9o", "77"."""
    high, low = sorted((row, column))
    names = RANKS[::-1][high] + RANKS[::-1][low]
    if row == column:
        return names
    return names + ("s" if column > row else "o")


def best_actions(result: MainResult) -> dict[str, str]:
    """The best first action by starting hand; empty if the game does not start with two cards."""
    actions = {row.hand: row.best for row in result.chart}
    hands = {hand_at(row, column) for row in range(len(RANKS)) for column in range(len(RANKS))}
    return actions if actions.keys() == hands else {}
