"""The audit, report, export, import, backup and restore commands."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import shutil
import stat
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.cli.console import fold_lines
from croupier.ledger import Ledger
from croupier.ledger.aggregates.approval_messages import SendSubmission
from croupier.ledger.log.transparency import verifier
from croupier.server.server_lock import server_lock
from croupier.table import Account
from croupier.table import commands as cmd
from tests.cli.test_main import croupier as in_new_process
from tests.ledger.audit import small_casino
from tests.support.cli import invoke
from tests.support.manual_clock import manual_clock
from tests.support.recorded_rounds import ANN, AT, SYSTEM, example_house, random_round
from tests.support.run_python import run_python


class Done(NamedTuple):
    """Exit code and output of a command."""

    returncode: int
    stdout: str
    stderr: str


def croupier(*arguments: str | Path) -> Done:
    """Run a command in this process; unexpected exceptions are raised here."""
    done = invoke(arguments, catch_exceptions=False)
    return Done(done.exit_code, done.stdout, done.stderr)


SLOW = {"alembic", "filelock", "numba", "numpy", "pydantic", "rich", "sqlalchemy"}
RUN_LINES = """
import sys
from croupier.cli.main import app
for line in sys.stdin.read().splitlines():
    app(line.split(), standalone_mode=False)
print(*(name for name in sys.modules if "." not in name), file=sys.stderr)
"""

ANSWERS = "\n4x\n\ncheck\ncheck\n1x\nq\n"
TABLE = "practice-ultimate_texas_holdem"
HOUR = 3_600_000


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds of the terminal game on a practice ledger."""
    folder = tmp_path_factory.mktemp("record")
    path = folder / "mine.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_HOME", str(folder / "home"))
        played = in_new_process(
            "play", "ultimate", "--seed", "3", "--answers", "--record", path, input=ANSWERS
        )
    assert 0 == played.returncode, played.stderr
    return path


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small casino after a closed and signed day."""
    path = tmp_path_factory.mktemp("casino") / "casino.db"
    small_casino.build(path, acts=20)
    return path


@pytest.fixture
def yesterday(tmp_path: Path) -> tuple[Path, str]:
    """A ledger whose first gaming day ended yesterday, and that day."""
    now = dt.datetime.now(dt.UTC)
    path = tmp_path / "ledger.db"
    with manual_clock(at=round(now.timestamp() * 1000) - 24 * HOUR), Ledger(path) as ledger:
        random_round(ledger.open_table("A", example_house(), by=SYSTEM), random.Random(1))
        local = (now - dt.timedelta(hours=24)).astimezone(ledger.administration.zone)
        day = (local - dt.timedelta(hours=6)).date()
    return path, str(day)


def test_an_intact_ledger_verifies(record: Path) -> None:
    """As text and as JSON."""
    done = in_new_process("audit", "verify", record)
    data = json.loads(croupier("audit", "verify", record, "--json").stdout)

    assert done.stdout.startswith("verified: ")
    assert (True, 2) == (data["ok"], data["rounds"])


def test_ledger_commands_import_no_slow_package(casino: Path, tmp_path: Path) -> None:
    """Commands on a small ledger take half a second, most of it for imports."""
    database = f"--database {casino}"
    lines = [
        f"audit verify {casino}",
        f"audit hand A 1 {database}",
        f"audit find {database}",
        f"audit refused {database}",
        f"audit decisions {database}",
        f"export {tmp_path / 'log.jsonl'} {database}",
        f"backup {tmp_path / 'copy.db'} {database}",
    ]

    assert set() == SLOW & loaded_by(lines)
    # The win band of a main game at different stakes is computed by NumPy.
    assert {"numpy"} >= SLOW & loaded_by([f"report wagers {database}"])


def loaded_by(lines: list[str]) -> set[str]:
    """The top-level packages imported by commands that run in one process."""
    done = run_python("-c", RUN_LINES, input="\n".join(lines))
    loaded = set(done.stderr.split())
    assert "croupier" in loaded, done.stderr
    return loaded


def test_a_changed_ledger_does_not_verify(casino: Path, tmp_path: Path) -> None:
    """One flipped bit gives exit status 1."""
    copy = tmp_path / "copy.db"
    content = bytearray(casino.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    done = croupier("audit", "verify", copy)

    assert 1 == done.returncode
    assert done.stdout.startswith("NOT verified\n")
    assert "" == done.stderr


def test_hand_and_find(record: Path) -> None:
    """A hand with its cards in order, and rounds by seat."""
    hand = croupier("audit", "hand", TABLE, "1", "--database", record)
    rounds = json.loads(
        croupier("audit", "find", "--seat", "1", "--database", record, "--json").stdout
    )

    assert "cards, in the order they left the deck" in hand.stdout
    assert [1, 2] == [item["round"] for item in rounds]


def test_refused_attempts_are_listed(casino: Path) -> None:
    """Who, what, the clause."""
    text = croupier("audit", "refused", "--table", "A", "--database", casino).stdout
    attempts = json.loads(croupier("audit", "refused", "--database", casino, "--json").stdout)

    assert "system ann  no_more_bets  refused by 7.F.1" in text
    assert "no_more_bets" in {attempt["what"] for attempt in attempts}


def test_decisions_are_listed(tmp_path: Path) -> None:
    """Who, what, the clause; the JSON has all fields."""
    path, operator = tmp_path / "filed.db", Account("olga", "operator")
    house = example_house()
    with Ledger(path) as ledger:
        ledger.add_house(house)
        sent = SendSubmission(
            submission="s1",
            game=house.game.key,
            house=house.digest,
            answers={"operator.name": "Harbor"},
            authors=("olga",),
        )
        ledger.approvals.do(sent, operator)
    text = " ".join(croupier("audit", "decisions", "--database", path).stdout.split())
    rulings = json.loads(croupier("audit", "decisions", "--database", path, "--json").stdout)
    late = croupier("audit", "decisions", "--database", path, "--since", "2100-01-01").stdout

    assert "decisions entry 1 operator olga send_submission submission=s1" in text
    assert "COMAR 36.05.03.19" in text and "Harbor" not in text
    assert [{"operator.name": "Harbor"}] == [ruling["command"]["answers"] for ruling in rulings]
    assert "no decisions on record\n" == late


@pytest.mark.parametrize(
    "kind", ["shift", "day", "wagers", "progressive", "payouts", "decks", "irregularities"]
)
@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_every_report_prints(record: Path, kind: str, form: tuple[str, ...]) -> None:
    """As text, CSV and JSON."""
    done = croupier("report", kind, "--database", record, *form)

    assert (0, "") == (done.returncode, done.stderr)
    if form == ("--json",):
        assert json.loads(done.stdout)


def test_a_day_is_closed_signed_and_proved(yesterday: tuple[Path, str], tmp_path: Path) -> None:
    """The checkpoint verifies with Croupier and with the standalone verifier."""
    database, day = yesterday
    key, saved, log = tmp_path / "key.pem", tmp_path / "saved.txt", tmp_path / "log.jsonl"
    public = croupier("audit", "key", key, "--name", "harbor.example/ledger").stdout.strip()
    close = ("audit", "close-day", day, "--database", database, "--key", key)
    closed = croupier(*close, "--name", "harbor.example/ledger", "--output", saved)
    assert 0 == closed.returncode, closed.stderr
    checked = croupier("audit", "verify", database, "--checkpoint", saved, "--key", public)
    proof = tmp_path / "hand.jsonl"
    hand = croupier("audit", "hand", "A", "1", "--database", database, "--proof", proof)
    exported = croupier("export", log, "--database", database)
    archived = croupier("export", tmp_path / "day.jsonl", "--last", day, "--database", database)

    assert "extends the saved checkpoint" in checked.stdout
    for done in (hand, exported, archived):
        assert 0 == done.returncode, done.stderr
    assert 0 == verifier.main([str(proof), "--key", public])
    for path in (log, tmp_path / "day.jsonl"):
        assert 0 == verifier.main([str(path), "--checkpoint", str(saved), "--key", public]), path
    again = croupier(*close, "--name", "harbor.example/ledger", "--output", saved)
    assert (2, True) == (again.returncode, "exists already" in again.stderr)


def test_an_export_and_a_proof_are_verified(casino: Path, tmp_path: Path) -> None:
    """As by the stand-alone verifier, with the key and a saved checkpoint."""
    log, proof, note = tmp_path / "log.jsonl", tmp_path / "hand.proof", tmp_path / "day.txt"
    key = ("--key", str(small_casino.PUBLIC))
    with Ledger(casino, readonly=True) as ledger:
        note.write_text(ledger.administration.notes[small_casino.DAY][0], "utf-8")
    assert 0 == croupier("export", log, "--database", casino).returncode
    assert 0 == croupier("audit", "hand", "A", "1", "--database", casino, "--proof", proof)[0]
    proved = croupier("audit", "verify", proof, *key)
    whole = croupier("audit", "verify", log, *key, "--checkpoint", note)
    unsigned = croupier("audit", "verify", log, *key)
    proof.write_bytes(proof.read_bytes().replace(b"dealer", b"player", 1))
    forged = croupier("audit", "verify", proof, *key, "--json")

    assert (0, 0) == (proved.returncode, whole.returncode), proved.stdout + whole.stdout
    assert f"signed by {small_casino.NAME}" in proved.stdout
    assert "extends the saved checkpoint" in whole.stdout
    assert (1, 1) == (unsigned.returncode, forged.returncode)
    assert "NOT verified\nnothing in this file is signed" in unsigned.stdout
    assert False is json.loads(forged.stdout)["ok"]


def test_a_clock_that_jumped_is_explained_and_accepted(tmp_path: Path) -> None:
    """Nothing is recorded until two people accept it; the audit lists it from then on."""
    path, day = tmp_path / "live.db", "2026-01-05"
    with manual_clock(), Ledger(path, purpose="live"):
        pass
    accept = ("audit", "accept-clock", "--database", path, "--reason", "renovation")
    people = ("--by", "pit_manager:bob", "--second", "audit:aud")
    with manual_clock(at=AT + 41 * 24 * HOUR, tick=1):
        refused = croupier("audit", "close-day", day, "--database", path)
        alone = croupier(*accept, "--by", "audit:aud", "--second", "cage:aud")
        done = croupier(*accept, *people)
        closed = croupier("audit", "close-day", day, "--database", path)
    verdict = croupier("audit", "verify", path)

    assert (2, 2) == (refused.returncode, alone.returncode)
    assert "41 days after the last commit" in refused.stderr
    assert "croupier audit accept-clock" in " ".join(refused.stderr.split())
    assert "two different people" in alone.stderr
    assert (0, 0) == (done.returncode, closed.returncode), done.stderr + closed.stderr
    assert "accepted by pit_manager bob and audit aud (renovation)" in verdict.stdout


def test_a_failed_close_records_nothing(yesterday: tuple[Path, str], tmp_path: Path) -> None:
    """Key, day, name, account and output are checked first."""
    database, day = yesterday
    (tmp_path / "taken.txt").write_text("mine")
    (tmp_path / "no.pem").write_text("no key")
    croupier("audit", "key", tmp_path / "key.pem")
    good = ("--key", tmp_path / "key.pem")
    today = str(dt.date.fromisoformat(day) + dt.timedelta(days=1))
    with Ledger(database, readonly=True) as ledger:
        before = ledger.store.stream_tip("office")
    for arguments in (
        (day, "--key", tmp_path / "nowhere.pem"),
        (day, "--key", tmp_path / "no.pem"),
        (day, *good, "--output", tmp_path / "taken.txt"),
        (day, *good, "--output", database),
        (day, *good, "--output", tmp_path / "no folder" / "saved.txt"),
        (day, *good, "--name", "two words"),
        (day, "--output", tmp_path / "saved.txt"),
        (day, "--by", "dealer:ann"),
        (day, "--by", "ann"),
        (today,),
        ("9999-12-31",),
        ("2020-01-01",),
        ("someday",),
    ):
        done = croupier("audit", "close-day", *arguments, "--database", database)
        assert 2 == done.returncode, (arguments, done.stdout)
        assert done.stderr.startswith("error: "), done.stderr
    with Ledger(database, readonly=True) as ledger:
        assert before == ledger.store.stream_tip("office")
    assert "mine" == (tmp_path / "taken.txt").read_text()


def test_copies_verify_to_the_same_head(record: Path, tmp_path: Path) -> None:
    """Export and import, backup and restore; a restored ledger has one more entry."""
    log, backup = tmp_path / "log.jsonl", tmp_path / "backup.db"
    imported, restored = tmp_path / "imported.db", tmp_path / "restored.db"
    for arguments in (
        ("export", log, "--database", record),
        ("import", log, "--database", imported),
        ("backup", backup, "--database", record),
        ("restore", backup, "--database", restored),
    ):
        done = croupier(*arguments)
        assert 0 == done.returncode, done.stderr
    expected = croupier("audit", "verify", record).stdout
    entries = json.loads(croupier("audit", "verify", record, "--json").stdout)["entries"]
    verdict = json.loads(croupier("audit", "verify", restored, "--json").stdout)

    assert [expected] * 2 == [
        croupier("audit", "verify", copy).stdout for copy in (imported, backup)
    ]
    assert (True, entries + 1) == (verdict["ok"], verdict["entries"])


def test_a_served_ledger_is_not_replaced(record: Path, tmp_path: Path) -> None:
    """Its server would lose the files."""
    backup, place = tmp_path / "backup.db", tmp_path / "served.db"
    assert 0 == croupier("backup", backup, "--database", record).returncode
    assert 0 == croupier("backup", place, "--database", record).returncode
    lock = server_lock(place)
    lock.acquire(lambda: None, lambda: None)
    before = sorted(tmp_path.iterdir())
    refused = croupier("restore", backup, "--database", place, "--replace")
    assert (2, before) == (refused.returncode, sorted(tmp_path.iterdir()))
    assert f"{place} is served at present; stop the server" in refused.stderr
    lock.release()
    assert 0 == croupier("restore", backup, "--database", place, "--replace").returncode


def test_a_refused_ledger_is_not_created(tmp_path: Path) -> None:
    """A wrong time zone leaves no file behind."""
    words = ("--timezone", "Mars/X", "--database", tmp_path / "new.db")
    refused = croupier("found", "--live", "--founder", "a", "--founder", "b", *words)
    assert (2, []) == (refused.returncode, list(tmp_path.iterdir()))
    assert "'Mars/X' is not a time zone" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "{record}", "--database", "{record}"),
        ("export", "{other}", "--database", "{record}"),
        ("import", "{other}", "--database", "{record}"),
        ("backup", "{record}", "--database", "{record}"),
        ("restore", "{record}", "--database", "{record}"),
        ("audit", "key", "{record}"),
        ("audit", "hand", TABLE, "1", "--database", "{record}", "--proof", "{other}"),
        ("export", "{record}-wal", "--database", "{record}"),
    ],
)
def test_no_file_is_overwritten(record: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """An existing file is an error and stays as it is."""
    copy, other = tmp_path / "ledger.db", tmp_path / "letter.txt"
    shutil.copy(record, copy)
    other.write_text("Dear auditor")
    before = croupier("audit", "verify", copy).stdout
    done = croupier(*(word.format(record=copy, other=other) for word in arguments))

    assert 2 == done.returncode, done.stdout
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert before == croupier("audit", "verify", copy).stdout
    assert "Dear auditor" == other.read_text()
    assert not list(tmp_path.glob(".*"))


def test_read_only_media_are_read(record: Path, tmp_path: Path) -> None:
    """A ledger in a read-only folder is verified, reported and exported."""
    folder = tmp_path / "disc"
    folder.mkdir()
    shutil.copy(record, folder / "ledger.db")
    (folder / "ledger.db").chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    database = folder / "ledger.db"
    try:
        assert croupier("audit", "verify", database).stdout.startswith("verified: ")
        for arguments in (
            ("report", "shift"),
            ("audit", "hand", TABLE, "1"),
            ("audit", "find"),
            ("export", tmp_path / "log.jsonl"),
            ("backup", tmp_path / "backup.db"),
        ):
            done = croupier(*arguments, "--database", database)
            assert 0 == done.returncode, (arguments, done.stderr)
        if os.geteuid():
            assert ["ledger.db"] == os.listdir(folder)
    finally:
        folder.chmod(stat.S_IRWXU)


ESCAPE = "\x1b[2J"


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "verify", "nowhere.db"),
        ("audit", "verify", "what://ever"),
        ("audit", "verify", "{record}", "--key", "nonsense"),
        ("audit", "verify", "{record}", "--checkpoint", "nowhere.txt"),
        ("audit", "verify", "{record}", "--checkpoint", "{record}"),
        ("audit", "hand", TABLE, "99"),
        ("audit", "hand", TABLE, "9" * 40),
        ("audit", "hand", "T-1", "1"),
        ("audit", "hand", ESCAPE, "1"),
        ("audit", "hand", TABLE, "1", "--proof", "proof.jsonl"),
        ("audit", "hand", TABLE, "1", "--proof", "proof.jsonl", "--checkpoint", "{record}"),
        ("audit", "find", "--since", "yesterday"),
        ("audit", "find", "--since", "9999-12-31T23:59:59.999999-23:59"),
        ("audit", "find", "--over", "much"),
        ("audit", "find", "--over", "1e999999"),
        ("audit", "find", "--table", ESCAPE),
        ("audit", "refused", "--table", "Z"),
        ("audit", "refused", "--until", "10000-01-01"),
        ("audit", "close-day", "someday"),
        ("audit", "key", "no folder/key.pem"),
        ("audit", "key", "key.pem", "--name", "a b"),
        ("report", "weather"),
        ("report", "day", "--day", "someday"),
        ("report", "day", "--day", "9999-12-31"),
        ("report", "day", "--day", "2026-01-05", "--since", "2026-01-05"),
        ("report", "shift", "--table", "Z"),
        ("export", "no folder/log.jsonl"),
        ("export", "log.jsonl", "--first", "2026-01-05"),
        ("export", "log.jsonl", "--last", "2026-01-05"),
        ("import", "nowhere.jsonl", "--database", "new.db"),
        ("import", "{record}", "--database", "new.db"),
        ("restore", "nowhere.db", "--database", "new.db"),
        ("backup", "copy.db", "--database", "nowhere.db"),
    ],
)
def test_invalid_input_is_an_error(
    record: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One message, exit status 2, no traceback, and no new file."""
    monkeypatch.setenv("CROUPIER_DATABASE", str(record))
    monkeypatch.chdir(tmp_path)
    done = croupier(*(word.replace("{record}", str(record)) for word in arguments))

    assert 2 == done.returncode, done.stdout
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_escape_sequences_in_the_ledger_are_not_printed(tmp_path: Path) -> None:
    """A player's name with an escape sequence cannot control the terminal."""
    path = tmp_path / "ledger.db"
    with Ledger(path) as ledger:
        table = ledger.open_table("A", example_house(), by=SYSTEM)
        table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}, "eve\x1b[2J\n=1+1"), ANN)
    for arguments in (("audit", "hand", "A", "1"), ("audit", "find"), ("report", "shift", "--csv")):
        done = croupier(*arguments, "--database", path)
        assert (0, False) == (done.returncode, "\x1b" in done.stdout), arguments


def test_lines_are_folded_on_a_terminal_and_uncut_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Continuation lines are indented, and no word is lost."""
    line = "  a round " + "of words that go on " * 8
    monkeypatch.delenv("COLUMNS", raising=False)
    assert line == fold_lines(line)
    monkeypatch.setenv("COLUMNS", "80")
    rows = fold_lines(line).split("\n")

    assert len(rows) > 1 and max(map(len, rows)) <= 80
    assert rows[0].startswith("  a round") and rows[1].startswith("      ")
    assert line.split() == " ".join(rows).split()


@pytest.mark.parametrize(
    "options",
    [
        ("report", "nonsense"),
        ("report", "wagers", "--since", "noon"),
        ("audit", "find", "--until", "x"),
    ],
)
def test_an_invalid_option_is_refused_before_the_ledger_is_opened(options: tuple[str, ...]) -> None:
    """The error does not mention the missing database."""
    done = invoke([*options, "--database", "not-there.db"])

    assert 2 == done.exit_code
    assert "not-there" not in done.output
