"""The `croupier replay` command: plays scenario files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import print_error
from croupier.errors import CroupierError

app = typer.Typer()


@app.command(rich_help_panel="Rules", epilog="Example: croupier replay round.json --json")
def replay(
    files: Annotated[list[Path], typer.Argument(help="Scenarios (JSON files).")],
    as_json: Json = False,
    events: Annotated[bool, typer.Option("--events", help="Add all events to the JSON.")] = False,
) -> None:
    """Play scenario files and show how every wager is settled.

    Prints text on a terminal, and one JSON object per line in a pipe or with --json.
    """
    from croupier.table.scenario import scenario
    from croupier.table.scenario.replay import ScenarioReplay, replay_result

    as_text = not as_json and not events and sys.stdout.isatty()
    failed = False
    for file in files:
        try:
            replayed = ScenarioReplay(scenario.load(file))
            table = replayed.play()
        except CroupierError as error:
            failed = True
            if not as_text:
                typer.echo(json.dumps({"file": str(file), "error": str(error)}))
            print_error(f"{file}: {error}")
            continue
        if as_text and table.round is not None:
            from croupier.documents.console import round_renderer

            typer.echo(
                f"{file}: {round_renderer.render(table.round, replayed.events, table.meters)}"
            )
            continue
        typer.echo(json.dumps(replay_result(replayed, with_events=events)))
    if failed:
        raise typer.Exit(2)
