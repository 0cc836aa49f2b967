"""The command line as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier import submission
from croupier.games import CATALOGUE
from tests.table.scenario.test_scenario import SCENARIO, changed


def croupier(*arguments: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "croupier.cli", *map(str, arguments)],
        input=input,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture
def scenarios(tmp_path: Path) -> tuple[Path, Path]:
    """A good scenario and a bad one, as files."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(SCENARIO), "utf-8")
    bad.write_text(json.dumps(changed("seats", "1", "decisions", value=["5x"])), "utf-8")
    return good, bad


def test_help_names_the_commands() -> None:
    """The first thing a new user types."""
    done = croupier("--help")

    assert 0 == done.returncode
    assert all(word in done.stdout for word in ("play", "check", "replay", "rulebook"))


def test_check_accepts_the_examples() -> None:
    """All five at once."""
    done = croupier("check", *(submission.example_path(game.key) for game in CATALOGUE))

    assert (0, "") == (done.returncode, done.stderr)
    assert 5 == done.stdout.count("Legal")


def test_check_shows_every_error_of_a_submission(tmp_path: Path) -> None:
    """Two faults, two issues, exit status 2, as text and as JSON."""
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
def test_check_of_what_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    """A missing file, no text, no TOML, nothing: a sentence and exit status 2, no traceback."""
    file = tmp_path / "odd.toml"
    if content is not None:
        file.write_bytes(content)

    done = croupier("check", file)

    assert 2 == done.returncode
    assert "Traceback" not in done.stderr


def test_replay_prints_one_object_per_line(scenarios: tuple[Path, Path]) -> None:
    """A bad file has its error on its line, and the exit status is 2 at the end."""
    good, bad = scenarios

    done = croupier("replay", good, bad, good)
    first, second, third = map(json.loads, done.stdout.splitlines())

    assert 2 == done.returncode
    assert first == third
    assert str(bad) == second["file"]
    assert second["error"].startswith("seats.1.decisions[0]: 5x is not offered before the flop")


def test_replay_with_events(scenarios: tuple[Path, Path]) -> None:
    """The whole record of the round, in order."""
    done = croupier("replay", scenarios[0], "--json", "--events")
    events = json.loads(done.stdout)["events"]

    assert 0 == done.returncode
    assert "round_opened" == events[0]["kind"]
    assert "round_closed" == events[-1]["kind"]


def test_rulebook_shows_a_clause_with_all_that_touches_it() -> None:
    """Summary, enforcement, readings; as JSON too."""
    shown = croupier("rulebook", "ultimate_texas_holdem", "11.H.1")
    entries = json.loads(croupier("rulebook", "ultimate_texas_holdem", "11.H", "--json").stdout)

    assert "settle_contest" in shown.stdout
    assert "A86" in shown.stdout
    assert "11.H.3.d" in {entry["id"] for entry in entries}
    assert all(entry["tests"] for entry in entries if entry["proof"] == "engine")


@pytest.mark.parametrize("arguments", [("whist",), ("top_five", "99.Z"), ()])
def test_rulebook_refuses_what_is_not_there(arguments: tuple[str, ...]) -> None:
    """An unknown game or clause is named, exit status 2."""
    done = croupier("rulebook", *arguments)

    assert 2 == done.returncode
    assert "unknown" in done.stderr


def test_coverage_has_a_place_for_every_clause() -> None:
    """Enforced, recorded, defined or open: nothing is counted twice or left out."""
    found = json.loads(croupier("rulebook", "--coverage", "--json").stdout)

    assert 5 <= len(found)
    for known in found.values():
        shown = known["enforced"] + known["recorded"] + known["defined"]
        assert known["clauses"] == shown + len(known["open"])
    assert "enforced" in croupier("rulebook", "--coverage").stdout
