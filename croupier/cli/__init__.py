"""The command line; each command is a few lines that call one room."""

from __future__ import annotations

import sys

import typer

from croupier.cli import audit, game, papers, serve, study

__all__ = ["app", "main"]

app = typer.Typer(
    name="croupier",
    help="Runs, proves and documents regulated casino poker table games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for commands in (game.app, study.app, papers.app, audit.commands, serve.app):
    app.add_typer(commands)
app.add_typer(audit.app, name="audit")


def main() -> None:
    """The entry point: a closed pipe or Ctrl-C ends quietly."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
