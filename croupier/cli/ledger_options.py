"""Options, opening and progress shared by the commands that use a ledger."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import progress_console, status
from croupier.clock import parse_time

if TYPE_CHECKING:
    from croupier.ledger import Ledger

DATABASE_HELP = "Database file or URL."
Database = Annotated[
    str, typer.Option("--database", envvar="CROUPIER_DATABASE", help=DATABASE_HELP)
]
DatabaseArgument = Annotated[str, typer.Argument(help=DATABASE_HELP)]
DEFAULT_DATABASE = "croupier.db"
Since = Annotated[str, typer.Option(help="Start time, e.g. 2026-11-15 or 2026-11-15T18:00.")]
Until = Annotated[str, typer.Option(help="End time.")]
OnTable = Annotated[str, typer.Option(help="Only this table.")]


@contextmanager
def open_ledger(database: str, *, readonly: bool = True) -> Iterator[Ledger]:
    """Open an existing ledger; raises NotFound instead of creating a new one."""
    with status("Opening the ledger"):
        from croupier.ledger import Ledger

        ledger = Ledger(database, create=False, readonly=readonly)
    with ledger:
        yield ledger


@contextmanager
def entry_progress(title: str) -> Iterator[Callable[[int], None] | None]:
    """A progress bar over a number of entries; None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda completed: progress.update(task, completed=completed)


def check_times(*texts: str) -> None:
    """Raise BadInput for an invalid time before the ledger is opened."""
    for text in texts:
        parse_time(text, dt.UTC)
