"""The record on the command line: verify, hand, find, close, report, export, import."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from croupier.ledger import Ledger
from croupier.ledger.log import verifier
from tests.ledger.record import AT, SYSTEM, example, random_round
from tests.test_cli import croupier

ANSWERS = "\n4x\n\ncheck\ncheck\n1x\nq\n"
TABLE = "practice-ultimate_texas_holdem"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds of the terminal game on a practice ledger."""
    folder = tmp_path_factory.mktemp("record")
    path = folder / "mine.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_HOME", str(folder / "home"))
        played = croupier(
            "play", "ultimate", "--seed", "3", "--answers", "--record", path, input=ANSWERS
        )
    assert 0 == played.returncode, played.stderr
    return path


def test_an_untouched_record_verifies(record: Path) -> None:
    """As a sentence and as JSON."""
    told = croupier("audit", "verify", record)
    found = json.loads(croupier("audit", "verify", record, "--json").stdout)

    assert told.stdout.startswith("verified: ")
    assert (True, 2) == (found["ok"], found["rounds"])


def test_a_hand_is_rebuilt_and_found(record: Path) -> None:
    """Every card in its order, and the round by its seat."""
    hand = croupier("audit", "hand", TABLE, "1", "--database", record)
    found = json.loads(
        croupier("audit", "find", "--seat", "1", "--database", record, "--json").stdout
    )

    assert "cards, in the order they left the deck" in hand.stdout
    assert [1, 2] == [each["round"] for each in found]


@pytest.mark.parametrize(
    "kind", ["shift", "day", "wagers", "progressive", "payouts", "decks", "irregularities"]
)
@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_every_report_prints(record: Path, kind: str, form: tuple[str, ...]) -> None:
    """In three forms; JSON is JSON."""
    done = croupier("report", kind, "--database", record, *form)

    assert (0, "") == (done.returncode, done.stderr)
    if form == ("--json",):
        assert json.loads(done.stdout)


@pytest.fixture
def last_january(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A round on record whose gaming day, 2026-01-05, has long ended."""
    path = tmp_path / "january.db"
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: AT * 1_000_000)
        with Ledger(path) as ledger:
            random_round(ledger.open_table("UTH-1", example(), by=SYSTEM), random.Random(1))
    return path


def test_a_day_is_closed_and_signed(last_january: Path, tmp_path: Path) -> None:
    """The signed head and the export go to the regulator, whose verifier needs no Croupier."""
    key, signed, log = tmp_path / "key.pem", tmp_path / "head.txt", tmp_path / "log.jsonl"
    where = ("--database", last_january)
    public = croupier("audit", "key", key).stdout.strip()
    closed = croupier("audit", "close-day", "2026-01-05", *where, "--key", key, "--output", signed)
    assert 0 == closed.returncode, closed.stderr
    assert 0 == croupier("export", log, *where).returncode

    note = signed.read_text("utf-8")
    told = verifier.check(log, note, [public])
    assert "gaming day 2026-01-05" in note.splitlines()
    assert "it extends the kept checkpoint of" in told
    with pytest.raises(verifier.Broken, match="does not hold"):
        verifier.check(log, note.replace("2026-01-05", "2026-01-06"), [public])


def test_an_export_is_read_back(record: Path, tmp_path: Path) -> None:
    """The copy verifies to the same head."""
    log, copy = tmp_path / "log.jsonl", tmp_path / "copy.db"
    croupier("export", log, "--database", record)
    done = croupier("import", log, "--database", copy)

    assert 0 == done.returncode, done.stderr
    assert croupier("audit", "verify", record).stdout == croupier("audit", "verify", copy).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "verify", "nowhere.db"),
        ("audit", "hand", TABLE, "99"),
        ("audit", "hand", "T-1", "1"),
        ("audit", "find", "--since", "yesterday"),
        ("audit", "find", "--over", "much"),
        ("audit", "close-day", "someday"),
        ("report", "weather"),
        ("report", "day", "--day", "someday"),
        ("import", "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_answered_is_said(
    record: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, exit status 2, no traceback, and no new file."""
    monkeypatch.setenv("CROUPIER_DATABASE", str(record))
    done = croupier(*arguments)

    assert 2 == done.returncode, done.stdout
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert not Path("nowhere.db").exists()
