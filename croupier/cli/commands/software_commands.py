"""Commands about the installed software: verify it, compile it, what it meets."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Annotated

import typer

from croupier.cli.console import (
    Report,
    exit_on_error,
    fail,
    fold_lines,
    print_json,
    with_progress,
)

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


@app.command(rich_help_panel="Server", epilog="Example: croupier dossier COMAR")
def dossier(
    standard: Annotated[
        str, typer.Argument(help="Only requirements whose id starts so, e.g. GLI-19 or COMAR.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """List what GLI-19 and COMAR demand, with verdict, code and test.

    Codes and tests are paths in the source distribution.
    """
    from croupier.rulebook.dossier import requirements

    rows = [row for row in requirements() if row.id.lower().startswith(standard.lower())]
    if not rows:
        fail(f"no requirement starts with {standard!r}; expected for example GLI-19 or COMAR")
    if json:
        print_json(rows)
        return
    for row in rows:
        typer.echo(fold_lines(f"{row.id}: {row.verdict}\n  {row.requires}\n  {row.how}"))
        for name, path in (("code", row.code), ("test", row.test)):
            if path:
                typer.echo(f"  {name}: {path}")
    counts = Counter(row.verdict for row in rows)
    typer.echo(", ".join(f"{verdict}: {count}" for verdict, count in counts.items()))
