"""An operator's Rules Submission: read it, check it against the documents, bind it to a game.

    house = submission.load("harbor.toml")

`examine` and `examine_file` report every issue instead of raising.
"""

from __future__ import annotations

from croupier.submission.files import examine_file, example, example_path, load
from croupier.submission.issues import Issue
from croupier.submission.validation import Examination, build, examine

__all__ = [
    "Examination",
    "Issue",
    "build",
    "examine",
    "examine_file",
    "example",
    "example_path",
    "load",
]
