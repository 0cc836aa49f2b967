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

Seat 1 bets Ante $10.00, Blind $10.00, Trips $5.00, Progressive $1.00. [7.F.1]
Seat 4 bets Ante $10.00, Blind $10.00. [7.F.1]
No more bets. [10.A.2.a]
Seat 1 with 3s 4c checks. [11.B.2.b]
Seat 4 with 4d 4h checks. [11.B.2.b]
The dealer shows 2c 2d 2h. [11.C.2]
Seat 1 with 3s 4c bets 2x: Play $20.00. [11.D.1]
Seat 4 with 4d 4h checks. [11.D.2.b]
The dealer shows 2c 2d 2h 2s 3c. [11.E.2]
Seat 4 with 4d 4h folds. [11.F]
The dealer has 3d 3h: four of a kind. [11.G.1]
Seat 1 has 3s 4c: four of a kind. [11.H.2]
  Seat 4 Ante loses: $10.00 -> $0.00 [11.F.2]
  Seat 4 Blind loses: $10.00 -> $0.00 [11.F.2]
  Seat 1 Ante wins 1 to 1: $10.00 -> $20.00 [12.A]
  Seat 1 Blind wins 10 to 1: $10.00 -> $110.00 [12.B.1.c]
  Seat 1 Play wins 1 to 1: $20.00 -> $40.00 [12.A]
  Seat 1 Trips wins 30 to 1: $5.00 -> $155.00 [12.C.3.c]
  Seat 1 Progressive wins 10 for 1: $1.00 -> $10.00 [12.D.1.c.vii]

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
    assert "Seat 1 Ante is void: $10.00 -> $10.00" in output


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
