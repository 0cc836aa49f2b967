"""The `croupier rulebook` command: clauses, readings and coverage of the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import GAME_OR_FILE_HELP, Json, complete_game, named_game
from croupier.cli.console import console, exit_on_error, print_json

if TYPE_CHECKING:
    from croupier.rulebook import Reading

app = typer.Typer()
READING_ID = re.compile(r"[a-z]+\d+", re.IGNORECASE)  # e.g. A15; no clause id has this form


@app.command(rich_help_panel="Rules", epilog="Example: croupier rulebook ultimate 7.F.1")
def rulebook(
    game: Annotated[
        str,
        typer.Argument(
            help=f"{GAME_OR_FILE_HELP} Or a reading: A15.", autocompletion=complete_game
        ),
    ] = "",
    clause: Annotated[str, typer.Argument(help="Clause, e.g. 11.H, or reading, e.g. A11.")] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count enforced, recorded and defined clauses.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show clauses, readings, and where they are enforced."""
    with exit_on_error("documents"):
        from croupier.documents.console import rulebook_renderer
        from croupier.games import catalogue
        from croupier.rulebook import reading

        if coverage:
            documents = [entry.document for entry in catalogue()]
            if as_json:
                print_json(rulebook_renderer.coverage_json(documents))
            else:
                rulebook_renderer.render_coverage(console(), documents)
            return
        id = clause or game
        if READING_ID.fullmatch(id):
            print_reading(reading(id, named_game(game).document if clause else None), as_json)
            return
        document = named_game(game).document
        if as_json:
            entries = [
                rulebook_renderer.clause_json(document, entry)
                for entry in rulebook_renderer.selected_clauses(document, clause)
            ]
            print_json(entries)
        else:
            rulebook_renderer.render(console(), document, clause)


def print_reading(reading: Reading, as_json: bool) -> None:
    """Print a reading: the adopted interpretation of an unclear clause."""
    from croupier.documents.console import rulebook_renderer

    if as_json:
        print_json(reading)
    else:
        rulebook_renderer.render_reading(console(), reading)
