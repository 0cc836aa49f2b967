"""Submission files: TOML files of operators, and the example of each game."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from croupier.games import House, find
from croupier.submission import validation
from croupier.submission.issues import Issue
from croupier.submission.validation import ValidationResult

MAX_BYTES = 4_000_000  # a submission has a few kilobytes; a wrong path must not fill the memory


def load(path: str | Path, *, for_analysis: bool = False) -> House[Any]:
    """Return the House of a TOML file.

    Raises BadSubmission with every error if the submission is illegal; missing approvals do not
    make it so. `for_analysis` accepts wagers that return more than their stake; the ledger opens
    no table under such a House.

        >>> load(example_path("top_five"))
        <House 'Harbor Casino' top_five ...>
    """
    return validation.require_house(draft(path), file=str(path), for_analysis=for_analysis)


def draft(source: str | Path | Mapping[str, Any]) -> ValidationResult:
    """Validate a TOML file or a mapping that may be unfinished or illegal.

    Every problem is an issue of the result, also a file that cannot be read.

        >>> result = draft({"game": "top_five"})
        >>> print(result.legal, result.issues[0], sep="\\n")
        False
        operator.name: missing; the layout carries the operator's name or logo [top_five 2.B.1]
    """
    if isinstance(source, str | Path):
        return _validate_file(source)
    return validation.validate(source)


def _validate_file(path: str | Path) -> ValidationResult:
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        return _unreadable(path, f"cannot be read: {error.strerror or error}")
    except ValueError as error:
        return _unreadable(path, f"cannot be read: {error}")
    if len(content) > MAX_BYTES:
        return _unreadable(path, f"is larger than {MAX_BYTES} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _unreadable(path, f"is not UTF-8 text (byte {error.start})")
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        return _unreadable(path, f"is not TOML: {error}")
    return validation.validate(data)


def _unreadable(path: str | Path, problem: str) -> ValidationResult:
    issue = Issue(severity="error", field="", message=f"{path} {problem}", value=str(path))
    return ValidationResult(issues=(issue,))


def example_path(game: str) -> Path:
    """Return the path of a game's example submission."""
    document = find(game).document
    return document.path(document.example)


@cache
def example(game: str) -> House[Any]:
    """Return the House of a game's example submission, which offers every wager.

    `game` is a key, title or prefix, as for `croupier.find`. Raises UnknownGame.

        >>> example("top five").limits["ante"]
        Limits(minimum=500, maximum=50000)
    """
    return load(example_path(game))
