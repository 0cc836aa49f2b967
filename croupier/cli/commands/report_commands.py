"""The `croupier report` command: operational reports of shifts and gaming days."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import Json
from croupier.cli.console import exit_on_error, fold_lines, status, terminal_width
from croupier.cli.ledger_options import (
    DEFAULT_DATABASE,
    Database,
    OnTable,
    Since,
    Until,
    check_times,
    open_ledger,
)
from croupier.cli.output_files import check_output, write_new_file
from croupier.clock import parse_time
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.documents.reports.model import Report

app = typer.Typer()
REPORT_SUFFIXES = (".pdf", ".csv", ".json")


@app.command(rich_help_panel="Ledger", epilog="Example: croupier report day --database casino.db")
def report(
    kind: Annotated[
        str,
        typer.Argument(
            help="shift, day, wagers, progressive, payouts, decks, irregularities, "
            "tips, disputes or chips."
        ),
    ],
    database: Database = DEFAULT_DATABASE,
    table: OnTable = "",
    since: Since = "",
    until: Until = "",
    day: Annotated[str, typer.Option(help="Gaming day, instead of --since and --until.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: Json = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="New .pdf, .csv or .json file.")
    ] = None,
) -> None:
    """Print a report of a shift or gaming day."""
    with exit_on_error("ledger"):
        if day and (since or until):
            raise BadInput("use --day, or --since and --until, not both")
        check_times(since, until)
        with status("Opening the ledger"):
            from croupier.documents.reports.report_registry import REPORTS, UnknownReport
            from croupier.documents.reports.report_registry import report as make_report
        if kind not in REPORTS:
            raise UnknownReport(kind, REPORTS)
        if output is not None:
            if as_csv or as_json:
                raise BadInput("use --output, or --csv or --json, not both")
            check_output(output, REPORT_SUFFIXES)
    with exit_on_error("ledger"), open_ledger(database) as ledger:
        zone = ledger.administration.zone
        start, end = parse_time(since, zone), parse_time(until, zone)
        with status("Adding up the ledger"):
            result = make_report(ledger, kind, table=table, day=day, since=start, until=end)
        if output is not None:
            with status("Writing the report"):
                write_new_file(output, report_bytes(result, output))
            typer.echo(f"{output}: {result.title}")
            return
        form = "json" if as_json else "csv" if as_csv else "table"
        text = result.render(form, terminal_width())
        typer.echo((fold_lines(text) if form == "table" else text).rstrip("\n"))


def report_bytes(result: Report, output: Path) -> bytes:
    """A report in the format of the output file's suffix."""
    suffix = output.suffix.lower()
    if suffix != ".pdf":
        text: str = result.render(suffix[1:])
        return text.encode()
    with exit_on_error("documents"):
        from croupier.documents.reports.report_pdf import report_pdf

        return report_pdf(result)
