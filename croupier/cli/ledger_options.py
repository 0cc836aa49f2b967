"""What the commands of the record share: opening it, moments, progress, refusals."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from croupier.cli.console import fail, missing_extra, progress_console, waiting
from croupier.errors import BadInput, CroupierError

Database = Annotated[
    str,
    typer.Option(
        "--database", envvar="CROUPIER_DATABASE", help="A SQLite file or a database address."
    ),
]
DEFAULT = "croupier.db"
Since = Annotated[str, typer.Option(help="From this moment on: 2026-11-15 or 2026-11-15T18:00.")]
Until = Annotated[str, typer.Option(help="Up to this moment.")]
OnTable = Annotated[str, typer.Option(help="Only this table.")]


@contextmanager
def refusals() -> Iterator[None]:
    """Every refusal becomes a sentence and exit status 2."""
    try:
        yield
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "ledger")
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else error)
    except UnicodeError as error:
        fail(error)


@contextmanager
def opened(database: str, *, readonly: bool = True) -> Iterator[Any]:
    """A ledger that is there already; looking something up must not found a new one."""
    with waiting("opening the record"):
        from croupier.ledger import Ledger

        ledger = Ledger(database, create=False, readonly=readonly)
    with ledger:
        yield ledger


@contextmanager
def progressing(what: str) -> Iterator[Callable[[int], None] | None]:
    """A progress bar where somebody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done: progress.update(task, completed=done)


def check_moments(*texts: str) -> None:
    """Refuse what is no moment before anything is opened for it."""
    for text in texts:
        moment(text, dt.UTC)


def moment(text: str, zone: dt.tzinfo) -> dt.datetime | None:
    """A moment as a user writes it; without a zone it is that of the property."""
    if not text:
        return None
    try:
        found = dt.datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=zone)
    except ValueError:
        raise BadInput(f"{text!r} is not a moment; expected such as 2026-11-15T18:00") from None
