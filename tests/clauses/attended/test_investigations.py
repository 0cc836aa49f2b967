"""Counts of the tray more than $100 from the record are looked into within a day."""

from __future__ import annotations

import pytest

from croupier.table import Account, investigations
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.clock import DAY
from croupier.table.snapshots import freeze, thaw
from croupier.table.steps import Step
from croupier.table.table import Table
from tests.attended.floor import DEE, FLO, HOUR, MAX, Floor, replayed
from tests.support import UTH, house

LAW = "COMAR 36.05.03.03H"
TRAY = 5_000_000
AUD = Account("aud", "audit")
WHY = "recounted with the same result"


def changed(difference: int) -> Floor:
    """The next shift finds so much more or less in the tray."""
    floor = Floor(house(UTH)).open(TRAY)
    floor.do(cmd.CountInventory(TRAY + difference), DEE)
    floor.do(cmd.ChangeShift(WHY if difference else ""), FLO)
    return floor


@pytest.mark.upholds(LAW)
@pytest.mark.parametrize("difference", [100_01, -100_01])
def test_a_difference_over_a_hundred_dollars_is_looked_into(difference: int) -> None:
    """It has a number, an amount and a day; then it is overdue, and late."""
    floor = changed(difference)
    (opened,) = floor.of(ev.InvestigationOpened)
    assert (1, difference, floor.at + DAY) == (opened.number, opened.difference, opened.until)
    (deadline,) = investigations.deadlines(floor.table)
    assert (opened.until, LAW) == (deadline.at, deadline.clause)
    floor.refused(cmd.ReportInvestigation(1, "counted wrongly"), DEE, LAW)
    floor.refused(cmd.ReportInvestigation(1, "  "), FLO, LAW)
    floor.refused(cmd.ReportInvestigation(2, "counted wrongly"), FLO, LAW)
    assert ["may"] == [step.due for step in reports(floor)]
    (reported,) = floor.do(cmd.ReportInvestigation(1, "a fill was entered twice"), AUD)
    assert isinstance(reported, ev.InvestigationReported) and not reported.late
    floor.refused(cmd.ReportInvestigation(1, "once more"), FLO, LAW)
    assert replayed(floor.house, floor.events) == floor.table


def reports(floor: Floor) -> list[Step]:
    """The steps that ask for a finding."""
    return [
        step for step in floor.table.next_steps(floor.at) if step.kind == "report_investigation"
    ]


@pytest.mark.parametrize("difference", [0, 100_00, -100_00])
def test_a_hundred_dollars_are_explained_at_the_table(difference: int) -> None:
    """The reason is enough."""
    assert [] == changed(difference).of(ev.InvestigationOpened)


@pytest.mark.upholds(LAW)
def test_openings_and_closings_are_looked_into_too() -> None:
    """A closing against the record, an opening against the last closing; snapshots keep both."""
    floor = Floor(house(UTH)).open(TRAY)
    floor.do(cmd.CountInventory(TRAY - 300_00), DEE)
    floor.do(cmd.CloseTable(WHY), FLO)
    floor.do(cmd.AttestEquipment(), DEE)
    for name, back in (("three", "green"), ("four", "black")):
        floor.receive(name, back)
        floor.inspect(name)
    floor.do(cmd.CountInventory(TRAY), DEE)
    floor.do(cmd.OpenTable(WHY), FLO)
    assert [-300_00, 300_00] == [event.difference for event in floor.of(ev.InvestigationOpened)]
    again = Table(floor.house, service="attended", live=True)
    thaw(again, freeze(floor.table))
    assert again.investigations == floor.table.investigations


@pytest.mark.upholds(LAW)
def test_after_a_day_a_finding_is_late() -> None:
    """The table is closed by then; the finding is asked for all the same."""
    floor = Floor(house(UTH)).open(TRAY)
    floor.do(cmd.CountInventory(TRAY - 300_00), DEE)
    floor.do(cmd.CloseTable(WHY), FLO)
    floor.at += DAY + HOUR
    assert ["overdue"] == [step.due for step in reports(floor)]
    (reported,) = floor.do(cmd.ReportInvestigation(1, "found in the drop box"), MAX)
    assert isinstance(reported, ev.InvestigationReported) and reported.late
