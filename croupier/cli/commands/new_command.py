"""The `croupier new` command: writes a Rules Submission after an interview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.arguments import GameName
from croupier.cli.console import console, exit_on_error, status
from croupier.cli.output_files import check_new_path, write_new_file
from croupier.errors import BadInput

if TYPE_CHECKING:
    from croupier.games import Game
    from croupier.submission.interview import Question

app = typer.Typer()
ACCEPT_ALL, QUIT = ".", "q"


@app.command(rich_help_panel="Submissions", epilog="Example: croupier new ultimate harbor.toml")
def new(
    game: GameName,
    file: Annotated[Path | None, typer.Argument(help="New file; default: GAME.toml.")] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Accept all proposed answers without asking.")
    ] = False,
    operator: Annotated[str, typer.Option(help="Name of the operator, shown on the felt.")] = "",
) -> None:
    """Write a new Rules Submission, question by question."""
    with exit_on_error("analysis"):
        from croupier.documents.console import submission_renderer
        from croupier.games import find
        from croupier.submission import draft, interview, toml_writer

        selected = find(game)
        target = file or Path(f"{selected.key}.toml")
        check_new_path(target)
        if defaults:
            with status("Computing the returns of the choices"):
                data = interview.default_submission(selected, operator)
        else:
            data = run_interview(selected, operator)
        with status("Writing the file"):
            write_new_file(target, toml_writer.toml(selected, data).encode())
    submission_renderer.render(draft(target), console(), str(target))


def run_interview(game: Game, operator: str) -> dict[str, Any]:
    """Ask every question on the console and return the answers."""
    from croupier.submission.interview import interview

    typer.echo(f"{game.title}. Press Enter to accept the answer in brackets,")
    typer.echo(f"{ACCEPT_ALL} to accept all remaining ones, {QUIT} to quit without a file.")
    questions = interview(game)
    accept_all = False
    question = next(questions)
    try:
        while True:
            if question.field.field == "operator.name" and operator and not question.refused:
                answer = operator
            elif accept_all and not question.refused:
                answer = ""
            else:
                answer = ask_question(question, game)
            if answer == ACCEPT_ALL:
                accept_all, answer = True, ""
            question = questions.send(answer)
    except StopIteration as end:
        answers: dict[str, Any] = end.value
        return answers


def ask_question(question: Question, game: Game) -> str:
    """Print one question with the value of its choices, and read the answer."""
    from croupier.documents.console.submission_renderer import (
        format_alternative,
        pack_lines,
        wager_name,
    )

    output = console()
    if question.refused:
        message = f"  not possible: {question.refused}"
        output.print(message, style="red", markup=False, soft_wrap=True)
    else:
        field = question.field
        cited = ", ".join(filter(None, (field.clause, field.reading)))
        output.print()
        output.print(f"{field.field}: {field.asks} [{cited}]", markup=False, highlight=False)
        output.print(f"  {question.allowed}", markup=False, highlight=False, style="dim")
        for price in question.prices:
            wager = wager_name(game, price.values[0].wager)
            pieces = [format_alternative(value) for value in price.values]
            given = f" with {', '.join(question.assumed)}" if question.assumed else ""
            for row in pack_lines([f"{wager} returns{given}:", *pieces], output.width - 4):
                output.print(f"  {row}", markup=False, highlight=False, soft_wrap=True)
    try:
        answer = input(f"  [{question.proposed or 'not yet'}] ").strip()
    except EOFError:
        raise BadInput("the input ended before the last question; nothing was written") from None
    if answer == QUIT:
        raise BadInput("quit; nothing was written")
    return answer
