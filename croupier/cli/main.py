"""The root command: registers all commands and maps their outcomes to exit codes."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from croupier.cli.commands import (
    account_commands,
    analysis_commands,
    audit_commands,
    check_command,
    document_commands,
    example_command,
    gaming_command,
    ledger_commands,
    new_command,
    play_command,
    randomness_command,
    replay_command,
    report_commands,
    rulebook_command,
    serve_command,
    simulate_command,
    software_commands,
)

__all__ = ["app", "main"]

app = typer.Typer(
    name="croupier",
    help="Deal, settle, analyze and document regulated casino poker table games.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def print_version(value: bool) -> None:
    """Print the version and exit."""
    if value:
        from croupier.software_identity import version_text

        typer.echo(f"croupier {version_text()}")
        raise typer.Exit


@app.callback()
def croupier(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Deal, settle, analyze and document regulated casino poker table games."""


# The order of the panels and commands in `croupier --help`.
for commands in (
    play_command,
    rulebook_command,
    replay_command,
    example_command,
    new_command,
    check_command,
    document_commands,
    analysis_commands,
    simulate_command,
    randomness_command,
    serve_command,
    software_commands,
    account_commands,
    gaming_command,
    ledger_commands,
    report_commands,
):
    app.add_typer(commands.app)
app.add_typer(audit_commands.app, name="audit", rich_help_panel="Ledger")


def main() -> None:
    """Run the program; exit without waiting for a coach that is still solving a game."""
    try:
        run()
    except SystemExit as error:
        terminal = sys.modules.get("croupier.terminal")
        if terminal is not None and terminal.coach_is_solving():
            exit_at_once(error.code)
        raise


def run() -> None:
    """Run the command in `sys.argv`; a closed pipe exits with 1, Ctrl-C with 130."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def exit_at_once(status: object) -> None:
    """Exit without joining threads; a normal exit would wait for the coach's solver."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))
