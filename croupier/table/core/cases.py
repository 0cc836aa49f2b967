"""Numbered cases with deadlines: disputes and investigations that wait for a decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from croupier.errors import Refusal
from croupier.table.core.part import Deadline, Urgency

if TYPE_CHECKING:
    from croupier.table.table import Table


class Case(Protocol):
    """A case that must be resolved by `until` (epoch milliseconds)."""

    until: int


CaseType = TypeVar("CaseType", bound=Case)


@dataclass(slots=True)
class Cases(Generic[CaseType]):
    """The open cases by number, and the number of the last case opened."""

    waiting: dict[int, CaseType] = field(default_factory=dict)
    opened: int = 0

    def open(self, number: int, case: CaseType) -> None:
        """Add a case."""
        self.opened = number
        self.waiting[number] = case

    def close(self, number: int) -> CaseType:
        """Remove a resolved case, and return it."""
        return self.waiting.pop(number)

    def find(self, number: int, what: str, law: str) -> CaseType:
        """Return an open case; raises Refusal if there is none of this number."""
        case = self.waiting.get(number)
        if case is None:
            raise Refusal(f"{what} {number} is not open", law)
        return case

    def deadlines(self, template: str, law: str) -> Iterator[Deadline]:
        """Yield the deadline of each open case; `template` takes the case number."""
        for number, case in self.waiting.items():
            yield Deadline(case.until, template.format(number), law)


def is_late(table: Table, case: Case, at: int) -> bool:
    """Whether the deadline of a case has passed."""
    return table.now(at) > case.until


def urgency(table: Table, case: Case, at: int) -> Urgency:
    """Return "overdue" once the deadline of a case has passed."""
    return "overdue" if is_late(table, case, at) else "may"


def check_text(text: str, what: str, law: str) -> None:
    """Raise Refusal if a required text is blank."""
    if not text.strip():
        raise Refusal(f"{what} is required", law)
