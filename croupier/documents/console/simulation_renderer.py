"""A simulation, for people and for programs: tables, JSON, a drawing, rows for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table

from croupier import __version__
from croupier.documents.console.analysis_renderer import figures
from croupier.errors import BadInput
from croupier.money import dollars, meter_text

if TYPE_CHECKING:
    from croupier.analysis import Simulation, PeriodSummary, SummaryStatistics

INK = "#35618f"
PLOT_KINDS = (".svg", ".pdf")


def percent(value: float) -> str:
    """A share with four decimals."""
    return f"{100 * value:.4f} %"


def render(found: Simulation) -> Group:
    """What a simulation says, as tables for `rich`."""
    parts: list[Table] = [wagers_table(found)]
    if found.meters:
        parts.append(meters_table(found))
    parts += [seats_table(found), spans_table(found)]
    return Group(*parts)


def wagers_table(found: Simulation) -> Table:
    """Every wager: as played, by the odds, exactly, and the distance seat by seat."""
    plan = found.plan
    title = f"{found.house.game.title}, {plan.rounds:,} rounds, {plan.seating.seats} seats"
    table = figures(title, "wager", "as played", "by the odds", "exact", "errors by seat")
    for wager in found.wagers:
        far = " ".join("-" if one is None else f"{one:+.2f}" for one in wager.errors)
        exact = "" if wager.exact is None else percent(float(wager.exact))
        table.add_row(wager.name, percent(wager.mean), percent(wager.by_odds), exact, far)
    return table


def meters_table(found: Simulation) -> Table:
    """Every meter: hits, sizes and times."""
    table = figures("meters", "meter", "hits", "mean paid", "most", "rounds between", "stands at")
    for meter in found.meters:
        mean = "" if meter.mean_paid is None else dollars(round(meter.mean_paid))
        between = "" if meter.mean_rounds is None else f"{meter.mean_rounds:,.0f}"
        stands = dollars(int(meter.stands))
        most = dollars(meter.most_paid)
        table.add_row(meter.name, f"{meter.hits:,}", mean, most, between, stands)
    if found.envy:
        table.add_row("envy", "", dollars(found.envy) + " in all", "", "", "")
    return table


def seats_table(found: Simulation) -> Table:
    """Every seat's mean and deviation, and the correlation with the first seat."""
    table = figures("seats, dollars a round", "seat", "plays", "mean", "deviation", "with seat 1")
    for seat, strategy in enumerate(found.plan.seating.strategies):
        both = found.deviation[0] * found.deviation[seat]
        together = found.covariance[0][seat] / both if both else 0.0
        table.add_row(
            str(seat + 1),
            strategy,
            f"{found.net[seat] / 100:+.4f}",
            f"{found.deviation[seat] / 100:.4f}",
            f"{together:+.4f}",
        )
    return table


def spans_table(found: Simulation) -> Table:
    """Shifts and months: win, hold on drop, and how often the table loses."""
    table = figures("the table", "", "shift", "month")
    spans = found.shifts, found.months
    table.add_row("whole ones", *(f"{one.whole:,}" for one in spans))
    table.add_row("win, mean", *(dollars(round(one.win.mean)) for one in spans))
    table.add_row("win, deviation", *(dollars(round(one.win.deviation)) for one in spans))
    for share in (0.05, 0.5, 0.95):
        table.add_row(
            f"{100 * share:g} % win at most",
            *(quantile(one.win, share, money=True) for one in spans),
        )
    table.add_row("hold on drop, mean", *(percent(one.hold.mean) for one in spans))
    for share in (0.05, 0.95):
        table.add_row(
            f"{100 * share:g} % hold at most",
            *(quantile(one.hold, share, money=False) for one in spans),
        )
    table.add_row("the table loses", *(losing(one) for one in spans))
    return table


def quantile(spread: SummaryStatistics, share: float, *, money: bool) -> str:
    """One quantile, if there is anything to take it of."""
    if share not in spread.quantiles:
        return ""
    value = spread.quantiles[share]
    return dollars(round(value)) if money else percent(value)


def losing(span: PeriodSummary) -> str:
    """The share of losing spans with its interval."""
    if span.losing_share is None or span.losing_between is None:
        return ""
    low, high = span.losing_between
    return f"{100 * span.losing_share:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


