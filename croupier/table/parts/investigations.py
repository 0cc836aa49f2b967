"""Investigations of opening counts that differ from the last closing count.

The floor explains every difference. Security or surveillance also investigates a difference of
more than $100 and reports the finding within 24 hours; both figures are from the regulation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from croupier.clock import DAY
from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.core.cases import Cases, check_text, is_late, urgency
from croupier.table.core.fields import TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import SECURITY, SURVEILLANCE, TWO_PEOPLE, Account
from croupier.table.parts.shift import OpenTable, TableOpened

if TYPE_CHECKING:
    from croupier.table.table import Table

INVESTIGATIONS = "COMAR 36.05.03.03H"
MORE_THAN: Cents = 100_00

# Commands


class ReportInvestigation(Command, frozen=True, tag="report_investigation"):
    """Security or surveillance reports the finding on a difference."""

    number: int
    finding: str


# Events


class InvestigationOpened(Event, frozen=True, kw_only=True, tag="investigation_opened"):
    """An opening count differed from the last closing count; a finding is due by `until`."""

    audience: ClassVar[Audience] = "staff"

    number: int
    difference: Cents  # counted less expected
    involved: tuple[str, ...]  # who made the two counts and agreed; they do not investigate
    until: int


class InvestigationReported(Event, frozen=True, kw_only=True, tag="investigation_reported"):
    """The finding on a difference; `late` if it came after the deadline."""

    audience: ClassVar[Audience] = "staff"

    number: int
    finding: str
    late: bool
    by: Account


@dataclass(slots=True)
class Investigation:
    """A difference under investigation."""

    difference: Cents
    involved: tuple[str, ...]
    until: int


Investigations: TypeAlias = Cases[Investigation]


# Event handlers


def was_opened(table: Table, event: InvestigationOpened) -> None:
    table.investigations.open(
        event.number, Investigation(event.difference, event.involved, event.until)
    )


def was_reported(table: Table, event: InvestigationReported) -> None:
    table.investigations.close(event.number)


# Rules


def after_opening(
    table: Table, command: OpenTable, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Open an investigation if the opening count differs too much from the last closing count."""
    last = table.shift.last
    (opened,) = (event for event in events if isinstance(event, TableOpened))
    if last is None or abs(opened.inventory - last.chips) <= MORE_THAN:
        return []
    return [
        InvestigationOpened(
            number=table.investigations.opened + 1,
            difference=opened.inventory - last.chips,
            involved=tuple(sorted({last.by.id, opened.counted_by.id, by.id})),
            until=table.now(at) + DAY,
            clauses=(INVESTIGATIONS,),
        )
    ]


def report(table: Table, command: ReportInvestigation, by: Account, at: int) -> list[Event]:
    """Close an investigation with a finding."""
    investigation = table.investigations.find(command.number, "investigation", INVESTIGATIONS)
    check_text(command.finding, "a finding", INVESTIGATIONS)
    if by.id in investigation.involved:
        problem = f"{by.id} counted or opened the table; another person must investigate"
        raise Refusal(problem, TWO_PEOPLE)
    return [
        InvestigationReported(
            number=command.number,
            finding=command.finding,
            late=is_late(table, investigation, at),
            by=by,
            clauses=(INVESTIGATIONS,),
        )
    ]


def offer_report(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a report on every open investigation; overdue after its deadline."""
    for number, investigation in table.investigations.waiting.items():
        yield ActionTemplate(
            command=ReportInvestigation(number, "an exchange was counted twice"),
            fields={"finding": TextField("an exchange was counted twice")},
            due=urgency(table, investigation, at),
            why=f"an opening count differed by {dollars(investigation.difference)}",
            except_for=investigation.involved,
        )


def deadlines(table: Table) -> Iterator[Deadline]:
    """Return when each finding is due."""
    return table.investigations.deadlines("investigation {} is overdue", INVESTIGATIONS)


PART = Part(
    subject="Disputes and rulings",
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
