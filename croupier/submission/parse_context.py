"""The state of a parse: the values read so far, and every issue."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from croupier.submission.issues import Issue, Severity, to_scalar

if TYPE_CHECKING:
    from croupier.games.forms.declarations import Form
    from croupier.games.game import Game
    from croupier.games.house import Limits, Meter
    from croupier.games.proposal import Proposal
    from croupier.money import Cents

# The sections in file order; issues are reported in this order.
SECTIONS = ("game", "operator", "table", "limits", "paytables", "choices", "meters", "proposal")


class ChoiceValues:
    """Read-only attribute access to a dictionary; None for a name that is missing."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self._values.get(name)


class ParseContext:
    """The values and issues of one submission; an invalid value is replaced by its default."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.form: Form = game.form
        self.operator = ""
        self.logo: str | None = None
        self.listed: set[str] = set()  # wagers under [paytables], even with an invalid letter
        self.letters: dict[str, str] = {}
        self.values: dict[str, Any] = {}  # [table] and [choices], including defaults
        self.stated: dict[str, object] = {}  # raw values of [table] and [choices]
        self.limits: dict[str, Limits] = {}
        self.meters: dict[str, Meter] = {}
        self.proposal: Proposal | None = None
        # The greater of the fixed amount and the most that the minimum can win (A60).
        self.computed_limit: Cents | None = None
        self.issues: list[Issue] = []

    def offers(self, wager: str) -> bool:
        """Return whether the submission offers a wager."""
        return wager in self.listed

    def choice(self, name: str) -> Any:
        """Return a value of [table] or [choices]; None if the game has no such field."""
        return self.values.get(name)

    def is_true(self, name: str) -> bool:
        """Return whether a flag of [choices] is true."""
        return self.values.get(name) is True

    @property
    def dealing_method(self) -> str:
        """The dealing method, as `House.dealing_method`."""
        return str(self.values.get("dealing_method"))

    @property
    def choices(self) -> ChoiceValues:
        """The choices, as `House.choices`, so that game rules accept a context or a House."""
        return ChoiceValues(self.values)

    def has_errors(self, *sections: str) -> bool:
        """Return whether one of these sections has an error."""
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
        self.issues.append(
            Issue(
                severity=severity,
                field=field,
                message=message,
                value=to_scalar(value),
                allowed=allowed,
                game=self.game.key,
                clause=clause,
            )
        )

    def error(
        self, field: str, message: str, *, clause: str = "", value: object = None, allowed: str = ""
    ) -> None:
        """Add an error: the submission is illegal."""
        self.note("error", field, message, clause=clause, value=value, allowed=allowed)

    def warn(self, field: str, message: str, *, clause: str, allowed: str = "") -> None:
        """Add a warning: the submission is legal, and the operator should know this."""
        value = self.choice(field.partition(".")[2])
        self.note("warning", field, message, clause=clause, value=value, allowed=allowed)

    def unknown_key(
        self,
        prefix: str,
        key: object,
        known: Collection[str],
        *,
        hint: str = "",
        clause: str = "",
    ) -> None:
        """Add the error of an unknown key; without a hint the closest known key is suggested."""
        name = key if isinstance(key, str) else str(to_scalar(key))
        message = hint or f"unknown key{did_you_mean(name, known)}"
        allowed = ", ".join(known)
        self.error(f"{prefix}{printable(name)}", message, clause=clause, allowed=allowed)


def printable(name: str) -> str:
    """Return a key as part of a field path, shortened and escaped if necessary."""
    return name[:60] if name.isprintable() and name else ascii(name[:60])


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return "; did you mean X?" for the closest known name, or an empty string."""
    import difflib  # imported here because only mistakes need it

    matches = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {matches[0]}?" if matches else ""
