"""The `croupier warm` command: compiles kernels and solves the games before they are needed."""

from __future__ import annotations

from functools import partial

import typer

from croupier.cli.console import Report, exit_on_error, with_progress

app = typer.Typer()
ROUNDS = 1_000  # of a simulation: enough to compile it


@app.command(rich_help_panel="Mathematics", epilog="Example: croupier warm")
def warm() -> None:
    """Compile and solve all games now, for fast first answers."""
    with exit_on_error("analysis"):
        from croupier.games import CATALOGUE

        for game in CATALOGUE:
            with_progress(partial(warm_game, game.key), game.title)
            typer.echo(f"ready: {game.title}")


def warm_game(key: str, report: Report) -> None:
    """Use the solver, the prices of strategies and the simulator of a game once."""
    from croupier import analysis
    from croupier.submission import example

    house = example(key)
    analysis.optimal_strategy(house, report)
    rules = analysis.practical_strategy(key)
    if rules is not None:
        analysis.strategy_cost(house, rules, report)
    analysis.simulate(house, ROUNDS, seats=house.positions)
