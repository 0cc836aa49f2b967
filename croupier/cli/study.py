"""Commands of the exact mathematics: analyze, advise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.common import (
    Json,
    console,
    fail,
    house_for,
    key_of,
    missing_extra,
    progress_console,
)
from croupier.errors import CroupierError

app = typer.Typer()


@app.command()
def analyze(
    game: Annotated[str, typer.Argument(help="A game's name.")] = "",
    submission: Annotated[
        Path | None, typer.Option(help="Only this Rules Submission, not every paytable.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the distribution and the chart: .svg or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Work out exactly what every wager returns, how it is distributed and how to play it."""
    try:
        from croupier.study import plot as drawing
        from croupier.study import report

        source = house_for(submission, game) if submission else key_of(game)
        found = report.analysis(source, progress_console())
        if plot:
            drawing.plot(found, plot)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "study")
    if as_json:
        typer.echo(json.dumps(found, indent=2))
    else:
        console().print(report.render(found))


@app.command()
def advise(
    game: Annotated[str, typer.Argument(help="A game's name.")],
    hand: Annotated[str, typer.Option(help='The player\'s cards: "Kd 2d".')],
    board: Annotated[str, typer.Option(help="The community cards shown so far.")] = "",
    street: Annotated[str, typer.Option(help="The street, where the board does not say.")] = "",
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: Json = False,
) -> None:
    """Say what every legal option is worth, exactly, in units of one ante."""
    try:
        from croupier.study.advice import advise as ask
        from croupier.study.report import with_progress

        house = house_for(submission, game)
        answers = with_progress(
            progress_console(),
            lambda report: {"options": ask(house, hand, board, street, progress=report)},
            f"solving {house.game.title}",
        )["options"]
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "study")
    if as_json:
        options = {word: {"ev": str(ev), "value": float(ev)} for word, ev in answers}
        typer.echo(json.dumps({"game": house.game.key, "best": answers[0][0], "options": options}))
        return
    for word, ev in answers:
        typer.echo(f"{word:6} {float(ev):+.6f} antes  ({ev})")
