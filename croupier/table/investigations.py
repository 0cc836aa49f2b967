"""Counts of the tray that are far from the record: looked into within a day, with what was found.

An opening that is not what the last closing left, a change of shift or a closing that is not what
the record expects: from a hundred dollars on the explanation at the table is not enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.clock import DAY
from croupier.table.forms import Text
from croupier.table.inventory import ChangeShift, ShiftChanged
from croupier.table.parts import ATTENDED, Act, Deadline, Offer, Part
from croupier.table.people import AUDIT, FLOOR, Account
from croupier.table.record import Audience, Command, Event
from croupier.table.shift import CloseTable, OpenTable, TableClosed, TableOpened

if TYPE_CHECKING:
    from croupier.table.table import Table

INVESTIGATIONS = "COMAR 36.05.03.03H"
MORE_THAN: Cents = 100_00

# What may be asked for.


class ReportInvestigation(Command, frozen=True, tag="report_investigation"):
    """Somebody above the dealer, or internal audit, says what became of a difference."""

    number: int
    finding: str


# What happened.


class InvestigationOpened(Event, frozen=True, kw_only=True, tag="investigation_opened"):
    """A count was far from the record; what it was is reported by `until`."""

    audience: ClassVar[Audience] = "staff"

    number: int
    difference: Cents  # counted less expected
    until: int


class InvestigationReported(Event, frozen=True, kw_only=True, tag="investigation_reported"):
    """What was found of a difference; `late` if the day was over."""

    audience: ClassVar[Audience] = "staff"

    number: int
    finding: str
    late: bool
    by: Account


@dataclass(slots=True)
class Investigation:
    """A difference that somebody looks into."""

    difference: Cents
    until: int


@dataclass(slots=True)
class Investigations:
    """Those that wait for a finding, and how many there were."""

    waiting: dict[int, Investigation] = field(default_factory=dict)
    opened: int = 0


def was_opened(table: Table, event: InvestigationOpened) -> None:
    """Its day runs."""
    table.investigations.opened = event.number
    table.investigations.waiting[event.number] = Investigation(event.difference, event.until)


def was_reported(table: Table, event: InvestigationReported) -> None:
    """It waits no longer."""
    del table.investigations.waiting[event.number]


# The rules.


def after_count(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A count that two people agree on, far from what it should be."""
    difference = sum(differs_by(table, event) for event in events)
    if abs(difference) <= MORE_THAN:
        return []
    return [
        InvestigationOpened(
            number=table.investigations.opened + 1,
            difference=difference,
            until=table.now(at) + DAY,
            clauses=(INVESTIGATIONS,),
        )
    ]


def differs_by(table: Table, event: Event) -> Cents:
    """What was counted, less what the record or the last closing has."""
    match event:
        case ShiftChanged() | TableClosed():
            return event.inventory - event.expected
        case TableOpened():
            last = table.shift.last
            return event.inventory - last.chips if last is not None else 0
    return 0


def report(table: Table, command: ReportInvestigation, by: Account, at: int) -> list[Event]:
    """Once, in words."""
    found = table.investigations.waiting.get(command.number)
    if found is None:
        raise Refusal(f"no investigation {command.number!r} waits for a finding", INVESTIGATIONS)
    if not command.finding.strip():
        raise Refusal("a finding is needed, in words", INVESTIGATIONS)
    return [
        InvestigationReported(
            number=command.number,
            finding=command.finding,
            late=table.now(at) > found.until,
            by=by,
            clauses=(INVESTIGATIONS,),
        )
    ]


def offer_report(table: Table, at: int) -> Iterator[Offer]:
    """Every difference without a finding; overdue when its day is over."""
    for number, found in table.investigations.waiting.items():
        late = table.now(at) > found.until
        yield Offer(
            command=ReportInvestigation(number, "an exchange was counted twice"),
            forms={"finding": Text("an exchange was counted twice")},
            due="overdue" if late else "may",
            why=f"a count differed by {dollars(found.difference)}",
        )


def deadlines(table: Table) -> Iterator[Deadline]:
    """When each finding must be there."""
    for number, found in table.investigations.waiting.items():
        yield Deadline(found.until, f"investigation {number} is overdue", INVESTIGATIONS)


PART = Part(
    name="investigations",
    services=ATTENDED,
    acts=(
        Act(
            command=ReportInvestigation,
            roles=(*FLOOR, *AUDIT),
            duty="table.places",
            law=INVESTIGATIONS,
            decide=report,
            offers=offer_report,
        ),
    ),
    after=dict.fromkeys((OpenTable, ChangeShift, CloseTable), after_count),
    evolve={InvestigationOpened: was_opened, InvestigationReported: was_reported},
    deadlines=deadlines,
)
