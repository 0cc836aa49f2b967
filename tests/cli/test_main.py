"""The command line in processes of its own: help, check, replay, rulebook."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from croupier import submission
from croupier.cli.main import app
from croupier.games import CATALOGUE
from tests.support.run_python import run_python
from tests.table.scenario.test_scenario import SCENARIO, changed


def croupier(*arguments: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a new process."""
    return run_python("-m", "croupier.cli", *arguments, input=input)


@pytest.fixture
def scenarios(tmp_path: Path) -> tuple[Path, Path]:
    """A good scenario and a bad one, as files."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(SCENARIO), "utf-8")
    bad.write_text(json.dumps(changed("seats", "1", "decisions", value=["5x"])), "utf-8")
    return good, bad


GROUPS = {
    "Play": ["play"],
    "Rules": ["rulebook", "replay"],
    "Submissions": ["example", "new", "check"],
    "Documents": ["felt", "sign", "par", "card", "packet"],
    "Mathematics": [
        *("analyze", "advise", "session", "protect", "design", "meter", "strategy"),
        *("simulate", "randomness", "warm"),
    ],
    "Server": [
        "serve",
        "self-check",
        "dossier",
        "admit",
        "dismiss",
        "lock",
        "unlock",
        "key",
        "factor",
        "enable",
        "exclude",
        "people",
        "gaming",
    ],
    "Ledger": ["found", "export", "import", "backup", "restore", "report", "audit"],
}


def test_help_lists_the_commands_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command has one line of 80 columns in the panel of its group."""
    monkeypatch.setenv("COLUMNS", "80")
    done = croupier("--help")
    groups: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("╭─ "):
            rows = groups.setdefault(line.split()[1], [])
        elif line.startswith("│ "):
            rows.append(line[2:].split(" ")[0])

    assert 0 == done.returncode
    assert groups.pop("Options")
    assert GROUPS == groups


def leaf_commands(
    command: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command below one, with its words."""
    for name, child in getattr(command, "commands", {}).items():
        if hasattr(child, "commands"):
            yield from leaf_commands(child, (*path, name))
        else:
            yield (*path, name), child


def test_help_has_an_example() -> None:
    """The help of every command ends with an example, whose arguments the command accepts."""
    commands = dict(leaf_commands(typer.main.get_command(app)))
    for words, command in commands.items():
        prefix = f"Example: croupier {' '.join(words)}"
        assert (command.epilog or "").startswith(prefix), words
        arguments = shlex.split(command.epilog.removeprefix(prefix))
        command.make_context(words[-1], arguments).close()

    assert len(commands) > 35


def test_help_imports_no_slow_package() -> None:
    """The help text needs neither NumPy nor the packages of databases and of the bankroll."""
    code = "import sys\nsys.argv = ['croupier', '--help']\nfrom croupier.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)\n"
    done = run_python("-c", code, check=True)
    loaded = set(done.stderr.split())

    assert "croupier.cli.main" in loaded
    slow = {"numpy", "numba", "sqlalchemy", "starlette", "croupier.table"}
    assert set() == loaded & {*slow, "filelock", "platformdirs"}


def test_check_accepts_the_examples() -> None:
    """All five example submissions in one call."""
    done = croupier("check", *(submission.example_path(game.key) for game in CATALOGUE))

    assert (0, "") == (done.returncode, done.stderr)
    assert 5 == done.stdout.count("Legal")


def test_check_shows_every_error_of_a_submission(tmp_path: Path) -> None:
    """Two errors are two issues and exit status 2, as text and as JSON."""
    text = submission.example_path("top_five").read_text("utf-8")
    file = tmp_path / "bad.toml"
    file.write_text(
        text.replace('poker_bonus = "A"', 'poker_bonus = "Z"') + "\n[colour]\n", "utf-8"
    )

    done = croupier("check", file, "--json")
    issues = json.loads(done.stdout)["issues"]

    assert 2 == done.returncode
    assert {"colour", "paytables.poker_bonus"} <= {issue["field"] for issue in issues}
    assert 2 == croupier("check", file).returncode


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"= nothing", b""])
def test_check_of_an_unreadable_file(tmp_path: Path, content: bytes | None) -> None:
    """A missing file, binary data, invalid TOML, an empty file: exit status 2, no traceback."""
    file = tmp_path / "odd.toml"
    if content is not None:
        file.write_bytes(content)

    done = croupier("check", file)

    assert 2 == done.returncode
    assert "Traceback" not in done.stderr


def test_replay_prints_one_object_per_line(scenarios: tuple[Path, Path]) -> None:
    """An invalid file has an error object on its line; the exit status is 2 at the end."""
    good, bad = scenarios

    done = croupier("replay", good, bad, good)
    first, second, third = map(json.loads, done.stdout.splitlines())

    assert 2 == done.returncode
    assert first == third
    assert str(bad) == second["file"]
    assert second["error"].startswith("seats.1.decisions[0]: 5x is not offered before the flop")


def test_replay_with_events(scenarios: tuple[Path, Path]) -> None:
    """All events of the round, in order."""
    done = croupier("replay", scenarios[0], "--json", "--events")
    events = json.loads(done.stdout)["events"]

    assert 0 == done.returncode
    assert "round_opened" == events[0]["kind"]
    assert "round_closed" == events[-1]["kind"]


def test_rulebook_shows_a_clause_with_its_references() -> None:
    """Enforcement and readings, as text and as JSON."""
    shown = croupier("rulebook", "ultimate_texas_holdem", "11.H.1")
    entries = json.loads(croupier("rulebook", "ultimate_texas_holdem", "11.H", "--json").stdout)

    assert "enforced: croupier.games.ultimate_texas_holdem.game.settle_contest" in shown.stdout
    assert "A86" in shown.stdout
    assert "11.H.3.d" in {entry["id"] for entry in entries}
    assert all(entry["tests"] for entry in entries if entry["proof"] == "engine")


@pytest.mark.parametrize("arguments", [("whist",), ("top_five", "99.Z"), ()])
def test_rulebook_refuses_unknown_names(arguments: tuple[str, ...]) -> None:
    """An unknown game or clause is an error with exit status 2."""
    done = croupier("rulebook", *arguments)

    assert 2 == done.returncode
    assert "unknown" in done.stderr


def test_coverage_counts_every_clause_once() -> None:
    """A clause is enforced, recorded, defined or open."""
    data = json.loads(croupier("rulebook", "--coverage", "--json").stdout)

    assert 5 <= len(data)
    for counts in data.values():
        covered = counts["enforced"] + counts["recorded"] + counts["defined"]
        assert counts["clauses"] == covered + len(counts["open"])
    assert "enforced" in croupier("rulebook", "--coverage").stdout
