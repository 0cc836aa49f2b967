"""Figures of results: one drawing per kind of result, for `plot()` and plot files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import singledispatch
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from croupier.analysis import (
    Analysis,
    ExposureResult,
    MainResult,
    PaytableDesign,
    SearchResult,
    SessionResult,
    SideResult,
    Simulation,
    StrategyCost,
)
from croupier.documents.charts.plots import INK, draw_chart, draw_distribution, heading
from croupier.documents.charts.starting_hand_grid import best_actions
from croupier.errors import BadInput

BAR_HEIGHT = 0.28  # inches


class ResultFigure(Figure):
    """A figure that notebooks show as a vector drawing, without pyplot."""

    def _repr_svg_(self) -> str:
        target = io.StringIO()
        self.savefig(target, format="svg")
        return target.getvalue()


def save(figure: Figure, target: Path) -> Path:
    """Write a figure with reproducible bytes, so that files can be compared."""
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    return target


@singledispatch
def draw(result: object) -> Figure:
    """The figure of a result; raises BadInput for a kind that has none."""
    raise BadInput(
        f"{type(result).__name__} has nothing to plot; expected an analysis or a part "
        "of one, a strategy cost, a session, an exposure or a simulation"
    )


@draw.register
def _(analysis: Analysis) -> Figure:
    return draw_main(analysis.main, heading(analysis, analysis.main))


@draw.register
def _(result: MainResult) -> Figure:
    return draw_main(result, f"{result.game} {result.setting}".strip())


def draw_main(result: MainResult, title: str) -> Figure:
    """The distribution of a round, and the starting-hand chart of a game that has one."""
    if not result.distribution:
        raise BadInput("nothing to plot: the game was solved without its distribution")
    chart = best_actions(result)
    figure = ResultFigure(figsize=(14 if chart else 8, 6.5), layout="constrained")
    places = figure.subplots(1, 2 if chart else 1, squeeze=False)[0]
    figure.suptitle(title)
    draw_distribution(places[0], result)
    if chart:
        draw_chart(places[1], chart)
    return figure


@draw.register
def _(result: SideResult) -> Figure:
    title = f"{result.wager} {result.letter}, house edge {-100 * float(result.ev):.4f}%"
    shares = {f"{line.hand}, {line.pays}": float(line.contribution) for line in result.lines}
    return draw_bars(title, shares, "returned per unit staked")


@draw.register
def _(design: PaytableDesign) -> Figure:
    return draw(design.result)


@draw.register
def _(priced: StrategyCost) -> Figure:
    title = f"{priced.game}, cost {100 * float(priced.cost):.4f}% of an ante"
    return draw_bars(
        title, {line.rule: 100 * float(line.cost) for line in priced.lines}, "cost, % of an ante"
    )


@draw.register
def _(found: SearchResult) -> Figure:
    return draw(found.priced)


@draw.register
def _(exposure: ExposureResult) -> Figure:
    title = f"{exposure.game}, knowing {exposure.knows}"
    values = {card: 100 * float(ev) for card, ev in exposure.by_card.items()}
    return draw_bars(title, values, "value to the player, % of an ante")


def draw_bars(title: str, values: Mapping[str, float], label: str) -> Figure:
    """Horizontal bars, the first on top."""
    figure = ResultFigure(figsize=(8, 1.5 + BAR_HEIGHT * len(values)), layout="constrained")
    axes = figure.subplots()
    axes.barh(range(len(values)), list(values.values()), color=INK)
    axes.set_yticks(range(len(values)), list(values))
    axes.invert_yaxis()
    axes.set_xlabel(label)
    axes.set_title(title)
    return figure


@draw.register
def _(session: SessionResult) -> Figure:
    ruin = session.ruin
    figure = ResultFigure(figsize=(12 if ruin else 7, 4.5), layout="constrained")
    places = figure.subplots(1, 2 if ruin else 1, squeeze=False)[0]
    figure.suptitle(f"{session.rounds:,} rounds")
    shares = [100 * share for share in session.quantiles]
    draw_line(places[0], [float(value) for value in session.quantiles.values()], shares)
    places[0].set_xlabel("result at most, antes")
    places[0].set_ylabel("probability, %")
    if ruin:
        draw_line(places[1], range(1, len(ruin.by_round) + 1), [100 * p for p in ruin.by_round])
        places[1].set_xlabel("round")
        places[1].set_ylabel(f"ruin of {float(ruin.bankroll):g} antes by then, %")
    return figure


def draw_line(axes: Axes, xs: Sequence[float], ys: Sequence[float]) -> None:
    """A line with a point at each value, if there are few."""
    axes.plot(xs, ys, color=INK, marker="o" if len(xs) < 20 else "")
    axes.grid(alpha=0.3)


@draw.register
def _(simulation: Simulation) -> Figure:
    figure = ResultFigure(figsize=(12 if simulation.hits else 7, 5), layout="constrained")
    places = figure.subplots(1, 2 if simulation.hits else 1, squeeze=False)[0]
    figure.suptitle(f"{simulation.house.game.title}, {simulation.plan.rounds:,} rounds")
    places[0].hist(simulation.shift_rows[:, 0] / 100, bins=60, color=INK)
    places[0].set_xlabel("win per shift, dollars")
    places[0].set_ylabel("shifts")
    if simulation.hits:
        for meter in simulation.meters:
            sizes = sorted(hit.paid / 100 for hit in simulation.hits if hit.meter == meter.name)
            shares = [(at + 1) / len(sizes) for at in range(len(sizes))]
            places[1].step(sizes, shares, where="post", label=meter.name)
        places[1].set_xscale("log")
        places[1].set_xlabel("award, dollars")
        places[1].set_ylabel("cumulative share of awards")
        places[1].legend()
    return figure
