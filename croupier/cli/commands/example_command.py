"""The `croupier example` command: writes files to try the other commands on."""

from __future__ import annotations

import gzip
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from croupier.cli.arguments import complete_game, game_key
from croupier.cli.console import exit_on_error
from croupier.cli.output_files import check_output, write_new_file

app = typer.Typer()
LEDGER = "example.jsonl.gz"  # an export, written by `make docs`


@app.command(rich_help_panel="Submissions", epilog="Example: croupier example harbor.toml")
def example(
    file: Annotated[
        Path,
        typer.Argument(help="New file: harbor or harbor.toml (a submission), casino.db (ledger)."),
    ],
    game: Annotated[
        str, typer.Option(help="Game of the submission.", autocompletion=complete_game)
    ] = "ultimate",
) -> None:
    """Write an example Rules Submission or ledger to try things on."""
    with exit_on_error("ledger"):
        file = file if file.suffix else file.with_suffix(".toml")
        check_output(file, (".toml", ".db"))
        if file.suffix.lower() == ".toml":
            write_submission(file, game)
            typer.echo(f"{file}: a Rules Submission with every wager; try: croupier check {file}")
        else:
            write_ledger(file)
            typer.echo(f"{file}: tables A to F; try: croupier audit verify {file}")


def write_submission(file: Path, game: str) -> None:
    """Write the example submission of a game."""
    from croupier.submission import example_path

    write_new_file(file, example_path(game_key(game)).read_bytes())


def write_ledger(file: Path) -> None:
    """Import the example ledger, which verifies every entry."""
    from croupier.ledger.backup_and_export import import_file

    packed = resources.files("croupier.ledger").joinpath(LEDGER).read_bytes()
    with TemporaryDirectory() as folder:
        export = Path(folder) / "example.jsonl"
        export.write_bytes(gzip.decompress(packed))
        import_file(export, file)
