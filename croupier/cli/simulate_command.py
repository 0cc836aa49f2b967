"""`croupier simulate`: full tables over millions of rounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import (
    Json,
    cents,
    check_kind,
    check_new,
    console,
    fail,
    house_for,
    missing_extra,
    progress_console,
)
from croupier.errors import BadInput, CroupierError

app = typer.Typer()


def whole(text: str, what: str) -> int:
    """A whole number as a user writes it: "1000000", "1_000_000", "1e6"."""
    try:
        value = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        value = -1.0
    if value < 1 or value != int(value):
        raise BadInput(f"{text!r} is no number of {what}; expected such as 1_000_000 or 1e6")
    return int(text.replace(",", "")) if text.replace("_", "").isdigit() else int(value)


@contextmanager
def progress_bar(title: str, rounds: int) -> Iterator[Callable[[int, int], None]]:
    """A bar with the rate and the remaining time, where somebody watches."""
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} rounds/s" if speed else "", style="progress.data.speed")

    target = progress_console()
    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"),
        Rate(), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    hidden = not target.is_terminal
    with Progress(*columns, console=target, transient=True, disable=hidden) as bars:
        task = bars.add_task(title, total=rounds)
        yield lambda done, _: bars.update(task, completed=done)


@app.command()
def simulate(
    submission: Annotated[
        str, typer.Argument(help="A Rules Submission (harbor.toml), or a game's name.")
    ],
    rounds: Annotated[str, typer.Option(help="Rounds to play: 100_000_000 or 1e8.")] = "1e6",
    seats: Annotated[int, typer.Option(help="Seats, 1 to 6.")] = 6,
    ante: Annotated[str, typer.Option(help="Dollars on the ante; the least if left out.")] = "",
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            help="How a seat plays, from the first on; the last is that of all others. optimal, "
            "chart, early, late, never_bet."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed plays other rounds.")] = 1,
    rounds_per_hour: Annotated[int, typer.Option(help="How fast the table is.")] = 40,
    hours: Annotated[int, typer.Option(help="Hours of a shift.")] = 8,
    shifts_per_month: Annotated[int, typer.Option(help="Shifts that make a month.")] = 90,
    stay: Annotated[int, typer.Option(help="Rounds that a player stays.")] = 120,
    buy_in: Annotated[
        str, typer.Option(help="Dollars that a player buys, again and again when out of chips.")
    ] = "",
    workers: Annotated[int | None, typer.Option(help="So many processes.")] = None,
    cluster: Annotated[str, typer.Option(help="A Dask scheduler: tcp://host:8786.")] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the blocks that a stopped run left.")
    ] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw shifts and awards: .svg or .pdf.")] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write shifts and awards: .parquet.")] = None,
    as_json: Json = False,
) -> None:
    """Play full tables: every wager against its exact value, meters, seats, shifts, months."""
    try:
        from croupier import analysis
        from croupier.documents.console import simulation_renderer

        for path, kinds in ((plot, simulation_renderer.PLOT_SUFFIXES), (parquet, (".parquet",))):
            if path:
                check_kind(path, kinds)
                check_new(path)
        path = Path(submission)
        house = house_for(path, "") if path.suffix == ".toml" else house_for(None, submission)
        count = whole(rounds, "rounds")
        time = analysis.TableHours(
            rounds_per_hour, hours, shifts_per_month, stay, cents(buy_in) if buy_in else 0
        )
        with progress_bar(house.game.title, count) as report:
            found = analysis.simulate(
                house,
                count,
                seats=seats,
                ante=cents(ante) if ante else None,
                strategies=tuple(strategy or ("optimal",)),
                seed=seed,
                hours=time,
                workers=workers,
                cluster=cluster or None,
                resume=resume,
                report=report,
            )
        if plot:
            simulation_renderer.plot(found, plot)
        if parquet:
            simulation_renderer.parquet(found, parquet)
    except (CroupierError, OSError) as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "simulate" if cluster or parquet else "analysis")
    if as_json:
        typer.echo(json.dumps(simulation_renderer.to_json(found), indent=2))
    else:
        console().print(simulation_renderer.render(found))
