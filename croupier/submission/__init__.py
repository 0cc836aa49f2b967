"""An operator's Rules Submission: read it, check it against the documents, bind it to a game.

    house = submission.load("harbor.toml")

`load` and `build` refuse what is not legal, a player edge that was not accepted included; `draft`
reports every issue of what is unfinished or illegal instead of raising.
"""

from __future__ import annotations

from croupier.games.forms import Issue
from croupier.submission.files import draft, example, example_path, load
from croupier.submission.player_edge import check_player_edge
from croupier.submission.validation import Examination, build

__all__ = [
    "Examination",
    "Issue",
    "build",
    "check_player_edge",
    "draft",
    "example",
    "example_path",
    "load",
]
