"""Every refusal Croupier can make, in one tree.

CroupierError
├── BadInput                 something written down cannot be read: a card, a deck, a file
│   ├── BadCards             not a card, a card twice, a deck that is not 52 cards
│   ├── BadScenario          a scenario that cannot be played; names the place
│   ├── BadSubmission        a Rules Submission that is not legal; carries every issue
│   └── BadTerms             the written terms of a House that are not those of their digest
├── Refusal                  a command the rules do not allow now; carries the clause
├── LedgerError              the record failed; drawn in croupier/ledger/errors.py
└── Unknown                  a name that nothing carries
    ├── UnknownGame
    ├── UnknownClause
    └── UnknownReading
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.submission.issues import Issue


class CroupierError(Exception):
    """The root: catch it to catch every refusal, and nothing that is a bug."""


class BadInput(CroupierError):
    """Something written down that cannot be read."""


class BadCards(BadInput):
    """Text that is not cards, or cards that are not a deck."""


class BadScenario(BadInput):
    """A scenario that cannot be played; `place` is the path of the value at fault."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


class BadSubmission(BadInput):
    """A Rules Submission with errors, all of them; `file` is where it was read from."""

    def __init__(self, issues: Sequence[Issue], file: str = "") -> None:
        # A file that could not be read at all is named by its only issue.
        place = f"{file}: " if file else ""
        super().__init__("\n".join(f"{place if i.field else ''}{i}" for i in issues))
        self.issues = tuple(issues)
        self.file = file


class BadTerms(BadInput):
    """The written terms of a House that cannot be those that a digest names."""


class Refusal(CroupierError):
    """A command that the rules do not allow now: what, the value, what was expected, the clause.

    A refused command changes nothing.
    """

    def __init__(self, problem: str, clause: str, *, game: str = "") -> None:
        cited = f"{game} {clause}".strip()
        super().__init__(f"{problem} [{cited}]" if cited else problem)
        self.problem = problem
        self.clause = clause
        self.game = game


class Unknown(CroupierError):
    """A name that nothing carries; the message lists the names that exist."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        expected = ", ".join(known)
        super().__init__(
            f"unknown {self.kind} {name!r}" + (f"; expected one of: {expected}" if expected else "")
        )
        self.name = name


class UnknownGame(Unknown):
    """No game of the catalogue has this key."""

    kind = "game"


class UnknownClause(Unknown):
    """No clause of the game's document has this id."""

    kind = "clause"


class UnknownReading(Unknown):
    """No reading has this id."""

    kind = "reading"
