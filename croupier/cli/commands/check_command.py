"""The `croupier check` command: Rules Submissions against the regulations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import console

app = typer.Typer()


@app.command(rich_help_panel="Submissions")
def check(
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions (TOML files).")],
    as_json: Json = False,
) -> None:
    """Check Rules Submissions and show the return of every wager."""
    from croupier.documents.console import submission_renderer
    from croupier.submission import draft

    legal = True
    for file in files:
        examination = draft(file)
        legal = legal and examination.legal
        if as_json:
            typer.echo(json.dumps({"file": str(file), **submission_renderer.to_json(examination)}))
        elif not examination.unread:
            submission_renderer.render(examination, console(), str(file))
        if examination.unread:
            typer.echo(f"error: {examination.unread}", err=True)
    if not legal:
        raise typer.Exit(2)
