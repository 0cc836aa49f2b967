"""Rich, JSON, plot and Parquet renderers of a simulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table

from croupier import __version__
from croupier.documents.formatting import figure_table, percent
from croupier.errors import BadInput
from croupier.money import dollars

if TYPE_CHECKING:
    from croupier.analysis import PeriodSummary, Simulation, SummaryStatistics

PLOT_SUFFIXES = (".svg", ".pdf")


def render(simulation: Simulation) -> Group:
    """All results of a simulation as Rich tables."""
    parts: list[Table] = [wagers_table(simulation)]
    if simulation.meters:
        parts.append(meters_table(simulation))
    parts += [seats_table(simulation), spans_table(simulation)]
    return Group(*parts)


def wagers_table(simulation: Simulation) -> Table:
    """Every wager: mean as paid, mean at exact odds, exact value, and standard errors by seat."""
    plan = simulation.plan
    title = f"{simulation.house.game.title}, {plan.rounds:,} rounds, {plan.seating.seats} seats"
    table = figure_table(title, "wager", "as paid", "at exact odds", "exact", "errors by seat")
    for wager in simulation.wagers:
        errors = " ".join("-" if error is None else f"{error:+.2f}" for error in wager.errors)
        exact = "" if wager.exact is None else percent(wager.exact)
        table.add_row(wager.name, percent(wager.mean), percent(wager.by_odds), exact, errors)
    return table


def meters_table(simulation: Simulation) -> Table:
    """Every meter: hits, awards, rounds between hits and the final amount."""
    columns = ("meter", "hits", "mean award", "max award", "rounds between", "at end")
    table = figure_table("meters", *columns)
    for meter in simulation.meters:
        mean = "" if meter.mean_paid is None else dollars(round(meter.mean_paid))
        between = "" if meter.mean_rounds is None else f"{meter.mean_rounds:,.0f}"
        final = dollars(int(meter.stands))
        largest = dollars(meter.most_paid)
        table.add_row(meter.name, f"{meter.hits:,}", mean, largest, between, final)
    if simulation.envy:
        table.add_row("envy", "", dollars(simulation.envy) + " total", "", "", "")
    return table


def seats_table(simulation: Simulation) -> Table:
    """Every seat's mean and standard deviation, and its correlation with seat 1."""
    columns = ("seat", "strategy", "mean", "deviation", "correlation")
    table = figure_table("seats, dollars per round, correlation with seat 1", *columns)
    for seat, strategy in enumerate(simulation.plan.seating.strategies):
        product = simulation.deviation[0] * simulation.deviation[seat]
        correlation = simulation.covariance[0][seat] / product if product else 0.0
        table.add_row(
            str(seat + 1),
            strategy,
            f"{simulation.net[seat] / 100:+.4f}",
            f"{simulation.deviation[seat] / 100:.4f}",
            f"{correlation:+.4f}",
        )
    return table


def spans_table(simulation: Simulation) -> Table:
    """Win and hold of the table by shift and month, and how often it loses."""
    table = figure_table("table results", "", "shift", "month")
    spans = simulation.shifts, simulation.months
    table.add_row("complete periods", *(f"{span.count:,}" for span in spans))
    table.add_row("mean win", *(dollars(round(span.win.mean)) for span in spans))
    table.add_row(
        "standard deviation of win", *(dollars(round(span.win.deviation)) for span in spans)
    )
    for share in (0.05, 0.5, 0.95):
        table.add_row(
            f"win, {100 * share:g}th percentile",
            *(quantile(span.win, share, money=True) for span in spans),
        )
    table.add_row("mean hold on drop", *(percent(span.hold.mean) for span in spans))
    for share in (0.05, 0.95):
        table.add_row(
            f"hold, {100 * share:g}th percentile",
            *(quantile(span.hold, share, money=False) for span in spans),
        )
    table.add_row("losing periods", *(losing(span) for span in spans))
    return table


def quantile(spread: SummaryStatistics, share: float, *, money: bool) -> str:
    """Format one quantile; empty if the simulation has none."""
    if share not in spread.quantiles:
        return ""
    value = spread.quantiles[share]
    return dollars(round(value)) if money else percent(value)


def losing(span: PeriodSummary) -> str:
    """Format the share of losing periods with its confidence interval."""
    if span.losing_share is None or span.losing_between is None:
        return ""
    low, high = span.losing_between
    return f"{100 * span.losing_share:.2f}% ({100 * low:.2f} to {100 * high:.2f})"


def to_json(simulation: Simulation) -> dict[str, Any]:
    """A simulation for JSON; money in cents."""
    plan = simulation.plan
    return {
        "game": simulation.house.game.key,
        "edition": simulation.house.game.edition,
        "digest": simulation.house.digest,
        "version": __version__,
        "rounds": plan.rounds,
        "seed": plan.seed,
        "ante": plan.seating.ante,
        "stakes": dict(plan.seating.stakes),
        "strategies": plan.seating.strategies,
        "hours": plan.hours._asdict(),
        "wagers": {wager.name: wager for wager in simulation.wagers},
        "meters": {meter.name: meter for meter in simulation.meters},
        "envy": simulation.envy,
        "net": simulation.net,
        "deviation": simulation.deviation,
        "covariance": simulation.covariance,
        "shifts": simulation.shifts,
        "months": simulation.months,
    }


def plot(simulation: Simulation, target: Path) -> Path:
    """Plot the distribution of shift wins and of progressive awards."""
    from croupier.documents.charts import figures

    return figures.save(figures.draw(simulation), target)


def parquet(simulation: Simulation, target: Path) -> list[Path]:
    """Write shifts to NAME.parquet and awards to NAME.awards.parquet; return both paths."""
    import pyarrow as pa
    from pyarrow import parquet as files

    if target.suffix != ".parquet":
        raise BadInput(f"{target.name}: the file name must end in .parquet")
    metadata = {
        "croupier": __version__,
        "digest": simulation.house.digest,
        "seed": str(simulation.plan.seed),
        "rounds": str(simulation.plan.rounds),
    }
    rows = simulation.shift_rows
    shifts = pa.table(
        {"win_cents": rows[:, 0], "handle_cents": rows[:, 1], "drop_cents": rows[:, 2]}
    )
    awards = pa.table(
        {
            "meter": pa.array([hit.meter for hit in simulation.hits], pa.string()),
            "round": pa.array([hit.round for hit in simulation.hits], pa.int64()),
            "seat": pa.array([hit.seat for hit in simulation.hits], pa.int8()),
            "paid_cents": pa.array([hit.paid for hit in simulation.hits], pa.int64()),
        }
    )
    second = target.with_suffix(".awards.parquet")
    for table, path in ((shifts, target), (awards, second)):
        files.write_table(table.replace_schema_metadata(metadata), path)
    return [target, second]
