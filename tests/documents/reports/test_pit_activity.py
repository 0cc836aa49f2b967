"""Pit activity reports of one shift: tips, disputes, differences, chips by denomination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.documents.reports.report_registry import report
from croupier.ledger import Ledger
from croupier.ledger.recorded_table import RecordedTable
from croupier.table import Account, Event
from croupier.table import commands as cmd
from croupier.table.core.messages import Command
from tests.support.attended_table import ANN, DEE, EYE, FLO, MAX, SYSTEM, Floor
from tests.support.rounds import TOP, house
from tests.support.shifts.houses import CHIPS

RULES = house(TOP, table={"shuffle_method": "shuffler", "decks": 1}, chip_set=CHIPS)
INVENTORY = {"100": 500, "500": 200, "2500": 100}


class Recorded(Floor):
    """A floor whose commands are recorded in a ledger."""

    def __init__(self, recorded: RecordedTable) -> None:
        super().__init__(recorded.table.house)
        self.recorded = recorded
        self.table = recorded.table

    def do(self, command: Command, by: Account) -> Sequence[Event]:
        self.at += 1000
        events = self.recorded.do(command, by, self.at)
        self.events += events
        return events


def shift(ledger: Ledger) -> None:
    """One round, two tips, a fill, two disputes, and a reopening that is $110 short."""
    floor = Recorded(ledger.open_table("T5", RULES, by=SYSTEM, service="attended"))
    floor.staff()
    floor.attest()
    floor.receive()
    floor.inspect("one")
    floor.do(cmd.CountInventory(INVENTORY), DEE)
    floor.do(cmd.OpenTable(), FLO)
    floor.seat(1, ANN, cash=100_000)
    floor.mix("one")
    floor.shuffle("one")
    if floor.table.decks.in_play() is None:
        floor.load("one")
    floor.round()
    for chips in (500, 2500):
        floor.do(cmd.Tip(1, chips), ANN)
    floor.fill("F-1", {"500": 30})
    floor.do(cmd.OpenDispute(1, "the push was not paid"), ANN)
    floor.do(cmd.DecideDispute(1, "the settlement stands", "seen on video"), FLO)
    floor.do(cmd.OpenDispute(1, "and the bonus neither"), ANN)
    floor.do(cmd.Leave(1), ANN)
    left = floor.table.book.tray // 100
    floor.do(cmd.CountInventory({"100": left}), DEE)
    floor.remove_decks()
    floor.do(cmd.CloseTable(), MAX)
    floor.reopen({"100": left - 110}, "recounted")
    floor.do(cmd.ReportInvestigation(1, "a rack was left at the cage"), EYE)


def rows(ledger: Ledger, kind: str, title: str) -> list[dict[str, Any]]:
    """The rows of a section."""
    sections = report(ledger, kind).data()["sections"]
    (section,) = [section for section in sections if section["title"] == title]
    return list(section["rows"])


def test_pit_activity(lite: Ledger) -> None:
    """Every section has the events of the shift."""
    shift(lite)
    (box,) = rows(lite, "tips", "Tip boxes")
    tips = rows(lite, "tips", "Tips")
    decided, waiting = rows(lite, "disputes", "Disputes")
    (investigated,) = rows(lite, "disputes", "Count differences investigated")
    chips = rows(lite, "chips", "Chips by denomination")
    opened = [row for row in chips if row["what"] == "table opened"]
    requested, received = [row for row in chips if row["slip"] == "F-1"]

    assert 3000 == box["chips_cents"] == sum(tip["chips_cents"] for tip in tips)
    assert ["ann", "ann"] == [tip["player"] for tip in tips]
    assert ("the settlement stands", "seen on video") == (decided["outcome"], decided["reason"])
    assert ("waiting", 1, "ann") == (waiting["outcome"], waiting["round"], waiting["player"])
    assert (-110_00, "a rack was left at the cage") == (
        investigated["difference_cents"],
        investigated["outcome"],
    )
    assert INVENTORY == {str(row["chip_cents"]): row["pieces"] for row in opened[:-1]}
    assert ["fill requested", "fill received"] == [requested["what"], received["what"]]
    for row in (requested, received):
        assert (500, 30, 15_000) == (row["chip_cents"], row["pieces"], row["worth_cents"])
