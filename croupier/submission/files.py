"""Submissions on disk: TOML files of operators, and the examples that come with Croupier."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from croupier.errors import UnknownGame
from croupier.games import GAMES
from croupier.games.house import House
from croupier.submission import validation
from croupier.submission.issues import Issue

# More than a thousand times what a submission needs; a wrong path must not fill the memory.
MOST_BYTES = 4_000_000


def load(path: str | Path) -> House:
    """The House of a TOML file; BadSubmission carries every error in it."""
    return validation.house_of(examine_file(path))


def examine_file(path: str | Path) -> validation.Examination:
    """Read a TOML file; one that cannot be read is an examination with that single error."""
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        return unreadable(path, f"cannot be read: {error.strerror or error}")
    except ValueError as error:
        return unreadable(path, f"cannot be read: {error}")
    if len(content) > MOST_BYTES:
        return unreadable(path, f"is larger than {MOST_BYTES} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return unreadable(path, f"is not UTF-8 text (byte {error.start})")
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        return unreadable(path, f"is not TOML: {error}")
    return validation.examine(data)


def unreadable(path: str | Path, problem: str) -> validation.Examination:
    """An examination that never came to the content."""
    issue = Issue(severity="error", field="", message=f"{path} {problem}", value=str(path))
    return validation.Examination(house=None, issues=(issue,))


def example_path(game_key: str) -> Path:
    """Where the example submission of a game lies."""
    if game_key not in GAMES:
        raise UnknownGame(game_key, GAMES)
    return Path(str(resources.files("croupier.submission") / "examples" / f"{game_key}.toml"))


@cache
def example(game_key: str) -> House:
    """The House of the example submission: every wager of the game at comfortable limits."""
    return load(example_path(game_key))
