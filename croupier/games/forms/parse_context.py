"""A submission while it is being read: what was understood so far, and every issue found."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from croupier.games.forms.issues import Issue, Scalar, Severity, scalar

if TYPE_CHECKING:
    from croupier.games.forms.form import Form
    from croupier.games.game import Game
    from croupier.games.house import Limits, Meter
    from croupier.games.proposal import Proposal
    from croupier.money import Cents

# The parts of the file in their order; issues are reported in it.
SECTIONS = ("game", "operator", "table", "limits", "paytables", "choices", "meters", "proposal")


class Stated:
    """The values of a filing by their names; None where the game has no such field."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self._values.get(name)


class ParseContext:
    """What the sections of one file said. A value that could not be read stands at its default."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.form: Form = game.form
        self.operator = ""
        self.logo: str | None = None
        self.listed: set[str] = set()  # wagers under [paytables], even with a wrong letter
        self.letters: dict[str, str] = {}
        self.values: dict[str, Any] = {}  # [table] and [choices], defaults filled in
        self.given: dict[str, object] = {}  # those that the file gives, as it gives them
        self.limits: dict[str, Limits] = {}
        self.meters: dict[str, Meter] = {}
        self.proposal: Proposal | None = None
        # The greater of the fixed amount and the most at the minimum, once it can be known (A60).
        self.computed_limit: Cents | None = None
        self.issues: list[Issue] = []

    def offers(self, wager: str) -> bool:
        """Whether the submission offers a wager."""
        return wager in self.listed

    def choice(self, name: str) -> Any:
        """A value of [table] or [choices]; None if the game has no such field."""
        return self.values.get(name)

    def says(self, name: str) -> bool:
        """Whether a flag of [choices] is true."""
        return self.values.get(name) is True

    @property
    def dealing_method(self) -> str:
        """How the cards reach the layout."""
        return str(self.values.get("dealing_method"))

    @property
    def choices(self) -> Stated:
        """The choices as a House will have them, so that a rule may be asked about either."""
        return Stated(self.values)

    def broken(self, *sections: str) -> bool:
        """Whether an error was found in a section, so that nothing can be concluded from it."""
        return any(
            issue.severity == "error" and issue.field.split(".")[0] in sections
            for issue in self.issues
        )

    def note(
        self,
        severity: Severity,
        field: str,
        message: str,
        *,
        clause: str = "",
        value: object = None,
        allowed: str = "",
    ) -> None:
        """Add an issue."""
        kept: Scalar = scalar(value)
        self.issues.append(
            Issue(
                severity=severity,
                field=field,
                message=message,
                value=kept,
                allowed=allowed,
                game=self.game.key,
                clause=clause,
            )
        )

    def error(
        self, field: str, message: str, *, clause: str = "", value: object = None, allowed: str = ""
    ) -> None:
        """Add an issue that makes the submission illegal."""
        self.note("error", field, message, clause=clause, value=value, allowed=allowed)

    def unknown(
        self,
        prefix: str,
        key: object,
        known: Collection[str],
        *,
        hint: str = "",
        clause: str = "",
    ) -> None:
        """Add the error of a key that nothing carries, with the nearest name that exists."""
        name = key if isinstance(key, str) else str(scalar(key))
        message = hint or f"unknown key{did_you_mean(name, known)}"
        allowed = ", ".join(known)
        self.error(f"{prefix}{printable(name)}", message, clause=clause, allowed=allowed)


def printable(name: str) -> str:
    """A key as part of a field's path, however odd it is."""
    return name[:60] if name.isprintable() and name else ascii(name[:60])


def did_you_mean(name: str, known: Collection[str]) -> str:
    """The end of a message that names the nearest known name, or nothing."""
    import difflib  # only ever needed for a mistake

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
