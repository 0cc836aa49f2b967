"""Submissions on disk: TOML files of operators, and the examples that come with the games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from croupier.games import House, find
from croupier.games.forms import Issue
from croupier.submission import validation

# More than a thousand times what a submission needs; a wrong path must not fill the memory.
MOST_BYTES = 4_000_000


def load(path: str | Path) -> House[Any]:
    """The House of a TOML file; BadSubmission carries every error in it."""
    return validation.house_of(draft(path), file=str(path))


def draft(source: str | Path | Mapping[str, Any]) -> validation.Examination:
    """Look at a submission that may be unfinished or illegal: a TOML file or a mapping.

    Whatever is wrong with it is an issue; a file that cannot be read is a single one.
    """
    if isinstance(source, str | Path):
        return _draft_file(source)
    return validation.examine(source)


def _draft_file(path: str | Path) -> validation.Examination:
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
    return validation.Examination(issues=(issue,))


def example_path(game: str) -> Path:
    """Where the example submission of a game lies."""
    document = find(game).document
    return document.path(document.example)


@cache
def example(game: str) -> House[Any]:
    """The House of the example submission: every wager of the game at comfortable limits."""
    return load(example_path(game))
