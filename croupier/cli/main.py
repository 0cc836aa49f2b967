"""The program: every command, and how it begins and ends."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from croupier.cli import (
    account_commands,
    analysis_commands,
    audit_commands,
    document_commands,
    ledger_commands,
    ledger_commands_found,
    new_command,
    play_commands,
    player_audit_command,
    randomness_command,
    serve_command,
    simulate_command,
)
from croupier.cli.lazy_commands import asked_for

__all__ = ["app", "main", "player_audit_command"]

app = typer.Typer(
    name="croupier",
    help="Runs, proves and documents regulated casino poker table games.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def tell_version(asked: bool) -> None:
    """`croupier --version`."""
    if asked:
        from croupier import __version__

        typer.echo(f"croupier {__version__}")
        raise typer.Exit


@app.callback()
def croupier(
    version: Annotated[
        bool,
        typer.Option("--version", callback=tell_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Runs, proves and documents regulated casino poker table games."""


for commands in (
    *(
        play_commands.app,
        new_command.app,
        analysis_commands.app,
        simulate_command.app,
        randomness_command.app,
        document_commands.app,
    ),
    *(
        audit_commands.commands,
        ledger_commands.commands,
        serve_command.app,
        ledger_commands_found.app,
        account_commands.app,
    ),
):
    app.add_typer(commands)
app.add_typer(audit_commands.app, name="audit")


def main() -> None:
    """The entry point: nobody who leaves a game waits for what the coach was working out."""
    try:
        run()
    except SystemExit as ended:
        terminal = sys.modules.get("croupier.terminal")
        if terminal is not None and terminal.at_work():
            leave(ended.code)
        raise


def run() -> None:
    """What was asked for; a closed pipe or Ctrl-C ends quietly."""
    try:
        asked_for(app, sys.argv[1:])()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def leave(status: object) -> None:
    """End at once: Python itself would wait until the threads of the coach have done."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))
