"""The `croupier play` command."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.arguments import GAME_OR_FILE_HELP, complete_game, submission_path
from croupier.cli.console import exit_on_error

if TYPE_CHECKING:
    from croupier.terminal.coach_thread import Solve

app = typer.Typer()


@app.command(rich_help_panel="Play", epilog="Example: croupier play ultimate")
def play(
    game: Annotated[
        str,
        typer.Argument(
            help=f"{GAME_OR_FILE_HELP} Without it a menu opens.", autocompletion=complete_game
        ),
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Seed of the shuffler.")] = None,
    submission: Annotated[Path | None, typer.Option(help="Rules Submission to play under.")] = None,
    players: Annotated[int, typer.Option(help="Number of other players, 0 to 5.")] = 0,
    bankroll: Annotated[
        str | None,
        typer.Option(help="Bankroll in dollars for this session; the saved one is kept."),
    ] = None,
    start_over: Annotated[
        bool, typer.Option("--start-over", help="Replace the saved bankroll with --bankroll.")
    ] = False,
    coached: Annotated[
        bool | None, typer.Option("--coach/--no-coach", help="Grade every decision.")
    ] = None,
    drill: Annotated[
        bool, typer.Option("--drill", help="Deal only hands with a close decision.")
    ] = False,
    seat: Annotated[
        list[int] | None, typer.Option(help="Your seat; repeat it to play several hands.")
    ] = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Read answers from standard input.")
    ] = False,
    ascii: Annotated[bool, typer.Option("--ascii", help="Use only ASCII characters.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print plain lines, for screen readers.")
    ] = False,
    record: Annotated[
        Path | None, typer.Option(help="Record every round in this practice ledger.")
    ] = None,
    full_procedure: Annotated[
        bool,
        typer.Option("--full-procedure", help="Play at a staffed table, starting at its opening."),
    ] = False,
) -> None:
    """Play a game in the terminal."""
    from croupier import terminal

    with exit_on_error("ledger" if record else "analysis"):
        exit_code = terminal.play(
            game="" if submission_path(game) else game,
            seed=seed,
            submission=submission or submission_path(game),
            bankroll=bankroll,
            seats=tuple(seat or ()),
            players=players,
            answers=answers,
            ascii=ascii,
            plain=plain,
            full_procedure=full_procedure,
            record=record,
            solve=coach_solver(drill or None if coached is None else coached),
            best=coach_solver(find_spec("numba") is not None if coached is None else coached),
            drill=drill,
            start_over=start_over,
        )
    raise typer.Exit(exit_code)


def coach_solver(enabled: bool | None) -> Solve | None:
    """The solver of the coach, or None without a coach.

    None as argument enables the coach on a terminal if the analysis extra is installed.
    """
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if enabled is False or (enabled is None and not (interactive and find_spec("numba"))):
        return None
    from croupier.coach import solve_game

    return solve_game
