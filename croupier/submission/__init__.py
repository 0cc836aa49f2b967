"""An operator's Rules Submission: read it, check it against the documents, bind it to a game.

    house = submission.load("harbor.toml")

`load` and `build` refuse what is not legal, a player edge that was not accepted included; `draft`
reports every issue of what is unfinished or illegal instead of raising.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from croupier.games.forms import Issue
from croupier.submission.economics import check_player_edge
from croupier.submission.files import draft, example, example_path, load
from croupier.submission.validation import Examination, build

__all__ = [
    "Examination",
    "Issue",
    "build",
    "check_player_edge",
    "draft",
    "entered",
    "example",
    "example_path",
    "interview",
    "load",
    "pages",
    "report",
    "schemas",
    "writing",
]


def __getattr__(name: str) -> Any:
    if name in (
        "entered",
        "interview",
        "pages",
        "report",
        "schemas",
        "writing",
    ):  # doors of their own, for those who print
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
