"""The commands; each is a few lines that call one room."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from croupier.errors import CroupierError

app = typer.Typer(
    name="croupier",
    help="Runs, proves and documents regulated casino poker table games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def fail(error: object) -> NoReturn:
    """Bad input: say what and where on standard error, exit status 2."""
    typer.echo(f"error: {error}", err=True)
    raise typer.Exit(2)


def console() -> Any:
    """A Rich console on standard output, imported only when something is drawn."""
    from rich.console import Console

    return Console()


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="A game's name; asked for when left out.")] = "",
    seed: Annotated[int | None, typer.Option(help="Shuffle from this seed.")] = None,
    submission: Annotated[
        Path | None, typer.Option(help="Play under this Rules Submission.")
    ] = None,
    players: Annotated[int, typer.Option(help="Other players at the table, 0 to 5.")] = 0,
    bankroll: Annotated[str | None, typer.Option(help="Start over with this many dollars.")] = None,
    seat: Annotated[
        list[int] | None, typer.Option(help="Your seat; repeat for more boxes.")
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Read answers from standard input.")
    ] = False,
    plain: Annotated[bool, typer.Option("--ascii", help="No suit symbols, no lines.")] = False,
    full_procedure: Annotated[
        bool, typer.Option("--full-procedure", help="Walk through the opening of the table first.")
    ] = False,
) -> None:
    """Play a game in the terminal."""
    from croupier import terminal

    try:
        status = terminal.play(
            game=game,
            seed=seed,
            submission=submission,
            bankroll=bankroll,
            seats=tuple(seat or ()),
            players=players,
            answers=answers,
            ascii=plain,
            full_procedure=full_procedure,
            advisor=adviser(),
        )
    except CroupierError as error:
        fail(error)
    raise typer.Exit(status)


def adviser() -> Any:
    """Exact hints for the terminal game, where the study room is installed."""
    from importlib.util import find_spec

    if find_spec("numba") is None:
        return None
    from croupier.study.advice import hint

    return hint


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions, TOML files.")],
    as_json: Json = False,
) -> None:
    """Check Rules Submissions against the documents, and say what every wager returns."""
    from croupier.study.economics import assess
    from croupier.submission import examine_file, report

    legal = True
    for file in files:
        try:
            examination = assess(examine_file(file))
        except CroupierError as error:
            legal = False
            if as_json:
                typer.echo(json.dumps({"file": str(file), "legal": False, "error": str(error)}))
            typer.echo(f"error: {error}", err=True)
            continue
        legal = legal and examination.legal
        if as_json:
            typer.echo(json.dumps({"file": str(file), **report.to_json(examination)}))
        else:
            report.render(examination, console())
    if not legal:
        raise typer.Exit(2)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="Scenarios, JSON files.")],
    as_json: Json = False,
    events: Annotated[bool, typer.Option("--events", help="Add every event to the JSON.")] = False,
) -> None:
    """Play scenarios; one JSON object per line unless a single one is shown on a terminal."""
    from croupier.table import replay as player
    from croupier.table import scenario

    readable = len(files) == 1 and not as_json and not events and sys.stdout.isatty()
    failed = False
    for file in files:
        try:
            result = player.play(scenario.load(file), with_events=events)
        except CroupierError as error:
            failed = True
            if not readable:
                typer.echo(json.dumps({"file": str(file), "error": str(error)}))
            typer.echo(f"error: {file}: {error}", err=True)
            continue
        typer.echo(json.dumps(result, indent=2 if readable else None))
    if failed:
        raise typer.Exit(2)


@app.command()
def rulebook(
    game: Annotated[str, typer.Argument(help="A game's name.")] = "",
    clause: Annotated[str, typer.Argument(help="A clause id such as 11.H.")] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="How many clauses are proved by tests.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the clauses in our words, their readings, where they are enforced and proved."""
    from croupier.rulebook import show

    if coverage:
        if as_json:
            typer.echo(json.dumps(show.coverage_json(), indent=2))
        else:
            show.render_coverage(console())
        return
    from croupier.games import find

    try:
        key = find(game).key
        if as_json:
            typer.echo(json.dumps([show.entry(c) for c in show.chosen(key, clause)], indent=2))
        else:
            show.render(console(), key, clause)
    except CroupierError as error:
        fail(error)


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
        without_study(error)
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
        without_study(error)
    if as_json:
        options = {word: {"ev": str(ev), "value": float(ev)} for word, ev in answers}
        typer.echo(json.dumps({"game": house.game.key, "best": answers[0][0], "options": options}))
        return
    for word, ev in answers:
        typer.echo(f"{word:6} {float(ev):+.6f} antes  ({ev})")


def key_of(game: str) -> str:
    """The key of the game that a user named."""
    from croupier.games import find

    return find(game).key


def house_for(submission: Path | None, game: str) -> Any:
    """The House of a submission, or the example of a game; both must be of the same game."""
    from croupier import submission as submissions
    from croupier.errors import BadInput

    if submission is None:
        return submissions.example(key_of(game))
    house = submissions.load(submission)
    if game and key_of(game) != house.game.key:
        raise BadInput(f"{submission} is a submission for {house.game.key}, not {key_of(game)}")
    return house


def progress_console() -> Any:
    """A Rich console on standard error, so that a bar never mixes with the answer."""
    from rich.console import Console

    return Console(stderr=True)


def without_study(error: ImportError) -> NoReturn:
    """Say how to get the exact mathematics where it is not installed."""
    fail(f"{error.name or error} is missing; install it with: pip install 'croupier[study]'")


def main() -> None:
    """The entry point: a closed pipe or Ctrl-C ends quietly."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
