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
    with_progress,
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
        from croupier import study
        from croupier.papers import plots

        if submission:
            house = house_for(submission, game)
            found = with_progress(lambda report: study.analyze(house, report), house.game.title)
        else:
            key = key_of(game)
            found = with_progress(lambda report: study.analyze_game(key, report), key)
        if plot:
            plots.plot(found, plot)
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "study")
    if as_json:
        typer.echo(json.dumps(study.to_json(found), indent=2))
    else:
        from croupier.papers.analyses import render

        console().print(render(found))


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
        from croupier import study

        house = house_for(submission, game)
        answers = with_progress(
            lambda report: study.advise(house, hand, board, street, progress=report),
            f"solving {house.game.title}",
        )
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
