"""The `croupier check` command: Rules Submissions against the regulations."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.arguments import GAME_OR_FILE_HELP, Json, complete_game, submission_file
from croupier.cli.console import console, exit_on_error, print_error, print_json

app = typer.Typer()


@app.command(rich_help_panel="Submissions", epilog="Example: croupier check harbor.toml")
def check(
    files: Annotated[
        list[str], typer.Argument(help=GAME_OR_FILE_HELP, autocompletion=complete_game)
    ],
    as_json: Json = False,
) -> None:
    """Check Rules Submissions and show the return of every wager."""
    from croupier.documents.console import submission_renderer
    from croupier.submission import draft

    legal = True
    for file in files:
        with exit_on_error("documents"):
            examination = draft(submission_file(file))
        legal = legal and examination.legal
        if as_json:
            data = submission_renderer.to_json(examination)
            print_json({"file": file, **data}, indent=None)
        elif not examination.unread:
            submission_renderer.render(examination, console(), file)
        if examination.unread:
            print_error(examination.unread)
    if not legal:
        raise typer.Exit(2)
