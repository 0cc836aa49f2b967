"""The call path of a bet is the one that `docs/programmer.md` describes."""

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
SECTION = PAGE.partition("## The path of a bet")[2].partition("\n## ")[0]
FUNCTIONS = re.findall(r"^\| `([\w.]+)` \|", SECTION, re.MULTILINE)
FIRST_RULE = "table.parts.seats.round_hooks.before_placing"
# On the call stack of the first rule, the outermost first.
CALLERS = ("ledger.RecordedTable.do", "ledger.RecordedTable.execute", "table.Table.decide_command")
PLAYER = Account("ann", "player")
DEALER = Account("robot", "system")


def code_of(name: str) -> CodeType:
    """The code of a function or method by its dotted name below `croupier`."""
    parts = name.split(".")
    value: Any = import_module("croupier")
    for depth, part in enumerate(parts, 1):
        try:
            value = import_module(".".join(("croupier", *parts[:depth])))
        except ModuleNotFoundError:
            value = getattr(value, part)
    code = value.__code__
    assert isinstance(code, CodeType)
    return code


def call_stack(frame: FrameType | None) -> list[CodeType]:
    """The code of every frame, the outermost first."""
    codes: list[CodeType] = []
    while frame is not None:
        codes.append(frame.f_code)
        frame = frame.f_back
    return codes[::-1]


def first_missing(calls: list[CodeType], names: tuple[str, ...] | list[str]) -> str:
    """The first function that is not called after the one before it; nothing if all are."""
    remaining = iter(calls)
    return next((name for name in names if code_of(name) not in remaining), "")


def play_and_audit(folder: Path) -> None:
    """Load a submission, bet ten dollars on the Ante, win, and audit the ledger."""
    house = submission.load(submission.example_path("ultimate_texas_holdem"))
    with Ledger(folder / "ledger.db", purpose="practice") as ledger:
        table = ledger.open_table("A", house, by=DEALER, service="practice")
        table.do(cmd.SitDown(1), PLAYER)
        table.do(cmd.BuyIn(1, 500_00), DEALER)
        table.do(cmd.PlaceWagers(1, {"ante": 10_00, "blind": 10_00}), PLAYER)
        table.do(cmd.NoMoreBets(), DEALER)
        shoe = Shoe(DECK)
        while (due := table.table.due()).kind != "wagers":
            if (command := shoe.next_command(due)) is not None:
                table.do(command, DEALER)
            else:
                table.do(cmd.Decide(1, "4x"), PLAYER)
        assert verify(ledger.store, workers=1).ok


def test_functions_are_called_in_the_documented_order(tmp_path: Path) -> None:
    """Every function in the table of the page is called, each after the one above it."""
    first_rule = code_of(FIRST_RULE)
    calls: list[CodeType] = []
    stack_of_first_rule: list[CodeType] = []

    def record(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            calls.append(frame.f_code)
            if frame.f_code is first_rule and not stack_of_first_rule:  # the audit repeats it
                stack_of_first_rule.extend(call_stack(frame.f_back))

    previous = sys.getprofile()
    sys.setprofile(record)
    try:
        play_and_audit(tmp_path)
    finally:
        sys.setprofile(previous)

    assert len(FUNCTIONS) > 25
    assert "" == first_missing(calls, FUNCTIONS)
    assert "" == first_missing(stack_of_first_rule, CALLERS)
