"""What a form's conditions, computed defaults and checks may use of a submission.

`croupier.submission.parse_context.ParseContext` implements both protocols.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from croupier.games.game import Game
    from croupier.money import Cents


class FormValues(Protocol):
    """The values of a submission; a field that is left out or invalid has its default."""

    @property
    def game(self) -> Game: ...

    @property
    def dealing_method(self) -> str: ...

    @property
    def choices(self) -> Any:
        """The values of [choices] as attributes, as `House.choices` has them."""

    @property
    def letters(self) -> Mapping[str, str]:
        """The paytable letter of each wager that is offered."""

    @property
    def stated(self) -> Mapping[str, object]:
        """The fields of [table] and [choices] that the file states, with their raw values."""

    @property
    def computed_limit(self) -> Cents | None:
        """The payout limit that the document sets; None where it cannot be computed (A60)."""

    def offers(self, wager: str) -> bool:
        """Return whether the submission offers a wager."""

    def choice(self, name: str) -> Any:
        """Return a value of [table] or [choices]; None if the game has no such field."""

    def is_true(self, name: str) -> bool:
        """Return whether a flag of [choices] is true."""


class CheckContext(FormValues, Protocol):
    """The values of a submission, and the list of its issues."""

    def error(
        self, field: str, message: str, *, clause: str = "", value: object = None, allowed: str = ""
    ) -> None:
        """Add an error: the submission is illegal."""

    def warn(self, field: str, message: str, *, clause: str, allowed: str = "") -> None:
        """Add a warning: the submission is legal, and the operator should know this."""
