"""Exception hierarchy of Croupier.

CroupierError
├── BadInput                 invalid input: a card, a deck, a file
│   ├── BadCards             not a card, a duplicate card, not a deck of 52
│   ├── BadScenario          a scenario that cannot be played; has the path of the invalid value
│   ├── BadSubmission        a Rules Submission with errors; has every issue
│   └── BadTerms             the stored terms of a House do not match their digest
├── Refusal                  a command that the rules do not allow now; has the clause
├── LedgerError              the record failed; subclasses in croupier/ledger/errors.py
└── Unknown                  a name that does not exist
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
    """Base class of all errors that a caller can cause; a bug raises something else."""


class BadInput(CroupierError):
    """Input that cannot be parsed or is not allowed."""


class BadCards(BadInput):
    """Text that is not cards, duplicate cards, or cards that are not a full deck."""


class BadScenario(BadInput):
    """A scenario that cannot be played; `place` is the path of the invalid value."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


class BadSubmission(BadInput):
    """A Rules Submission with errors: all of its issues, and the file it was read from."""

    def __init__(self, issues: Sequence[Issue], file: str = "") -> None:
        # The only issue of a file that could not be read names the file itself.
        place = f"{file}: " if file else ""
        super().__init__("\n".join(f"{place if i.field else ''}{i}" for i in issues))
        self.issues = tuple(issues)
        self.file = file


class BadTerms(BadInput):
    """Stored terms of a House that do not match their digest or cannot be decoded."""


class Refusal(CroupierError):
    """A command that the rules do not allow now. It changes nothing.

    The message says what is wrong, the value, what was expected, and the clause in brackets;
    `problem`, `clause` and `game` are its parts.
    """

    def __init__(self, problem: str, clause: str, *, game: str = "") -> None:
        cited = f"{game} {clause}".strip()
        super().__init__(f"{problem} [{cited}]" if cited else problem)
        self.problem = problem
        self.clause = clause
        self.game = game


class Unknown(CroupierError):
    """A name that does not exist; the message lists the names that do."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        match list(known):
            case []:
                expected = ""
            case [only]:
                expected = f"; did you mean {only}?"
            case names:
                expected = f"; expected one of: {', '.join(names)}"
        super().__init__(f"unknown {self.kind} {name!r}{expected}")
        self.name = name


class UnknownGame(Unknown):
    """No installed game has this name or edition."""

    kind = "game"


class UnknownClause(Unknown):
    """The game's document has no clause with this id."""

    kind = "clause"


class UnknownReading(Unknown):
    """The rule book has no reading with this id."""

    kind = "reading"
