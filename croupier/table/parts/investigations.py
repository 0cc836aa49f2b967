"""Openings far from what the last closing left: security or surveillance looks into them.

The floor explains every difference at the table. One of more than $100 is also investigated, and
within 24 hours there is a report of what was found; both figures are the law's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from croupier.clock import DAY
from croupier.money import Cents, dollars
from croupier.table.core.cases import Cases, check_text, is_late, urgency
from croupier.table.core.fields import TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import SECURITY, SURVEILLANCE, Account
from croupier.table.parts.shift import OpenTable, TableOpened

if TYPE_CHECKING:
    from croupier.table.table import Table

INVESTIGATIONS = "COMAR 36.05.03.03H"
MORE_THAN: Cents = 100_00

# What may be asked for.


class ReportInvestigation(Command, frozen=True, tag="report_investigation"):
    """Security or surveillance reports what became of a difference."""

    number: int
    finding: str


# What happened.


class InvestigationOpened(Event, frozen=True, kw_only=True, tag="investigation_opened"):
    """An opening was far from the last closing; what it was is reported by `until`."""

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


Investigations: TypeAlias = Cases[Investigation]


def was_opened(table: Table, event: InvestigationOpened) -> None:
    """Its day runs."""
    table.investigations.open(event.number, Investigation(event.difference, event.until))


def was_reported(table: Table, event: InvestigationReported) -> None:
    """It waits no longer."""
    table.investigations.close(event.number)


# The rules.


def after_opening(
    table: Table, command: OpenTable, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A count that two people agree on, far from what the last closing left."""
    last = table.shift.last
    (found,) = (event.inventory for event in events if isinstance(event, TableOpened))
    difference = found - last.chips if last is not None else 0
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


def report(table: Table, command: ReportInvestigation, by: Account, at: int) -> list[Event]:
    """Once, in words."""
    found = table.investigations.find(command.number, "investigation", INVESTIGATIONS)
    check_text(command.finding, "a finding", INVESTIGATIONS)
    return [
        InvestigationReported(
            number=command.number,
            finding=command.finding,
            late=is_late(table, found, at),
            by=by,
            clauses=(INVESTIGATIONS,),
        )
    ]


def offer_report(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every difference without a finding; overdue when its day is over."""
    for number, found in table.investigations.waiting.items():
        yield ActionTemplate(
            command=ReportInvestigation(number, "an exchange was counted twice"),
            fields={"finding": TextField("an exchange was counted twice")},
            due=urgency(table, found, at),
            why=f"an opening differed by {dollars(found.difference)}",
        )


def deadlines(table: Table) -> Iterator[Deadline]:
    """When each finding must be there."""
    return table.investigations.deadlines("investigation {} is overdue", INVESTIGATIONS)


PART = Part(
    name="investigations",
    services=ATTENDED,
    commands=(
        CommandSpec(
            command=ReportInvestigation,
            roles=(*SECURITY, *SURVEILLANCE),
            duty="table.places",
            law=INVESTIGATIONS,
            decide=report,
            offers=offer_report,
        ),
    ),
    after={OpenTable: after_opening},
    evolve={InvestigationOpened: was_opened, InvestigationReported: was_reported},
    deadlines=deadlines,
)
