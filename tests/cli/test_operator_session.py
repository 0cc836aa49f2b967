"""From an empty folder to a first submission with the commands new, check, felt and rulebook."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from contextlib import chdir
from pathlib import Path

import pytest

from croupier import submission
from croupier.games import CATALOGUE, Game
from croupier.rulebook import clauses
from tests.cli.commands.test_audit_commands import Done
from tests.support.cli import invoke
from tests.support.paths import ROOT
from tests.support.run_python import run_python


def croupier(folder: Path, *arguments: str, input: str = "", columns: int = 0) -> Done:
    """Run a command in a folder, in this process."""
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        if columns:
            patch.setenv("COLUMNS", str(columns))
        done = invoke(arguments, input=input, catch_exceptions=False)
    return Done(done.exit_code, done.stdout, done.stderr)


def in_new_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, in a new process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)
    return run_python("-m", "croupier.cli", *arguments, cwd=folder, env=environment)


def fill_in_approvals(file: Path) -> None:
    """Replace the placeholders of missing approvals."""
    text = file.read_text("utf-8")
    text = re.sub(r'^# (\w+) = "\.\.\.".*$', r'\1 = "File 12, 2031-02-14"', text, flags=re.M)
    file.write_text(text, "utf-8")


def test_the_first_submission_of_an_operator(tmp_path: Path) -> None:
    """New, approvals, check, felt: from nothing to a table that is ready to open."""
    made = in_new_process(tmp_path, "new", "run", "--defaults", "--operator", "Pier Casino")
    file = tmp_path / "run_em_twice.toml"
    assert (0, "") == (made.returncode, made.stderr)
    assert "Legal: Run 'Em Twice Poker at Pier Casino; not ready to open: 2" in made.stdout

    fill_in_approvals(file)
    checked = in_new_process(tmp_path, "check", file.name)
    assert 0 == checked.returncode
    assert checked.stdout.startswith("run_em_twice.toml\nLegal: ")
    assert "ready to open" in checked.stdout.splitlines()[1]
    assert "Outstanding" not in checked.stdout
    assert submission.load(file).operator == "Pier Casino"

    drawn = croupier(tmp_path, "felt", file.name, "-o", "felt.svg")
    assert (0, "") == (drawn.returncode, drawn.stderr)
    assert "Pier Casino" in (tmp_path / "felt.svg").read_text("utf-8")


def test_questions_show_returns_and_refuse_illegal_answers(tmp_path: Path) -> None:
    """The returns of each basis of the progressive are shown before the choice (A3)."""
    script = ["Pier Casino", "fixed", "none", "A"]  # the name, then three paytables
    done = croupier(tmp_path, "new", "run em twice", input="\n".join([*script, "."]) + "\n")
    assert (0, "") == (done.returncode, done.stderr)
    data = tomllib.loads((tmp_path / "run_em_twice.toml").read_text("utf-8"))
    assert "ultimate_pairs_bonus" not in data["paytables"] | data["limits"]

    until_basis = questions_before(tmp_path, script, "choices.progressive_basis")
    answers = [*script, *[""] * (until_basis - len(script)), "best_five_of_seven", "first", "."]
    second = croupier(tmp_path, "new", "run", "second.toml", input="\n".join(answers) + "\n")

    assert (0, "") == (second.returncode, second.stderr)
    prices = r"first_run 55\.9812%   higher_run 108\.\d{4}%   best_five_of_seven 543\.\d{4}%"
    assert re.search(prices, second.stdout)
    assert 'not possible: choices.progressive_basis: "best_five_of_seven" returns' in second.stdout
    data = tomllib.loads((tmp_path / "second.toml").read_text("utf-8"))
    assert "first_run" == data["choices"]["progressive_basis"]


def questions_before(folder: Path, answers: list[str], field: str) -> int:
    """The number of questions before the one about a field."""
    everything = "\n".join([*answers, *[""] * 200]) + "\n"
    output = croupier(folder, "new", "run", "counted.toml", input=everything).stdout
    fields = re.findall(r"^([a-z_]+(?:\.\w+)+): ", output, flags=re.M)
    return fields.index(field)


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_all_proposed_answers_make_a_legal_submission(game: Game, tmp_path: Path) -> None:
    """Only approvals are outstanding; the one warning is of the hand that is judged (A3)."""
    from croupier.submission import interview, toml_writer

    data = interview.default_submission(game)
    draft = submission.draft(tomllib.loads(toml_writer.toml(game, data)))

    assert draft.legal
    assert all("(A3)" in issue.message for issue in draft.of("warning"))
    assert not draft.ready


def test_no_file_is_overwritten_or_left_incomplete(tmp_path: Path) -> None:
    """An existing file is kept; an interrupted interview writes nothing."""
    (tmp_path / "top_five.toml").write_text("mine", "utf-8")

    existing = croupier(tmp_path, "new", "top", "--defaults")
    short = croupier(tmp_path, "new", "top", "other.toml", input="Pier Casino\n")
    quit = croupier(tmp_path, "new", "top", "other.toml", input="q\n")

    assert [2, 2, 2] == [existing.returncode, short.returncode, quit.returncode]
    assert "top_five.toml exists already" in existing.stderr
    assert "nothing was written" in short.stderr and "nothing was written" in quit.stderr
    assert "mine" == (tmp_path / "top_five.toml").read_text("utf-8")
    assert ["top_five.toml"] == [path.name for path in tmp_path.iterdir()]


def test_check_prints_results_by_file_and_errors_to_stderr(tmp_path: Path) -> None:
    """A valid file on standard output under its name, a missing one on standard error."""
    good = str(submission.example_path("top_five"))

    done = croupier(tmp_path, "check", good, "missing.toml")
    as_json = croupier(tmp_path, "check", "missing.toml", "--json")

    assert 2 == done.returncode
    assert done.stdout.startswith(f"{good}\nLegal")
    assert "missing.toml" not in done.stdout
    assert "error: missing.toml cannot be read: No such file or directory\n" == done.stderr
    assert "missing.toml" == json.loads(as_json.stdout)["file"]


def test_errors_of_a_submission_name_its_file(tmp_path: Path) -> None:
    """Also in commands other than check."""
    text = submission.example_path("top_five").read_text("utf-8")
    (tmp_path / "bad.toml").write_text(text.replace("decks = 2", "decks = 7"), "utf-8")

    done = croupier(tmp_path, "felt", "bad.toml", "-o", "felt.svg")

    assert 2 == done.returncode
    assert done.stderr.startswith("error: bad.toml: table.decks: 7 is not")


def test_output_is_wrapped_on_a_terminal_and_uncut_in_a_pipe(tmp_path: Path) -> None:
    """Tables and readings at 80 columns, and in a pipe."""
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


def test_ids_of_readings_and_clauses_ignore_case(tmp_path: Path) -> None:
    """`rulebook a15`, `rulebook UTH 11.h.1`."""
    lower = croupier(tmp_path, "rulebook", "a15").stdout
    assert lower == croupier(tmp_path, "rulebook", "uth", "A15").stdout
    assert "A15  Who must be beaten for a Bad Beat" in lower
    assert "choices.bad_beat_scope" in lower
    clause = croupier(tmp_path, "rulebook", "UTH", "11.h.1").stdout
    assert clause.startswith("11.H.1  ")
    assert 2 == croupier(tmp_path, "rulebook", "A999").returncode


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_no_two_clauses_differ_only_in_case(game: Game) -> None:
    """Required for ids that ignore case."""
    ids = [clause.id.lower() for clause in clauses(game.key)]
    assert len(ids) == len(set(ids))


def test_version(tmp_path: Path) -> None:
    """`croupier --version`: the version, and the commit if it is known."""
    from croupier.software_identity import version_text

    assert f"croupier {version_text()}\n" == croupier(tmp_path, "--version").stdout
