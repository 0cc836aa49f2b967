"""Drawings of an analysis: the distribution of a round and the strategy chart, as vectors."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import find
from croupier.study.report import CHART_SIZE, mains

Json = dict[str, Any]
COLOURS = {"fold": "#c0504d", "check": "#e6c229", "1x": "#9bbb59", "2x": "#5a9e3d", "3x": "#2e7d32"}
COLOURS["4x"] = "#1b5e20"
DARK = ("fold", "3x", "4x")  # cells on which black would not be read


def plot(found: Json, path: str | Path, choice: str = "") -> Path:
    """Draw one main result (the first, or the one of a choice such as "blind=B") to a file."""
    import matplotlib as mpl

    mpl.use("svg", force=False)
    from matplotlib.figure import Figure

    target = Path(path)
    if target.suffix.lower() not in (".svg", ".pdf"):
        raise BadInput(f"{target.name}: a plot is written as .svg or .pdf")
    results = dict(mains(found))
    name = choice or next(iter(results))
    if name not in results:
        raise BadInput(f"{choice!r} is no result; expected one of: {', '.join(results)}")
    result = results[name]
    charted = len(result["chart"]) == CHART_SIZE
    figure = Figure(figsize=(14 if charted else 8, 6.5), layout="constrained")
    places = figure.subplots(1, 2 if charted else 1, squeeze=False)[0]
    figure.suptitle(" ".join(filter(None, (find(found["game"]).title, name))))
    draw_distribution(places[0], result)
    if charted:
        draw_chart(places[1], result["chart"])
    # The same analysis gives the same file, so that it can be compared.
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    return target


def draw_distribution(axes: Any, result: Json) -> None:
    """Bars of all net results on a logarithmic scale."""
    values = [float(Fraction(value)) for value in result["distribution"]]
    shares = [float(Fraction(share)) for share in result["distribution"].values()]
    axes.vlines(values, 1e-13, shares, linewidth=2.5, color="#35618f")
    axes.set_xscale("symlog", linthresh=10)
    axes.set_yscale("log")
    axes.set_ylim(min(shares) / 3, 1)
    axes.set_xlabel("net result of a round, antes")
    axes.set_ylabel("probability")
    edge = 100 * result["house_edge"]
    axes.set_title(f"house edge {edge:.4f} %, deviation {result['standard_deviation']:.4f}")


def draw_chart(axes: Any, chart: Json) -> None:
    """The starting hands as coloured cells with the best action written in each."""
    for row, first in enumerate(reversed(RANKS)):
        for column, second in enumerate(reversed(RANKS)):
            high, low = sorted((first, second), key=RANKS.index, reverse=True)
            kind = "" if row == column else ("s" if column > row else "o")
            word = chart[high + low + kind]["best"]
            colour = COLOURS.get(word, "#cccccc")
            axes.add_patch(_cell(column, row, colour))
            ink = {"ha": "center", "va": "center", "color": "white" if word in DARK else "black"}
            axes.text(column + 0.5, row + 0.4, high + low + kind, size=7, **ink)
            axes.text(column + 0.5, row + 0.75, word, size=6, **ink)
    axes.set_xlim(0, 13)
    axes.set_ylim(13, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title("best first decision: suited above the diagonal, off-suit below")


def _cell(column: int, row: int, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column, row), 1, 1, facecolor=colour, edgecolor="white")
