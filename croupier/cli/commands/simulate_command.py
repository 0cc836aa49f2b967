"""The `croupier simulate` command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.arguments import GameOrFile, Json, load_house, parse_cents, parse_count
from croupier.cli.console import (
    COMPILING,
    console,
    exit_on_error,
    print_json,
    print_player_edges,
    progress_console,
)
from croupier.cli.output_files import check_output

app = typer.Typer()


@contextmanager
def round_progress(title: str, rounds: int) -> Iterator[Callable[[int, int], None]]:
    """A progress bar with rate and remaining time, hidden if standard error is not a terminal."""
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

    from croupier.analysis.compile_events import on_compilation

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
    with Progress(*columns, console=target, transient=True, disable=hidden) as progress:
        task = progress.add_task(title, total=rounds)
        with on_compilation(lambda: progress.update(task, description=COMPILING)):
            yield lambda completed, _: progress.update(task, completed=completed, description=title)


@app.command(
    rich_help_panel="Mathematics",
    epilog="Example: croupier simulate harbor.toml --rounds 1e8 --workers 2",
)
def simulate(
    game: GameOrFile,
    rounds: Annotated[str, typer.Option(help="Number of rounds: 100_000_000 or 1e8.")] = "1e6",
    seats: Annotated[
        int | None, typer.Option(help="Number of seats; default: every position of the table.")
    ] = None,
    ante: Annotated[str, typer.Option(help="Ante in dollars; default: the minimum.")] = "",
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            help="Strategy of each seat from the first on: optimal, chart, early, late, "
            "never_bet; repeatable. The last one applies to all remaining seats."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 1,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds per hour.")] = 40,
    hours: Annotated[int, typer.Option(help="Hours per shift.")] = 8,
    shifts_per_month: Annotated[int, typer.Option(help="Shifts per month.")] = 90,
    stay: Annotated[int, typer.Option(help="Rounds a player stays.")] = 120,
    buy_in: Annotated[
        str, typer.Option(help="Buy-in of a player in dollars, repeated when out of chips.")
    ] = "",
    workers: Annotated[int | None, typer.Option(help="Number of processes.")] = None,
    cluster: Annotated[str, typer.Option(help="Dask scheduler, e.g. tcp://host:8786.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="New .svg or .pdf file with shifts and awards.")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="New .parquet file with shifts and awards.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Simulate full tables over millions of rounds."""
    with exit_on_error("simulate" if cluster or parquet else "analysis"):
        from croupier import analysis
        from croupier.documents.console import simulation_renderer

        if plot:
            check_output(plot, simulation_renderer.PLOT_SUFFIXES)
        if parquet:
            check_output(parquet, (".parquet",))
        house = load_house(game, for_analysis=True)
        count = parse_count(rounds, "--rounds")
        table_hours = analysis.TableHours(
            rounds_per_hour, hours, shifts_per_month, stay, parse_cents(buy_in) if buy_in else 0
        )
        with round_progress(house.game.title, count) as report:
            result = analysis.simulate(
                house,
                count,
                seats=house.positions if seats is None else seats,
                ante=parse_cents(ante) if ante else None,
                strategies=tuple(strategy or ("optimal",)),
                seed=seed,
                hours=table_hours,
                workers=workers,
                cluster=cluster or None,
                resume=resume,
                report=report,
            )
        if plot:
            simulation_renderer.plot(result, plot)
        if parquet:
            simulation_renderer.parquet(result, parquet)
    if as_json:
        print_json(simulation_renderer.to_json(result))
    else:
        print_player_edges(house)
        console().print(simulation_renderer.render(result))
