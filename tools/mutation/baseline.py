"""Observes which clauses refusals and issues cite while the tests run without a mutant."""

from __future__ import annotations

import sys
from typing import Any

from croupier.errors import Refusal
from croupier.submission.parse_context import ParseContext
from tools.mutation.all_mutants import Observations
from tools.mutation.code_patch import ROOT

# Functions that only construct a refusal for their caller.
MAKERS = ("refusal", "refuse", "not_offered", "misread", "misused", "__init__", "__post_init__")


def watch() -> Observations:
    """Record every refusal and issue from now on."""
    seen = Observations()
    refuse, note = Refusal.__init__, ParseContext.note

    def refusing(self: Refusal, problem: str, clause: str, *, game: str = "") -> None:
        refuse(self, problem, clause, game=game)
        seen.refusals.setdefault(caller(), set()).add((game, clause))

    def noting(self: ParseContext, severity: Any, *args: Any, **kwargs: Any) -> None:
        note(self, severity, *args, **kwargs)
        clause = kwargs.get("clause", "")
        if clause and severity != "warning":
            seen.issues.setdefault("", set()).add((self.game.key, clause))

    Refusal.__init__ = refusing  # type: ignore[method-assign]
    ParseContext.note = noting  # type: ignore[method-assign]
    return seen


def caller() -> str:
    """The line that raised the refusal, as "file:line" below the package."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_name in MAKERS:
        frame = frame.f_back
    path = frame.f_code.co_filename
    below = path.removeprefix(f"{ROOT}/")
    return f"{below}:{frame.f_lineno}"
