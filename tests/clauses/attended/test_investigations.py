"""An opening more than $100 off the last closing is investigated within a day."""

from __future__ import annotations

import pytest

from croupier.clock import DAY
from croupier.table import Account
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.steps import Step
from croupier.table.core.table_snapshot import from_snapshot, to_snapshot
from croupier.table.parts import investigations
from croupier.table.table import Table
from tests.support.attended_table import DEE, EYE, FLO, MAX, SID, Floor, replayed
from tests.support.rounds import UTH, house

LAW = "COMAR 36.05.03.03H"
TRAY = 5_000_000
WHY = "recounted with the same result"


def closed() -> Floor:
    """A closed table whose closing count equals its opening count."""
    floor = Floor(house(UTH)).open(TRAY)
    floor.do(cmd.CountInventory(TRAY), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    return floor


def reopened(difference: int) -> Floor:
    """The table reopened with this difference in the tray."""
    floor = closed()
    floor.reopen(TRAY + difference, WHY)
    return floor


@pytest.mark.upholds(LAW)
@pytest.mark.parametrize("difference", [100_01, -100_01])
def test_a_difference_over_a_hundred_dollars_is_looked_into(difference: int) -> None:
    """A large difference opens a numbered case for security or surveillance, due in a day."""
    floor = reopened(difference)
    (opened,) = floor.of(ev.InvestigationOpened)
    assert (1, difference, floor.at + DAY) == (opened.number, opened.difference, opened.until)
    (deadline,) = investigations.deadlines(floor.table)
    assert (opened.until, LAW) == (deadline.at, deadline.clause)
    for person in (DEE, FLO, MAX):
        floor.refused(cmd.ReportInvestigation(1, "counted wrongly"), person, LAW)
    floor.refused(cmd.ReportInvestigation(1, "  "), SID, LAW)
    floor.refused(cmd.ReportInvestigation(2, "counted wrongly"), SID, LAW)
    assert ["may"] == [step.due for step in reports(floor)]
    (reported,) = floor.do(cmd.ReportInvestigation(1, "a fill was entered twice"), EYE)
    assert isinstance(reported, ev.InvestigationReported) and not reported.late
    floor.refused(cmd.ReportInvestigation(1, "once more"), EYE, LAW)
    assert replayed(floor.house, floor.events) == floor.table


@pytest.mark.upholds("COMAR 36.03.10.10E")
def test_who_counted_or_opened_does_not_investigate() -> None:
    """In no role; security and surveillance are other people."""
    floor = reopened(-300_00)
    (opened,) = floor.of(ev.InvestigationOpened)
    assert ("dee", "flo") == opened.involved
    for name, role in (("dee", "security"), ("flo", "surveillance")):
        person = Account(name, role)  # type: ignore[arg-type]
        finding = cmd.ReportInvestigation(1, "an exchange was counted twice")
        floor.refused(finding, person, "COMAR 36.03.10.10E")
        assert not any(step.is_for(person) for step in reports(floor))
    floor.do(finding, SID)


def reports(floor: Floor) -> list[Step]:
    """The steps that require an investigation report."""
    return [
        step for step in floor.table.next_steps(floor.at) if step.kind == "report_investigation"
    ]


@pytest.mark.parametrize("difference", [100_00, -100_00])
def test_a_hundred_dollars_are_explained_at_the_table(difference: int) -> None:
    """A small difference needs only a reason."""
    assert [] == reopened(difference).of(ev.InvestigationOpened)


def test_what_the_record_expects_is_another_matter() -> None:
    """A first opening, a shift change and a closing open no case."""
    floor = Floor(house(UTH)).open(TRAY)
    floor.do(cmd.CountInventory(TRAY - 300_00), DEE)
    floor.do(cmd.ChangeShift(WHY), FLO)
    floor.do(cmd.CountInventory(TRAY), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(WHY), FLO)
    assert [] == floor.of(ev.InvestigationOpened)


@pytest.mark.upholds(LAW)
def test_each_opening_is_compared_with_the_closing_before_it() -> None:
    """Two differences open two cases, and snapshots keep both."""
    floor = reopened(-300_00)
    floor.do(cmd.CountInventory(TRAY - 300_00), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), FLO)
    floor.reopen(TRAY, WHY)
    assert [-300_00, 300_00] == [event.difference for event in floor.of(ev.InvestigationOpened)]
    again = Table(floor.house, service="attended", live=True)
    from_snapshot(again, to_snapshot(floor.table))
    assert again.investigations == floor.table.investigations
    assert 2 == len(again.investigations.waiting)


@pytest.mark.upholds(LAW)
def test_after_a_day_a_finding_is_late() -> None:
    """The report is still required."""
    floor = reopened(-300_00)
    until = floor.table.investigations.waiting[1].until
    floor.at += DAY // 2
    floor.do(cmd.CountInventory(TRAY - 300_00), DEE)  # the table is open, and its clock runs
    floor.at = until
    assert ["may"] == [step.due for step in reports(floor)]
    floor.at += 1
    assert ["overdue"] == [step.due for step in reports(floor)]
    (reported,) = floor.do(cmd.ReportInvestigation(1, "found in the drop box"), SID)
    assert isinstance(reported, ev.InvestigationReported) and reported.late
