"""Shared argument types, and the conversion of their text to games, Houses and numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.games import Game, House


def complete_game(incomplete: str) -> list[str]:
    """Game keys for shell completion."""
    from croupier.games import installed_games

    return sorted(key for key in installed_games() if key.startswith(incomplete.lower()))


GAME_HELP = "Name of a game or the start of it, e.g. ultimate, uth, run."
GAME_OR_FILE_HELP = "Game (ultimate, uth, run) or Rules Submission (harbor.toml)."
GameName = Annotated[str, typer.Argument(help=GAME_HELP, autocompletion=complete_game)]
GameOrFile = Annotated[str, typer.Argument(help=GAME_OR_FILE_HELP, autocompletion=complete_game)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SubmissionOption = Annotated[
    Path | None,
    typer.Option("--submission", help="Rules Submission to use instead of the game's example."),
]


def game_key(game: str) -> str:
    """The key of the game a user named."""
    return named_game(game).key


def named_game(text: str) -> Game:
    """The game with this name, or that of a Rules Submission."""
    from croupier.games import find
    from croupier.submission import load

    path = submission_path(text)
    return load(path, for_analysis=True).game if path else find(text)


def submission_path(text: str) -> Path | None:
    """The path of a Rules Submission, or None if the text names a game."""
    path = Path(text)
    return path if path.suffix or path.parent.parts else None


def submission_file(text: str) -> Path:
    """The file of a Rules Submission, or of the example of a game."""
    from croupier.submission import example_path

    return submission_path(text) or example_path(text)


def load_house(game: str, submission: Path | None = None, *, for_analysis: bool = False) -> House:
    """The House of a Rules Submission, or the example House of a game.

    `game` may also be the path of a submission. `for_analysis` accepts wagers that return more
    than their stake. Raises BadInput if `submission` is for another game.
    """
    from croupier import submission as submissions
    from croupier.errors import BadInput

    path = submission_path(game)
    if path is not None:
        if submission not in (None, path):
            raise BadInput(f"{path} and --submission {submission}: expected one submission")
        return submissions.load(path, for_analysis=for_analysis)
    if submission is None:
        if not game:
            raise BadInput("expected a game, such as ultimate, or a Rules Submission")
        return submissions.example(game_key(game))
    house = submissions.load(submission, for_analysis=for_analysis)
    if game and game_key(game) != house.game.key:
        raise BadInput(f"{submission} is a submission for {house.game.key}, not {game_key(game)}")
    return house


def parse_count(text: str, option: str) -> int:
    """A positive whole number: "1000000", "1_000_000", "1e6"."""
    from croupier.errors import BadInput

    plain = text.replace(",", "").replace("_", "")
    try:
        value = int(plain) if plain.isdecimal() else float(plain)
    except ValueError:
        value = 0
    if not 1 <= value < 10**18 or value != int(value):
        raise BadInput(f"{option}: {text!r} is not a number; expected for example 1_000_000 or 1e6")
    return int(value)


def parse_cents(text: str) -> int:
    """Cents from a positive dollar amount: "25", "12.50", "$25"."""
    from croupier.errors import BadInput
    from croupier.money import parse_dollars

    amount = parse_dollars(text.removeprefix("$").replace(",", ""))
    if amount is None or amount <= 0:
        raise BadInput(f"{text!r} is not a dollar amount; expected for example 25 or 12.50")
    return amount


def parse_number(text: str, option: str) -> Fraction:
    """An exact positive number: "10", "12.5", "12.5%"."""
    from croupier.errors import BadInput
    from croupier.money import parse_decimal

    value = parse_decimal(text.removesuffix("%"))
    if value is None or value <= 0:
        raise BadInput(f"{option}: {text!r} is not a positive number; expected for example 12.5")
    return value


def parse_percent(text: str, option: str) -> Fraction:
    """A fraction of one from a percentage between 0 and 100, both excluded."""
    from croupier.errors import BadInput

    fraction = parse_number(text, option) / 100
    if fraction >= 1:
        raise BadInput(f"{option}: {text!r} is too large; expected less than 100 percent")
    return fraction
