"""Commands about the installed software: verify it, compile it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from croupier.cli.console import Report, exit_on_error, with_progress

app = typer.Typer()
ROUNDS = 1_000  # of a simulation: enough to compile it


@app.command("self-check", rich_help_panel="Server", epilog="Example: croupier self-check")
def self_check_command(
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Verify the installed files."""
    import msgspec

    from croupier.software_identity import self_check, version_text

    result = self_check()
    if json:
        typer.echo(msgspec.json.encode(result).decode())
    else:
        typer.echo(f"croupier {version_text()}, {result.files} files")
        typer.echo(f"SHA-256 {result.digest}")
        for problem in result.problems:
            typer.echo(problem)
        if not result.has_manifest:
            typer.echo("no manifest: installed from a source folder, not from a wheel")
        elif result.ok:
            typer.echo("verified: every file agrees with the manifest")
    if not result.ok:
        raise typer.Exit(1)


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
