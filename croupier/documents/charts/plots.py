"""Vector plots of an analysis: distribution of a round and starting-hand chart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cards import RANKS
from croupier.documents.charts.starting_hand_grid import hand_at
from croupier.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.analysis import Analysis, MainResult

ACTION_COLORS = {
    "fold": "#c0504d",
    "check": "#e6c229",
    "1x": "#9bbb59",
    "2x": "#5a9e3d",
    "3x": "#2e7d32",
}
ACTION_COLORS["4x"] = "#1b5e20"
OTHER_COLOR = "#cccccc"
DARK = ("fold", "3x", "4x")  # actions whose cells need white text
INK = "#35618f"
LINEAR_TO = 10  # antes; beyond them the axis is logarithmic
PLOT_SUFFIXES = (".svg", ".pdf")
LETTER = 0.0135  # width of a tick label character, as a share of the axis
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def plot(analysis: Analysis, path: str | Path, setting: str = "") -> Path:
    """Plot one main result (the first, or that of a setting such as "blind=B") to a file.

    Raises BadInput for an unsupported suffix or an unknown setting.
    """
    from croupier.documents.charts import figures

    target = Path(path)
    if target.suffix.lower() not in PLOT_SUFFIXES:
        raise BadInput(f"{target.name}: the file name of a plot must end in .svg or .pdf")
    if setting and setting not in analysis.mains:
        expected = ", ".join(analysis.mains)
        raise BadInput(f"setting {setting!r} is unknown; expected one of: {expected}")
    result = analysis.mains[setting] if setting else analysis.main
    return figures.save(figures.draw_main(result, heading(analysis, result)), target)


def heading(analysis: Analysis, result: MainResult) -> str:
    """The figure title: "Ultimate Texas Hold'Em Poker, blind A"."""
    choices = [choice.replace("=", " ").replace("_", " ") for choice in result.setting.split(",")]
    return ", ".join([analysis.title, *filter(None, choices)])


def draw_distribution(axes: Axes, result: MainResult) -> None:
    """Draw the probability of all net results on a logarithmic scale."""
    total = sum(result.distribution.values())
    values = [float(value) for value in result.distribution]
    shares = [count / total for count in result.distribution.values()]
    axes.set_yscale("log")
    least = min(shares) / 3
    axes.vlines(values, least, shares, linewidth=2.5, color=INK)
    axes.set_ylim(least, 1)
    set_ticks(axes, min(values), max(values))
    axes.set_xlabel("net result of a round, antes")
    axes.set_ylabel("probability")
    edge = 100 * float(result.house_edge)
    axes.set_title(f"house edge {edge:.4f}%, standard deviation {result.standard_deviation:.4f}")


def set_ticks(axes: Axes, least: float, most: float) -> None:
    """Set a linear axis with integer ticks; beyond ten antes a symmetric log axis."""
    if max(-least, most) <= LINEAR_TO:
        ticks = list(range(int(least), int(most) + 1))
    else:
        axes.set_xscale("symlog", linthresh=LINEAR_TO)
        ticks = [-step for step in reversed(STEPS) if step >= 2 and -step >= least]
        ticks += [0, *(step for step in STEPS if step >= 2 and step <= most)]
    margin = 0.5 if most <= LINEAR_TO else 0.1 * most
    axes.set_xlim(least - 0.5, most + margin)
    below = readable(axes, [tick for tick in reversed(ticks) if tick <= 0])
    above = readable(axes, [tick for tick in ticks if tick >= 0])
    axes.set_xticks(shown := [*reversed(below[1:]), *above], [label_of(tick) for tick in shown])
    axes.minorticks_off()
    axes.axvline(0, color="#999999", linewidth=0.6, zorder=0)


def label_of(tick: int) -> str:
    """Format a net result with its sign."""
    return f"{tick:+d}" if tick else "0"


def readable(axes: Axes, ticks: Sequence[int]) -> list[int]:
    """Select ticks from zero outward whose labels do not overlap."""
    selected: list[int] = []
    ends = 0.0
    for tick in ticks:
        (at, _) = axes.transAxes.inverted().transform(axes.transData.transform((tick, 1)))
        half = LETTER * (len(label_of(tick)) + 1) / 2
        if not selected or abs(at - ends) >= half + LETTER * (len(label_of(selected[-1])) + 1) / 2:
            selected.append(tick)
            ends = at
    return selected


def draw_chart(axes: Axes, chart: dict[str, str]) -> None:
    """Draw the starting hands as colored cells labeled with the best action."""
    from matplotlib.patches import Rectangle

    for row in range(len(RANKS)):
        for column in range(len(RANKS)):
            hand = hand_at(row, column)
            word = chart[hand]
            color = ACTION_COLORS.get(word, OTHER_COLOR)
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="white"))
            ink = "white" if word in DARK else "black"
            center = column + 0.5
            axes.text(center, row + 0.4, hand, size=7, color=ink, ha="center", va="center")
            axes.text(center, row + 0.75, word, size=6, color=ink, ha="center", va="center")
    axes.set_xlim(0, len(RANKS))
    axes.set_ylim(len(RANKS), 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title("best first decision: suited above the diagonal, offsuit below")
