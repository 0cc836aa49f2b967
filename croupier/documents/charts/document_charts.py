"""Charts for documents: the distribution of net results and the starting-hand grid."""

from __future__ import annotations

import io
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.analysis import MainResult
from croupier.cards import RANKS
from croupier.documents.charts.plots import ACTION_COLORS, DARK, INK, OTHER_COLOR, set_ticks
from croupier.documents.charts.starting_hand_grid import best_actions, hand_at
from croupier.documents.filing.document_blocks import Cell, Chart
from croupier.documents.fonts import FONTS


def distribution(shares: Mapping[Fraction, Fraction], unit: str) -> str:
    """The probability of every net result on a logarithmic scale, as SVG."""
    import matplotlib as mpl
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    values = [float(value) for value in shares]
    heights = [float(share) for share in shares.values()]
    font_manager.fontManager.addfont(FONTS["text"].path)
    style: Any = {
        "svg.fonttype": "none",  # keep text as text, in the font of the page
        "svg.hashsalt": "croupier",  # reproducible bytes
        "font.family": FONTS["text"].family,
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.5,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(6.7, 2.3), layout="constrained")
        axes = figure.subplots()
        axes.set_yscale("log")
        least = min(height for height in heights if height) / 3
        axes.vlines(values, least, heights, linewidth=1.8, color=INK)
        axes.set_ylim(least, 1.5)
        set_ticks(axes, min(values), max(values))
        axes.set_xlabel(f"net result, {unit}")
        axes.set_ylabel("probability")
        target = io.StringIO()
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    return target.getvalue()


def chart(result: MainResult) -> Chart | None:
    """The starting-hand grid with best first actions; None if the game has no such grid."""
    best = best_actions(result)
    if not best:
        return None
    places = range(len(RANKS))
    return Chart(
        rows=tuple(tuple(cell(hand_at(row, column), best) for column in places) for row in places)
    )


def cell(hand: str, best: Mapping[str, str]) -> Cell:
    """One cell of the grid."""
    word = best[hand]
    return Cell(
        hand=hand, word=word, colour=ACTION_COLORS.get(word, OTHER_COLOR), dark=word in DARK
    )
