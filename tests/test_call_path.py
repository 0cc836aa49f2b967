"""The road of a chip through the house is the one that `docs/programmer.md` describes."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from croupier import submission
from croupier.cards import DECK
from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.table import Account, Shoe
from croupier.table import commands as cmd
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "programmer.md").read_text("utf-8")
ROAD = PAGE.partition("## One chip")[2].partition("\n## ")[0]
STATIONS = re.findall(r"^\| `([\w.]+)` \|", ROAD, re.MULTILINE)
ANN, ROBOT, MAX = Account("ann", "player"), Account("robot", "system"), Account("max", "operator")


def code_of(name: str) -> CodeType:
    """The code of a function that the page names: of a module, or of a class in one."""
    parts = name.split(".")
    found: Any = import_module("croupier")
    for depth, part in enumerate(parts, 1):
        try:
            found = import_module(".".join(("croupier", *parts[:depth])))
        except ModuleNotFoundError:
            found = getattr(found, part)
    code = found.__code__
    assert isinstance(code, CodeType)
    return code


def called_by(code: CodeType, frame: FrameType | None) -> list[str]:
    """The functions between a call and the one that began it all, from the outside in."""
    names: list[str] = []
    while frame is not None and frame.f_code is not code:
        if frame.f_code.co_name != "<listcomp>":  # a call of its own in older Pythons only
            names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names[::-1]


def walk(folder: Path) -> None:
    """Ten dollars on the Ante: from a file to a table, won, and audited."""
    house = submission.load(submission.example_path("ultimate_texas_holdem"))
    with Ledger(folder / "walk.db", purpose="practice") as ledger:
        table = ledger.open_table("A", house, by=MAX, service="practice")
        table.do(cmd.SitDown(1), ANN)
        table.do(cmd.BuyIn(1, 500_00), ROBOT)
        table.do(cmd.PlaceWagers(1, {"ante": 10_00, "blind": 10_00}), ANN)
        table.do(cmd.NoMoreBets(), ROBOT)
        shoe = Shoe(DECK)
        while (due := table.table.due()).kind != "wagers":
            if (command := shoe.next_command(due)) is not None:
                table.do(command, ROBOT)
            else:
                table.do(cmd.Decide(1, "4x"), ANN)
        assert verify(ledger.store, workers=1).ok


def test_the_chip_walks_the_road_that_is_described(tmp_path: Path) -> None:
    """Every function of the table is called, each after the one above it."""
    do, first_rule = map(
        code_of, ("ledger.RecordedTable.do", "table.parts.seats.round_hooks.before_placing")
    )
    calls: list[CodeType] = []
    before_the_rule: list[str] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            calls.append(frame.f_code)
            if frame.f_code is first_rule and not before_the_rule:  # the audit asks it again
                before_the_rule.extend(called_by(do, frame.f_back))

    watched = sys.getprofile()
    sys.setprofile(note)
    try:
        walk(tmp_path)
    finally:
        sys.setprofile(watched)

    assert len(STATIONS) > 25
    ahead = iter(calls)
    for name in STATIONS:
        assert code_of(name) in ahead, f"{name} is not called there"
    assert "six calls below `do`" in ROAD
    assert ["execute", "_attempt", "_decided", "judge", "decide_command"] == before_the_rule
