"""Ledger commands: `croupier found`, `export`, `import`, `backup`, `restore`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.console import exit_on_error
from croupier.cli.identity import COMMAND_LINE, accounts_of, identify, read_new_password
from croupier.cli.ledger_options import (
    DEFAULT_DATABASE,
    Database,
    entry_progress,
    open_ledger,
)
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.ledger import Ledger

app = typer.Typer()
PANEL = "Ledger"


@app.command(
    "found",
    rich_help_panel=PANEL,
    epilog="Example: croupier found --live --founder olga --founder otto",
)
def create_ledger(
    live: Annotated[
        bool,
        typer.Option("--live/--practice", help="For real money at staffed tables, or practice."),
    ],
    timezone: Annotated[str, typer.Option(help="Time zone of the property.")] = "America/New_York",
    day_starts: Annotated[str, typer.Option(help="Start of the gaming day, local time.")] = "06:00",
    founder: Annotated[
        list[str] | None,
        typer.Option("--founder", help="Operator who appoints the others; twice, for --live."),
    ] = None,
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Create a live or practice ledger.

    A live ledger is founded by two operators, who enter their passwords here and appoint everybody
    else. Purpose, time zone and start of the gaming day cannot be changed later. `croupier serve`
    creates a practice ledger if there is none.
    """
    with exit_on_error("server" if live else "ledger"):
        from croupier.ledger import Ledger, NotFound
        from croupier.ledger.aggregates.account_register import FOUNDERS
        from croupier.ledger.aggregates.administration import check_founding
        from croupier.table.core.roles import normalize_id

        purpose: Literal["live", "practice"] = "live" if live else "practice"
        check_founding(timezone, day_starts)
        names = [*map(normalize_id, founder or ())]
        with suppress(NotFound), Ledger(database, create=False, readonly=True) as existing:
            if not names or existing.purpose != "live" or existing.accounts.refresh().founded:
                what = format_ledger(database, existing)
                raise BadInput(f"{what}: it already exists and cannot be changed")
        if len({*names}) != len(names) or len(names) != (FOUNDERS if live else 0):
            expected = f"{FOUNDERS} different people, each as --founder NAME" if live else "none"
            raise BadInput(f"founders of a {purpose} ledger: expected {expected}, got {len(names)}")
        passwords = {name: read_new_password(name) for name in names}
        with Ledger(database, purpose=purpose, timezone=timezone, day_starts=day_starts) as ledger:
            if live:
                with accounts_of(ledger) as accounts:
                    accounts.found(passwords)
            typer.echo(format_ledger(database, ledger))


def format_ledger(database: str, ledger: Ledger) -> str:
    """Purpose and gaming day of a ledger in one line."""
    founded = ledger.administration.founded
    assert founded is not None, "an open ledger has its founding entry"
    days = f"gaming days start at {founded.day_starts}, {founded.timezone}"
    return f"{database}: a {founded.purpose} ledger; {days}"


def format_counts(counts: dict[str, int]) -> str:
    """Number of exported or imported lines by type."""
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.items())


@app.command(
    "export",
    rich_help_panel=PANEL,
    epilog="Example: croupier export casino.jsonl --database casino.db",
)
def export_ledger(
    target: Annotated[Path, typer.Argument(help="New JSON Lines file.")],
    database: Database = DEFAULT_DATABASE,
    first: Annotated[str, typer.Option(help="First gaming day; must be closed.")] = "",
    last: Annotated[str, typer.Option(help="Last gaming day; must be closed and signed.")] = "",
) -> None:
    """Export the ledger, or some days of it, as JSON Lines."""
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        from croupier.ledger import backup_and_export

        with entry_progress("Exporting") as progress:
            if first and not last:
                raise BadInput("--first requires --last, a closed and signed gaming day")
            if last:
                counts = backup_and_export.archive_days(
                    ledger, target, first=first or last, last=last, progress=progress
                )
            else:
                counts = backup_and_export.export_file(ledger, target, progress=progress)
        typer.echo(format_counts(counts))


@app.command(
    "import",
    rich_help_panel=PANEL,
    epilog="Example: croupier import casino.jsonl --database copy.db",
)
def import_ledger(
    sources: Annotated[
        list[Path],
        typer.Argument(help="File of `croupier export`, then the archives that continue it."),
    ],
    database: Database = DEFAULT_DATABASE,
) -> None:
    """Import an exported ledger into a new database."""
    with exit_on_error("ledger"), entry_progress("Importing") as progress:
        from croupier.ledger.backup_and_export import import_file

        first, *more = sources
        typer.echo(format_counts(import_file(first, database, more=more, progress=progress)))


@app.command(rich_help_panel=PANEL, epilog="Example: croupier backup copy.db --database casino.db")
def backup(
    target: Annotated[Path, typer.Argument(help="New SQLite file.")],
    database: Database = DEFAULT_DATABASE,
    keys: Annotated[
        list[Path] | None,
        typer.Option("--key", help="File of a signing key to include; repeatable."),
    ] = None,
) -> None:
    """Back up a ledger with accounts and keys, even in use."""
    with exit_on_error("ledger"), entry_progress("Copying") as progress:
        from croupier.ledger.backup_and_export import backup_to, other_parts

        head = backup_to(database, target, keys=keys or [], progress=progress)
        typer.echo(f"{head.size:,} entries, root {head.root.hex()}")
        for path in other_parts(target, target):
            typer.echo(path)


@app.command(rich_help_panel=PANEL, epilog="Example: croupier restore copy.db --database new.db")
def restore(
    source: Annotated[Path, typer.Argument(help="File of `croupier backup`.")],
    database: Database = DEFAULT_DATABASE,
    replace: Annotated[
        bool, typer.Option("--replace", help="Rename the files of a ledger at this place.")
    ] = False,
    by: Annotated[str, typer.Option(help="Who restores it, as ROLE:NAME.")] = COMMAND_LINE,
) -> None:
    """Restore a backup, check every entry, and record it."""
    with exit_on_error("ledger"):
        from croupier.server.server_lock import is_served

        if replace and is_served(database):
            raise BadInput(f"{database} is served at present; stop the server, then restore")
        account = identify(database, by, unattended=COMMAND_LINE, backup=str(source))
    with exit_on_error("ledger"), entry_progress("Restoring") as progress:
        from croupier.ledger.backup_and_export import other_parts, restore_from

        head = restore_from(source, database, by=account, replace=replace, progress=progress)
        typer.echo(f"{head.size:,} entries, root {head.root.hex()}")
        for path in other_parts(source, database):
            typer.echo(path)
