"""Rules Submissions of operators: parse a TOML file, report every issue, build the House.

    house = submission.load("harbor.toml")

Start with `validation.validate`. `load` and `build` raise BadSubmission for an illegal submission;
`draft` returns the issues instead.
"""

from __future__ import annotations

from croupier.submission.files import draft, example, example_path, load
from croupier.submission.issues import Issue
from croupier.submission.payout_limit_floor import (
    covered_wagers,
    maximum_win_at_minimum,
    payout_floor,
)
from croupier.submission.player_edge import check_player_edge
from croupier.submission.required_approvals import PROPOSED, outstanding
from croupier.submission.validation import ValidationResult, build

__all__ = [
    "PROPOSED",
    "Issue",
    "ValidationResult",
    "build",
    "check_player_edge",
    "covered_wagers",
    "draft",
    "example",
    "example_path",
    "load",
    "maximum_win_at_minimum",
    "outstanding",
    "payout_floor",
]
