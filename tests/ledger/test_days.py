"""A day's close, its signature, the export, and the verifier that needs nothing of Croupier."""

from __future__ import annotations

import ast
import io
import json
import random
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from croupier.ledger.verify import verify

from croupier.ledger import Ledger, LedgerError, NotFound, Store, days, signing, transfer, verifier
from croupier.table import commands as cmd
from tests.ledger.record import example, random_round

DAY = "2026-01-05"


@pytest.fixture
def played(ledger: Ledger) -> Ledger:
    """A ledger with two tables, one of them in mid-round."""
    rng = random.Random(8)
    random_round(ledger.open_table("A", example()), rng)
    open_round = ledger.open_table("B", example(), group="g")
    random_round(open_round, rng)
    open_round.do(cmd.PlaceWagers(2, {"ante": 1000, "blind": 1000}))
    return ledger


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A signing key in a file."""
    signing.new_key(tmp_path / "key.pem", password="secret")
    return tmp_path / "key.pem"


def run_verifier(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The file alone, in an interpreter that cannot see this project."""
    return subprocess.run(
        [sys.executable, "-I", verifier.__file__, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )


def test_a_day_is_closed_once_and_signed(played: Ledger, key: Path) -> None:
    """The close says what was in play; closing again changes nothing; the audit checks it."""
    first = days.close_day(played, DAY, by="cage bob")
    again = days.close_day(played, DAY, by="cage eve")
    signed = days.sign_day(played, DAY, signing.load_key(key, password="secret"), by="cage bob")
    verdict = verify(played.store)

    assert verdict.ok, str(verdict)
    assert first == again
    assert {"B": 2000} == first.in_play
    assert 2 == first.rounds
    assert [signed] == [days.as_file(each) for each in days.signatures(played, DAY)]


def test_the_verifier_checks_an_export_against_a_signed_head(
    played: Ledger, key: Path, tmp_path: Path
) -> None:
    """As a process of its own, from the files alone; a wrong key or a later edit is refused."""
    days.close_day(played, DAY)
    signed = days.sign_day(played, DAY, signing.load_key(key, password="secret"))
    days.write_signed(signed, tmp_path / "signed.json")
    with (tmp_path / "log.jsonl").open("wb") as target:
        transfer.export(played.store, target)
    good = run_verifier(tmp_path / "log.jsonl", tmp_path / "signed.json", "--key", signed["key"])
    other = run_verifier(tmp_path / "log.jsonl", tmp_path / "signed.json", "--key", "ab" * 32)
    text = (tmp_path / "log.jsonl").read_text("utf-8")
    (tmp_path / "edited.jsonl").write_text(text.replace('"ante":', '"Ante":', 1), "utf-8")
    edited = run_verifier(tmp_path / "edited.jsonl", tmp_path / "signed.json")

    assert (0, True) == (good.returncode, good.stdout.startswith("verified: ")), good.stderr
    assert (1, True) == (other.returncode, "signed with the key" in other.stderr)
    assert (1, True) == (edited.returncode, "BROKEN: line" in edited.stderr)


def test_a_rewritten_history_does_not_have_the_signed_head(
    played: Ledger, key: Path, tmp_path: Path
) -> None:
    """Somebody replaces the record by another one that is whole in itself."""
    days.close_day(played, DAY)
    signed = days.sign_day(played, DAY, signing.load_key(key, password="secret"))
    with Ledger(tmp_path / "other.db") as other:
        for name in "AB":
            random_round(other.open_table(name, example()), random.Random(9))
        log = io.BytesIO()
        transfer.export(other.store, log)
    whole = verifier.read_log(log.getvalue().splitlines(keepends=True))

    with pytest.raises(verifier.Broken, match="head"):
        verifier.check_statement(signed, whole)


def test_an_altered_statement_is_refused(played: Ledger, key: Path) -> None:
    """The signature covers day, number and head."""
    days.close_day(played, DAY)
    signed = days.sign_day(played, DAY, signing.load_key(key, password="secret"))
    log = io.BytesIO()
    transfer.export(played.store, log)
    whole = verifier.read_log(log.getvalue().splitlines(keepends=True))
    assert verifier.check_statement(signed, whole)["day"] == DAY
    for old, new in ((DAY, "2026-01-06"), ('"number":', '"number":1')):
        altered = {**signed, "statement": signed["statement"].replace(old, new)}
        with pytest.raises(verifier.Broken, match="signature"):
            verifier.check_statement(altered, whole)


def test_the_verifier_needs_nothing_but_cryptography() -> None:
    """Its imports are the standard library's and that one package."""
    tree = ast.parse(Path(verifier.__file__).read_text("utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module).split(".")[0])

    assert imported <= sys.stdlib_module_names | {"cryptography"}


def test_an_import_is_the_record_again(played: Ledger, tmp_path: Path) -> None:
    """Every event, head and House; exported once more it is the same file."""
    log = io.BytesIO()
    transfer.export(played.store, log)
    log.seek(0)
    with Store(tmp_path / "copy.db") as copy:
        transfer.import_log(log, copy)
        again = io.BytesIO()
        transfer.export(copy, again)
        verdict = verify(copy)

    assert verdict.ok, str(verdict)
    assert log.getvalue() == again.getvalue()
    with Ledger(tmp_path / "copy.db") as restored:
        assert restored.open_table("B").machine == played.open_table("B").machine


def test_a_broken_import_leaves_nothing(played: Ledger, tmp_path: Path) -> None:
    """The last line is missing: not a single event stays."""
    log = io.BytesIO()
    transfer.export(played.store, log)
    cut = io.BytesIO(b"".join(log.getvalue().splitlines(keepends=True)[:-1]))
    with Store(tmp_path / "copy.db") as copy:
        with pytest.raises(LedgerError, match="breaks off"):
            transfer.import_log(cut, copy)
        assert copy.head() is None
        assert [] == copy.streams()


def test_an_import_does_not_mix_records(played: Ledger) -> None:
    """A database with a record takes no other."""
    log = io.BytesIO()
    transfer.export(played.store, log)
    log.seek(0)
    with pytest.raises(LedgerError, match="empty database"):
        transfer.import_log(log, played.store)


def test_an_export_is_readable_without_croupier(played: Ledger) -> None:
    """Plain JSON with the shape of every event in it."""
    log = io.BytesIO()
    transfer.export(played.store, log)
    records = [json.loads(line) for line in log.getvalue().splitlines()]
    shapes = {record["kind"] for record in records if record["type"] == "schema"}
    events = [record for record in records if record["type"] == "event"]

    assert {event["kind"] for event in events} <= shapes
    assert any(event["data"].get("stakes") for event in events)


def test_keys_are_private_and_days_are_days(lite: Ledger, tmp_path: Path, key: Path) -> None:
    """Nobody else reads a key; a wrong password, file or date is refused in a sentence."""
    assert 0o600 == stat.S_IMODE(key.stat().st_mode)
    with pytest.raises(FileExistsError):
        signing.new_key(key)
    for path, password in ((key, "wrong"), (tmp_path / "no.pem", "")):
        with pytest.raises(LedgerError, match="not a key"):
            signing.load_key(path, password=password)
    for day in ("yesterday", "2026-13-01", "2026-1-1"):
        with pytest.raises(LedgerError, match="is not a day"):
            days.close_day(lite, day)
    with pytest.raises(NotFound, match="not been closed"):
        days.sign_day(lite, DAY, signing.load_key(key, password="secret"))
