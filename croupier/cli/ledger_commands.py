"""Commands that carry the record elsewhere: export, import, backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.ledger_options import DEFAULT, Database, opened, progressing, refusals
from croupier.errors import BadInput

commands = typer.Typer()


def told(counts: dict[str, int]) -> str:
    """Lines of an export by their type."""
    return ", ".join(f"{count:,} {kind}" for kind, count in counts.items())


@commands.command("export")
def export_record(
    target: Annotated[Path, typer.Argument(help="The new file to write: JSON Lines.")],
    database: Database = DEFAULT,
    first: Annotated[str, typer.Option(help="Only from this closed gaming day on.")] = "",
    last: Annotated[str, typer.Option(help="Only up to this closed and signed day.")] = "",
) -> None:
    """Write the record as JSON Lines, readable and provable without Croupier."""
    with refusals(), opened(database) as ledger, progressing("exporting") as progress:
        from croupier.ledger import transfer

        if first and not last:
            raise BadInput("a stretch ends with a closed and signed day; name it with --last")
        if last:
            counts = transfer.archive_days(
                ledger, target, first=first or last, last=last, progress=progress
            )
        else:
            counts = transfer.export_file(ledger, target, progress=progress)
        typer.echo(told(counts))


@commands.command("import")
def import_record(
    sources: Annotated[
        list[Path],
        typer.Argument(help="A file that `croupier export` wrote; then archives that continue it."),
    ],
    database: Database = DEFAULT,
) -> None:
    """Read an exported record, or all its archives in their order, into a new database."""
    with refusals(), progressing("importing") as progress:
        from croupier.ledger.transfer import import_file

        first, *more = sources
        typer.echo(told(import_file(first, database, more=more, progress=progress)))


@commands.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The new SQLite file to write.")],
    database: Database = DEFAULT,
) -> None:
    """Copy a ledger that is in use; the copy can be verified, reported on and restored from."""
    with refusals(), progressing("copying") as progress:
        from croupier.ledger.transfer import backup_to

        head = backup_to(database, target, progress=progress)
        typer.echo(f"{head.size:,} entries, root {head.root.hex()}")


@commands.command()
def restore(
    source: Annotated[Path, typer.Argument(help="A file that `croupier backup` wrote.")],
    database: Database = DEFAULT,
) -> None:
    """Build a new ledger out of a backup, every entry checked."""
    with refusals(), progressing("restoring") as progress:
        from croupier.ledger.transfer import restore_from

        head = restore_from(source, database, progress=progress)
        typer.echo(f"{head.size:,} entries, root {head.root.hex()}")