def to_json(found: Simulation) -> dict[str, Any]:
    """A simulation as JSON: cents as integers, exact fractions as text."""
    plan = found.plan
    return {
        "game": found.house.game.key,
        "edition": found.house.game.edition,
        "digest": found.house.digest,
        "version": __version__,
        "rounds": plan.rounds,
        "seed": plan.seed,
        "ante": plan.seating.ante,
        "stakes": dict(plan.seating.stakes),
        "strategies": list(plan.seating.strategies),
        "hours": plan.hours._asdict(),
        "wagers": {
            wager.name: {
                "made": wager.made,
                "staked": wager.staked,
                "returned": wager.returned,
                "mean": wager.mean,
                "by_odds": wager.by_odds,
                "exact": None if wager.exact is None else str(wager.exact),
                "errors": list(wager.errors),
            }
            for wager in found.wagers
        },
        "meters": {
            meter.name: {**meter._asdict(), "stands": meter_text(meter.stands)}
            for meter in found.meters
        },
        "envy": found.envy,
        "net": list(found.net),
        "deviation": list(found.deviation),
        "covariance": [list(row) for row in found.covariance],
        "shifts": span_json(found.shifts),
        "months": span_json(found.months),
    }


def span_json(span: PeriodSummary) -> dict[str, Any]:
    """Shifts or months as JSON."""
    return {
        "count": span.whole,
        "win": spread_json(span.win),
        "hold": spread_json(span.hold),
        "losing": span.losing,
        "losing_share": span.losing_share,
        "losing_between": list(span.losing_between) if span.losing_between else None,
    }


def spread_json(spread: SummaryStatistics) -> dict[str, Any]:
    """Mean, deviation and quantiles as JSON."""
    quantiles = {f"{share:g}": value for share, value in spread.quantiles.items()}
    return {"mean": spread.mean, "deviation": spread.deviation, "quantiles": quantiles}


def plot(found: Simulation, target: Path) -> Path:
    """Draw the shifts' wins and how the sizes of awards are spread."""
    import matplotlib as mpl

    mpl.use("svg", force=False)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12 if found.hits else 7, 5), layout="constrained")
    places = figure.subplots(1, 2 if found.hits else 1, squeeze=False)[0]
    figure.suptitle(f"{found.house.game.title}, {found.plan.rounds:,} rounds")
    places[0].hist(found.shift_rows[:, 0] / 100, bins=60, color=INK)
    places[0].set_xlabel("win of a shift, dollars")
    places[0].set_ylabel("shifts")
    if found.hits:
        for meter in found.meters:
            sizes = sorted(hit.paid / 100 for hit in found.hits if hit.meter == meter.name)
            shares = [(at + 1) / len(sizes) for at in range(len(sizes))]
            places[1].step(sizes, shares, where="post", label=meter.name)
        places[1].set_xscale("log")
        places[1].set_xlabel("dollars paid by a meter")
        places[1].set_ylabel("share of awards at most so large")
        places[1].legend()
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    return target


def parquet(found: Simulation, target: Path) -> list[Path]:
    """The shifts and the awards as two files: NAME.parquet and NAME.awards.parquet."""
    import pyarrow as pa
    from pyarrow import parquet as files

    if target.suffix != ".parquet":
        raise BadInput(f"{target.name}: this is written as .parquet")
    about = {
        "croupier": __version__,
        "digest": found.house.digest,
        "seed": str(found.plan.seed),
        "rounds": str(found.plan.rounds),
    }
    rows = found.shift_rows
    shifts = pa.table(
        {"win_cents": rows[:, 0], "handle_cents": rows[:, 1], "drop_cents": rows[:, 2]}
    )
    awards = pa.table(
        {
            "meter": pa.array([hit.meter for hit in found.hits], pa.string()),
            "round": pa.array([hit.round for hit in found.hits], pa.int64()),
            "seat": pa.array([hit.seat for hit in found.hits], pa.int8()),
            "paid_cents": pa.array([hit.paid for hit in found.hits], pa.int64()),
        }
    )
    second = target.with_suffix(".awards.parquet")
    for table, path in ((shifts, target), (awards, second)):
        files.write_table(table.replace_schema_metadata(about), path)
    return [target, second]
