"""Commands around the games: play, check, replay, rulebook."""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.console import GAME_HELP, Json, console, fail, games_begun, missing_extra
from croupier.errors import CroupierError

app = typer.Typer()
READING = re.compile(r"[a-z]+\d+", re.IGNORECASE)  # an id such as A15; no clause looks like it


@app.command()
def play(
    game: Annotated[
        str,
        typer.Argument(help=f"{GAME_HELP} Asked for when left out.", autocompletion=games_begun),
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Shuffle from this seed.")] = None,
    submission: Annotated[
        Path | None, typer.Option(help="Play under this Rules Submission.")
    ] = None,
    players: Annotated[int, typer.Option(help="Other players at the table, 0 to 5.")] = 0,
    bankroll: Annotated[
        str | None, typer.Option(help="Dollars for this evening; the remembered ones stay.")
    ] = None,
    start_over: Annotated[
        bool, typer.Option("--start-over", help="Let --bankroll replace the remembered money.")
    ] = False,
    coached: Annotated[
        bool | None, typer.Option("--coach/--no-coach", help="Grade every decision exactly.")
    ] = None,
    drill: Annotated[
        bool, typer.Option("--drill", help="Deal only close decisions, for practice.")
    ] = False,
    seat: Annotated[
        list[int] | None, typer.Option(help="Your seat; repeat for more boxes.")
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Read answers from standard input.")
    ] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="No suit symbols, no lines.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines to read and type, for screen readers.")
    ] = False,
    record: Annotated[
        Path | None, typer.Option(help="Keep every round in this practice ledger.")
    ] = None,
    full_procedure: Annotated[
        bool,
        typer.Option("--full-procedure", help="Play at an attended table, from its opening on."),
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
            ascii=ascii,
            plain=plain,
            full_procedure=full_procedure,
            record=record,
            solve=coach(drill or None if coached is None else coached),
            best=coach(find_spec("numba") is not None if coached is None else coached),
            drill=drill,
            start_over=start_over,
        )
    except CroupierError as error:
        fail(error)
    except ImportError as error:
        missing_extra(error, "ledger" if record else "analysis")
    raise typer.Exit(status)


def coach(wanted: bool | None) -> Any:
    """What works out the best play for the coach; None without one.

    Where nobody said, a person at a terminal has a coach if the study room is installed.
    """
    person = sys.stdin.isatty() and sys.stdout.isatty()
    if wanted is False or (wanted is None and not (person and find_spec("numba"))):
        return None
    from croupier.coach import solved

    return solved


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions, TOML files.")],
    as_json: Json = False,
) -> None:
    """Check Rules Submissions against the documents, and say what every wager returns."""
    from croupier.documents.console import submission_renderer
    from croupier.submission import draft

    legal = True
    for file in files:
        examination = draft(file)
        legal = legal and examination.legal
        if as_json:
            typer.echo(json.dumps({"file": str(file), **submission_renderer.to_json(examination)}))
        elif not examination.unread:
            submission_renderer.render(examination, console(), str(file))
        if examination.unread:
            typer.echo(f"error: {examination.unread}", err=True)
    if not legal:
        raise typer.Exit(2)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="Scenarios, JSON files.")],
    as_json: Json = False,
    events: Annotated[bool, typer.Option("--events", help="Add every event to the JSON.")] = False,
) -> None:
    """Play scenarios: told on a terminal, one JSON object per line in a pipe or with --json."""
    from croupier.table.scenario import scenario
    from croupier.table.scenario.replay import ScenarioReplay, replay_result

    told = not as_json and not events and sys.stdout.isatty()
    failed = False
    for file in files:
        try:
            replayed = ScenarioReplay(scenario.load(file))
            table = replayed.play()
        except CroupierError as error:
            failed = True
            if not told:
                typer.echo(json.dumps({"file": str(file), "error": str(error)}))
            typer.echo(f"error: {file}: {error}", err=True)
            continue
        if told and table.round is not None:
            from croupier.documents.console import round_renderer

            typer.echo(
                f"{file}: {round_renderer.render(table.round, replayed.events, table.meters)}"
            )
            continue
        typer.echo(json.dumps(replay_result(replayed, with_events=events)))
    if failed:
        raise typer.Exit(2)


@app.command()
def rulebook(
    game: Annotated[
        str,
        typer.Argument(help=f"{GAME_HELP} Or a reading: A15.", autocompletion=games_begun),
    ] = "",
    clause: Annotated[str, typer.Argument(help="A clause such as 11.H, or a reading: A11.")] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="How many clauses are enforced, recorded, defined.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the clauses in our words, their readings, where they are enforced and proved."""
    from croupier.documents.console import rulebook_renderer
    from croupier.games import catalogue, find
    from croupier.rulebook import reading

    if coverage:
        books = [each.document for each in catalogue()]
        if as_json:
            typer.echo(json.dumps(rulebook_renderer.coverage_json(books), indent=2))
        else:
            rulebook_renderer.render_coverage(console(), books)
        return
    try:
        told = clause or game
        if READING.fullmatch(told):
            book = find(game).document if clause else None
            tell_reading(reading(told, book), as_json)
            return
        book = find(game).document
        if as_json:
            entries = [
                rulebook_renderer.clause_json(book, each)
                for each in rulebook_renderer.selected_clauses(book, clause)
            ]
            typer.echo(json.dumps(entries, indent=2))
        else:
            rulebook_renderer.render(console(), book, clause)
    except CroupierError as error:
        fail(error)


def tell_reading(found: Any, as_json: bool) -> None:
    """One reading of an unclear place, printed."""
    from msgspec import to_builtins

    from croupier.documents.console import rulebook_renderer

    if as_json:
        typer.echo(json.dumps(to_builtins(found), indent=2))
    else:
        rulebook_renderer.render_reading(console(), found)
