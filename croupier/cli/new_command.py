"""`croupier new`: a first Rules Submission, asked for question by question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.console import GameName, check_new, console, fail, new_file, waiting
from croupier.errors import BadInput, CroupierError

if TYPE_CHECKING:
    from croupier.games import Game
    from croupier.submission.interview import Question

app = typer.Typer()
TAKE_ALL, LEAVE = ".", "q"


@app.command()
def new(
    game: GameName,
    file: Annotated[
        Path | None, typer.Argument(help="The new file; GAME.toml when left out.")
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing: take what would be proposed.")
    ] = False,
    operator: Annotated[str, typer.Option(help="The name that the felt carries.")] = "",
) -> None:
    """Write a Rules Submission: asks what matters, and says what each answer would be worth."""
    try:
        from croupier.documents.console import submission_renderer
        from croupier.games import find
        from croupier.submission import draft, interview, toml_writer

        found = find(game)
        target = file or Path(f"{found.key}.toml")
        check_new(target)
        if defaults:
            with waiting("working out what the choices return"):
                data = interview.default_submission(found, operator)
        else:
            data = ask(found, operator)
        with waiting("writing the file"):
            new_file(target, toml_writer.toml(found, data).encode())
    except CroupierError as error:
        fail(error)
    submission_renderer.render(draft(target), console(), str(target))


def ask(game: Game, operator: str) -> dict[str, Any]:
    """Put every question to whoever is there, and take the answers."""
    from croupier.submission.interview import interview

    typer.echo(f"{game.title}. Enter takes what is in brackets, {TAKE_ALL} takes it for all that")
    typer.echo(f"is left, {LEAVE} leaves without a file.")
    asked = interview(game)
    taking_all = False
    question = next(asked)
    try:
        while True:
            if question.field == "operator.name" and operator and not question.refused:
                answer = operator
            elif taking_all and not question.refused:
                answer = ""
            else:
                answer = answer_to(question, game)
            if answer == TAKE_ALL:
                taking_all, answer = True, ""
            question = asked.send(answer)
    except StopIteration as done:
        found: dict[str, Any] = done.value
        return found


def answer_to(question: Question, game: Game) -> str:
    """One question on the screen, and what was typed."""
    from croupier.documents.console.submission_renderer import (
        format_alternative,
        pack_lines,
        wager_name,
    )

    out = console()
    if question.refused:
        out.print(f"  not possible: {question.refused}", style="red", markup=False, soft_wrap=True)
    else:
        cited = ", ".join(filter(None, (question.clause, question.reading)))
        out.print()
        told = f"{question.field}: {question.asks} [{cited}]"
        out.print(told, markup=False, highlight=False)
        out.print(f"  {question.allowed}", markup=False, highlight=False, style="dim")
        for each in question.prices:
            wager = wager_name(game, each.values[0].wager)
            pieces = [format_alternative(value) for value in each.values]
            for packed in pack_lines([f"{wager} returns:", *pieces], out.width - 4):
                out.print(f"  {packed}", markup=False, highlight=False, soft_wrap=True)
    try:
        answer = input(f"  [{question.proposed or 'not yet'}] ").strip()
    except EOFError:
        raise BadInput("the answers ended before the questions; nothing was written") from None
    if answer == LEAVE:
        raise BadInput("left; nothing was written")
    return answer
