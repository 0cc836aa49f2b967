"""Drawings of numbers for a page: the distribution of a result, and the square of hands."""

from __future__ import annotations

import io
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from croupier.analysis import MainResult
from croupier.cards import RANKS
from croupier.documents.charts.plots import COLOURS, DARK, INK, OTHER_COLOUR, set_ticks
from croupier.documents.charts.starting_hand_grid import best_actions, hand_at
from croupier.documents.filing.document_blocks import Cell, Chart
from croupier.documents.fonts import FONTS


def distribution(shares: Mapping[Fraction, Fraction], unit: str) -> str:
    """Every net result with its probability, which is on a logarithmic scale; an SVG."""
    import matplotlib as mpl
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    values = [float(value) for value in shares]
    heights = [float(share) for share in shares.values()]
    font_manager.fontManager.addfont(FONTS["text"].path)
    looks: Any = {
        "svg.fonttype": "none",  # words stay words, in the typeface of the page
        "svg.hashsalt": "croupier",  # the same numbers give the same bytes
        "font.family": FONTS["text"].family,
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.5,
    }
    with mpl.rc_context(looks):
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
    """The best first action by starting hand; None where a game decides on other cards."""
    best = best_actions(result)
    if not best:
        return None
    places = range(len(RANKS))
    return Chart(
        rows=tuple(tuple(cell(hand_at(row, column), best) for column in places) for row in places)
    )


def cell(hand: str, best: Mapping[str, str]) -> Cell:
    """One hand with its action."""
    word = best[hand]
    return Cell(hand=hand, word=word, colour=COLOURS.get(word, OTHER_COLOUR), dark=word in DARK)
