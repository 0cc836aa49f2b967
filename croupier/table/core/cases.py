"""Cases: what somebody has to look into by a moment, each under its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from croupier.errors import Refusal
from croupier.table.core.part import Deadline, Urgency

if TYPE_CHECKING:
    from croupier.table.table import Table


class Case(Protocol):
    """Anything that is to be looked into by then."""

    until: int


Kind = TypeVar("Kind", bound=Case)


@dataclass(slots=True)
class Cases(Generic[Kind]):
    """Those that wait, by their number, and how many there were."""

    waiting: dict[int, Kind] = field(default_factory=dict)
    opened: int = 0

    def open(self, number: int, case: Kind) -> None:
        """Its clock runs."""
        self.opened = number
        self.waiting[number] = case

    def close(self, number: int) -> None:
        """It waits no more."""
        del self.waiting[number]

    def find(self, number: int, what: str, law: str) -> Kind:
        """One that waits; refused if none does."""
        found = self.waiting.get(number)
        if found is None:
            raise Refusal(f"no {what} {number} waits", law)
        return found

    def deadlines(self, what: str, law: str) -> Iterator[Deadline]:
        """When each must be done; `what` says of a number what happens then."""
        for number, case in self.waiting.items():
            yield Deadline(case.until, what.format(number), law)


def is_late(table: Table, case: Case, at: int) -> bool:
    """Whether its time is over."""
    return table.now(at) > case.until


def urgency(table: Table, case: Case, at: int) -> Urgency:
    """Overdue when its time is over."""
    return "overdue" if is_late(table, case, at) else "may"


def check_words(text: str, what: str, law: str) -> None:
    """Refuse what says nothing."""
    if not text.strip():
        raise Refusal(f"{what} is needed, in words", law)
