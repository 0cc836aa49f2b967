"""The replay command on a terminal and in a pipe, and options refused before any work."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from croupier import analysis
from tests.support.cli import invoke
from tests.support.paths import ROOT
from tests.table.scenario.test_scenario import SCENARIO, changed

TRANSCRIPT = """\
Ultimate Texas Hold'Em Poker

Round 1 starts. [1.A]
Seat 1 bets Ante $10, Blind $10, Trips $5, Progressive $1. [7.F.1]
Seat 4 bets Ante $10, Blind $10. [7.F.1]
No more bets. [10.A.2.a]
Progressive bets locked: mega +$0.04, major +$0.08, minor +$0.08. [10.A.2.b.i]
Dealt to the board: 2c 2d 2h 2s 3c. [10.B.2]
Dealt to the dealer: 3d 3h; seat 1: 3s 4c; seat 4: 4d 4h. [10.B.3]
Decisions before the flop. [11.A]
Seat 1 checks. [11.B.2.b]
Seat 4 checks. [11.B.2.b]
Community cards: 2c 2d 2h. [11.C.2]
Seat 1 bets 2x: Play $20. [11.D.1]
Seat 4 checks. [11.D.2.b]
Community cards: 2c 2d 2h 2s 3c. [11.E.2]
Seat 4 folds. [11.F]
The dealer collects seat 4's Ante $10 and Blind $10. [11.F.2]
Seat 4's hand goes to the discard rack. [11.F.3.b]
The dealer shows 3d 3h: four of a kind. [11.G.1]
Seat 4's Ante $10 loses. [11.F.2]
Seat 4's Blind $10 loses. [11.F.2]
Seat 1 shows 3s 4c: four of a kind. [11.H.2]
All hands are face up. [11.H.3.b]
Seat 1's Ante $10 wins 1 to 1, +$10. [12.A]
Seat 1's Blind $10 wins 10 to 1, +$100. [12.B.1.c]
Seat 1's Play $20 wins 1 to 1, +$20. [12.A]
Seat 1's Trips $5 wins 30 to 1, +$150. [12.C.3.c]
Seat 1's Progressive $1 wins 10 for 1, +$9. [12.D.1.c.vii]
The round is over; discard rack: 4d 4h 3s 4c 3d 3h 2c 2d 2h 2s 3c; 41 in the stub. [11.K]

Seat 1: net +$289.00
Seat 4: net -$20.00
mega meter: $12,345.71
major meter: $1,234.08
minor meter: $250.58
"""


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """The output of a command whose standard output is a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "croupier.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=slave,
        stderr=subprocess.DEVNULL,
    ):
        os.close(slave)
        text = b""
        try:
            while part := os.read(master, 65536):
                text += part
        except OSError:  # the other end was closed: end of output
            pass
    os.close(master)
    return text.decode().replace("\r\n", "\n")


def test_a_terminal_gets_a_transcript(tmp_path: Path) -> None:
    """One round from the bets to the net results."""
    (tmp_path / "round.json").write_text(json.dumps(SCENARIO), "utf-8")

    assert f"round.json: {TRANSCRIPT}" == on_a_terminal(tmp_path, "replay", "round.json")


def test_a_void_round_names_the_irregularity(tmp_path: Path) -> None:
    """The irregularity with its clause, and the returned stakes."""
    jam = changed("irregularities", value=[{"kind": "shoe_jam", "when": "flop"}])
    (tmp_path / "jam.json").write_text(json.dumps(jam), "utf-8")

    output = on_a_terminal(tmp_path, "replay", "jam.json")

    assert "The round is void: shoe jam. [13." in output
    assert "Seat 1's Ante $10 is void. [13.I]" in output


def test_json_stays_json_on_a_terminal(tmp_path: Path) -> None:
    """`--json` overrides the detection of a terminal."""
    (tmp_path / "round.json").write_text(json.dumps(SCENARIO), "utf-8")

    assert (
        28900
        == json.loads(on_a_terminal(tmp_path, "replay", "round.json", "--json"))["seats"]["1"][
            "net"
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("analyze", "run", "--plot", "chart.png"), "chart.png: expected a .svg or .pdf file"),
        (("analyze", "run", "--plot", "there.svg"), "there.svg exists already"),
        (("session", "run", "--rebate", "120"), "less than 100 percent"),
        (("session", "run", "--rounds", "0"), "--rounds"),
        (("report", "day", "--day", "2026-11-15", "--since", "2026-11-15"), "not both"),
    ],
)
def test_invalid_options_are_refused_before_solving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], problem: str
) -> None:
    """Solving takes many seconds; the error must not wait for it."""

    def solve(*_: object, **__: object) -> None:
        raise AssertionError("solved before the options were checked")

    for module in ("advice", "result_cache"):  # imported now so that they do not bind the stub
        import_module(f"croupier.analysis.{module}")
    for name in ("solve", "analyze", "analyze_game"):
        monkeypatch.setattr(analysis, name, solve)
    monkeypatch.chdir(tmp_path)
    Path("there.svg").write_text("mine", "utf-8")

    done = invoke(arguments)

    assert 2 == done.exit_code, done.exception
    assert problem in " ".join(done.output.split())
    assert "mine" == Path("there.svg").read_text("utf-8")
