"""An operator's first submission, done in an empty folder with the commands alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from contextlib import chdir
from pathlib import Path

import pytest

from croupier import submission
from croupier.games import CATALOGUE, Game
from croupier.rulebook import clauses
from tests.cli.test_audit_commands import Done
from tests.support.cli import invoke
from tests.support.paths import ROOT


def croupier(folder: Path, *arguments: str, input: str = "", columns: int = 0) -> Done:
    """Run a command in a folder, in this process, which is quicker."""
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        if columns:
            patch.setenv("COLUMNS", str(columns))
        done = invoke(arguments, input=input, catch_exceptions=False)
    return Done(done.exit_code, done.stdout, done.stderr)


def in_a_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, as an operator does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)
    return subprocess.run(
        [sys.executable, "-m", "croupier.cli", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def approved(file: Path) -> None:
    """Every approval that the file leaves open, written in as its comments ask."""
    text = file.read_text("utf-8")
    text = re.sub(r'^# (\w+) = "\.\.\.".*$', r'\1 = "File 12, 2031-02-14"', text, flags=re.M)
    file.write_text(text, "utf-8")


def test_the_first_submission_of_an_operator(tmp_path: Path) -> None:
    """New, check, approvals, check again, felt and sign: from nothing to a table that may open."""
    made = in_a_process(tmp_path, "new", "run", "--defaults", "--operator", "Pier Casino")
    file = tmp_path / "run_em_twice.toml"
    assert (0, "") == (made.returncode, made.stderr)
    assert "Legal: Run 'Em Twice Poker at Pier Casino; not ready to open: 2" in made.stdout

    approved(file)
    checked = in_a_process(tmp_path, "check", file.name)
    assert 0 == checked.returncode
    assert checked.stdout.startswith("run_em_twice.toml\nLegal: ")
    assert "ready to open" in checked.stdout.splitlines()[1]
    assert "Outstanding" not in checked.stdout
    assert submission.load(file).operator == "Pier Casino"

    drawn = croupier(tmp_path, "felt", file.name, "-o", "felt.svg")
    assert (0, "") == (drawn.returncode, drawn.stderr)
    assert "Pier Casino" in (tmp_path / "felt.svg").read_text("utf-8")


def test_questions_price_the_answers_and_refuse_what_is_not_legal(tmp_path: Path) -> None:
    """A transcript: what the progressive is judged on is seen before it is chosen (A3)."""
    script = ["Pier Casino", "fixed", "none", "A"]  # the name, then three paytables
    done = croupier(tmp_path, "new", "run em twice", input="\n".join([*script, "."]) + "\n")
    assert (0, "") == (done.returncode, done.stderr)
    data = tomllib.loads((tmp_path / "run_em_twice.toml").read_text("utf-8"))
    assert "ultimate_pairs_bonus" not in data["paytables"] | data["limits"]

    until_basis = asked_before(tmp_path, script, "choices.progressive_basis")
    answers = [*script, *[""] * (until_basis - len(script)), "best_five_of_seven", "first", "."]
    told = croupier(tmp_path, "new", "run", "second.toml", input="\n".join(answers) + "\n")

    assert (0, "") == (told.returncode, told.stderr)
    prices = r"first_run 55\.9812%   higher_run 108\.\d{4}%   best_five_of_seven 543\.\d{4}%"
    assert re.search(prices, told.stdout)
    assert 'not possible: choices.progressive_basis: "best_five_of_seven" returns' in told.stdout
    data = tomllib.loads((tmp_path / "second.toml").read_text("utf-8"))
    assert "first_run" == data["choices"]["progressive_basis"]


def asked_before(folder: Path, answers: list[str], field: str) -> int:
    """How many questions come before the one about a field."""
    everything = "\n".join([*answers, *[""] * 200]) + "\n"
    told = croupier(folder, "new", "run", "counted.toml", input=everything).stdout
    fields = re.findall(r"^([a-z_]+(?:\.\w+)+): ", told, flags=re.M)
    return fields.index(field)


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_every_proposal_together_is_a_legal_submission(game: Game, tmp_path: Path) -> None:
    """All games; nothing is left to a default reading, only approvals are outstanding."""
    from croupier.submission import interview, toml_writer

    data = interview.default_submission(game)
    found = submission.draft(tomllib.loads(toml_writer.toml(game, data)))

    assert found.legal
    assert () == found.of("warning")
    assert not found.ready


def test_nothing_is_overwritten_or_left_half_done(tmp_path: Path) -> None:
    """A file that is there stays as it is; answers that end too early write nothing."""
    (tmp_path / "top_five.toml").write_text("mine", "utf-8")

    kept = croupier(tmp_path, "new", "top", "--defaults")
    short = croupier(tmp_path, "new", "top", "other.toml", input="Pier Casino\n")
    left = croupier(tmp_path, "new", "top", "other.toml", input="q\n")

    assert [2, 2, 2] == [kept.returncode, short.returncode, left.returncode]
    assert "top_five.toml exists already" in kept.stderr
    assert "nothing was written" in short.stderr and "nothing was written" in left.stderr
    assert "mine" == (tmp_path / "top_five.toml").read_text("utf-8")
    assert ["top_five.toml"] == [path.name for path in tmp_path.iterdir()]


def test_check_tells_files_apart_and_their_errors_go_to_stderr(tmp_path: Path) -> None:
    """The good one on standard output under its name, the missing one named on standard error."""
    good = str(submission.example_path("top_five"))

    done = croupier(tmp_path, "check", good, "missing.toml")
    as_json = croupier(tmp_path, "check", "missing.toml", "--json")

    assert 2 == done.returncode
    assert done.stdout.startswith(f"{good}\nLegal")
    assert "missing.toml" not in done.stdout
    assert "error: missing.toml cannot be read: No such file or directory\n" == done.stderr
    assert "missing.toml" == json.loads(as_json.stdout)["file"]


def test_errors_of_a_submission_name_its_file(tmp_path: Path) -> None:
    """Whatever command met it."""
    text = submission.example_path("top_five").read_text("utf-8")
    (tmp_path / "bad.toml").write_text(text.replace("decks = 2", "decks = 7"), "utf-8")

    done = croupier(tmp_path, "felt", "bad.toml", "-o", "felt.svg")

    assert 2 == done.returncode
    assert done.stderr.startswith("error: bad.toml: table.decks: 7 is not")


def test_nothing_is_cut_in_a_pipe_and_nothing_is_wider_than_the_terminal(tmp_path: Path) -> None:
    """Tables and readings at 80 columns, and without any."""
    assert 0 == croupier(tmp_path, "new", "ultimate", "--defaults").returncode
    check = ("check", "ultimate_texas_holdem.toml")
    for command in (
        ("rulebook", "--coverage"),
        ("rulebook", "A15"),
        ("rulebook", "uth", "11.H"),
        check,
    ):
        narrow = croupier(tmp_path, *command, columns=80).stdout
        piped = croupier(tmp_path, *command).stdout
        assert max(map(len, narrow.splitlines())) <= 80
        assert "…" not in narrow + piped
        assert "".join(narrow.split()) == "".join(piped.split())
        assert all(line == line.rstrip() for line in piped.splitlines())


def test_readings_and_clauses_are_found_in_any_case(tmp_path: Path) -> None:
    """`rulebook a15`, `rulebook UTH 11.h.1`."""
    small = croupier(tmp_path, "rulebook", "a15").stdout
    assert small == croupier(tmp_path, "rulebook", "uth", "A15").stdout
    assert "A15  Who must be beaten for a Bad Beat" in small
    assert "choices.bad_beat_scope" in small
    clause = croupier(tmp_path, "rulebook", "UTH", "11.h.1").stdout
    assert clause.startswith("11.H.1  ")
    assert 2 == croupier(tmp_path, "rulebook", "A999").returncode


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_no_two_clauses_differ_only_in_case(game: Game) -> None:
    """So that an id may be typed in any."""
    ids = [clause.id.lower() for clause in clauses(game.key)]
    assert len(ids) == len(set(ids))


def test_the_version_is_told(tmp_path: Path) -> None:
    """`croupier --version`."""
    from croupier import __version__

    assert f"croupier {__version__}\n" == croupier(tmp_path, "--version").stdout
