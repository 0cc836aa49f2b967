"""Day close, signed checkpoints, export, backup, archives, and what they prove."""

from __future__ import annotations

import datetime as dt
import json
import random
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.documents.reports.report_registry import report
from croupier.ledger import Ledger, LedgerError, NotFound, backup_and_export, day_close
from croupier.ledger.aggregates.administration import RECORDS_CLAUSE, KeepCheckpoint
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.transfer.jsonl import export_lines
from croupier.ledger.log.transparency import checkpoint, signed_note, signing_keys, verifier
from croupier.ledger.queries.periods import day_period, period_between
from croupier.ledger.queries.rounds import rebuild_round
from croupier.table import Account
from croupier.table import commands as cmd
from tests.support.manual_clock import ManualClock
from tests.support.recorded_rounds import ANN, BOB, CLEO, SYSTEM, example_house, random_round
from tests.support.rounds import refuses
from tests.support.run_python import run_python

DAY, NEXT = "2026-01-05", "2026-01-06"
NAME = "harbor.example/ledger"


@pytest.fixture
def played(now: ManualClock, ledger: Ledger) -> Ledger:
    """A ledger with two tables, one of them in the middle of a round when the day ends."""
    rng = random.Random(8)
    random_round(ledger.open_table("A", example_house(), by=SYSTEM), rng)
    linked = ledger.open_table("B", example_house(), by=SYSTEM, group="g")
    random_round(linked, rng)
    linked.do(cmd.PlaceWagers(2, {"ante": 1000, "blind": 1000}), ANN)
    now.hours(24)
    random_round(ledger.open_table("A"), rng)  # in the morning, before the day is closed
    return ledger


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A signing key in a file."""
    signing_keys.new_key(tmp_path / "key.pem", password="secret")
    return tmp_path / "key.pem"


def signed(ledger: Ledger, key: Path, day: str = DAY) -> str:
    """Close and sign a day."""
    day_close.close_day(ledger, day, by=BOB)
    return day_close.sign_day(
        ledger, day, NAME, signing_keys.load_key(key, password="secret"), by=BOB
    )


def public(key: Path) -> signed_note.PublicKey:
    """The public key."""
    return signed_note.public_key(NAME, signing_keys.load_key(key, password="secret"))


def run_verifier(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the verifier as a single file, in an interpreter without this package."""
    return run_python("-I", verifier.__file__, *arguments, cwd="/")


def test_a_day_is_closed_once_and_signed(played: Ledger, key: Path) -> None:
    """The close has the figures of the end of the day, however late it is recorded."""
    first = day_close.close_day(played, DAY, by=BOB)
    again = day_close.close_day(played, DAY, by=CLEO)
    note = signed(played, key)
    verdict = verify(played.store, keys=[public(key)])

    assert verdict.ok, str(verdict)
    assert first == again
    assert {"B": 2000} == first.in_play
    assert 2 == first.rounds
    assert 3 == verdict.rounds
    assert first.size < played.store.head().size
    assert [note] == played.read_administration().notes[DAY]
    assert note == signed(played, key), "signing the same head again gives the same note"
    assert 1 == len(played.read_administration().notes[DAY])


def test_a_day_that_has_not_ended_is_not_closed(now: ManualClock, lite: Ledger) -> None:
    """Nor a future day, a day before the ledger, or an invalid one; nothing is recorded."""
    before = lite.store.stream_tip("office")
    for day in (DAY, NEXT, "9999-12-30", "9999-12-31", "2025-12-24", "1969-12-31", "0001-01-01"):
        with refuses(RECORDS_CLAUSE):
            day_close.close_day(lite, day, by=BOB)
    for day in ("yesterday", "2026-13-01", "2026-1-1", "", "2026-W01-1"):
        with refuses(RECORDS_CLAUSE, match="is not a day"):
            day_close.close_day(lite, day, by=BOB)
    assert before == lite.store.stream_tip("office")
    now.hours(24)
    day_close.close_day(lite, DAY, by=BOB)
    with refuses(RECORDS_CLAUSE):
        day_close.close_day(lite, "2026-01-04", by=BOB)


def test_a_dealer_cannot_close_a_day(now: ManualClock, lite: Ledger) -> None:
    """Nor can a day be signed that is not closed."""
    now.hours(24)
    with refuses(RECORDS_CLAUSE):
        day_close.close_day(lite, DAY, by=Account("dee", "dealer"))
    with pytest.raises(NotFound, match="not been closed"):
        day_close.sign_day(lite, DAY, NAME, Ed25519PrivateKey.generate(), by=BOB)


@pytest.mark.parametrize(
    ("zone", "starts", "day", "begins", "ends"),
    [
        ("America/New_York", "06:00", "2026-01-05", "2026-01-05T11:00", "2026-01-06T11:00"),
        ("America/New_York", "06:00", "2026-03-07", "2026-03-07T11:00", "2026-03-08T10:00"),
        ("America/New_York", "06:00", "2026-10-31", "2026-10-31T10:00", "2026-11-01T11:00"),
        ("UTC", "00:00", "2026-01-05", "2026-01-05T00:00", "2026-01-06T00:00"),
        ("Asia/Tokyo", "04:30", "2026-01-05", "2026-01-04T19:30", "2026-01-05T19:30"),
    ],
)
def test_gaming_days_are_those_of_the_property(
    tmp_path: Path, zone: str, starts: str, day: str, begins: str, ends: str
) -> None:
    """In its time zone, with 23 or 25 hours when daylight saving time begins or ends."""
    with Ledger(tmp_path / "ledger.db", timezone=zone, day_starts=starts) as ledger:
        period = day_period(ledger, day)
        following = str(dt.date.fromisoformat(day) + dt.timedelta(days=1))

        assert (f"{begins}:00.000Z", f"{ends}:00.000Z") == (period.since, period.until)
        assert period.until == day_period(ledger, following).since


def test_a_day_is_reported_where_it_was_closed(now: ManualClock, played: Ledger, key: Path) -> None:
    """Adjacent days share no round and miss none, before and after the close."""

    def rounds(day: str) -> int:
        sections = report(played, "day", day=day).data()["sections"]
        return sum(row["rounds"] for row in sections[0]["rows"] if row["table"] != "all")

    before = (rounds(DAY), rounds(NEXT))
    signed(played, key)

    assert (2, 1) == before == (rounds(DAY), rounds(NEXT))
    assert day_period(played, DAY).end == day_period(played, NEXT).start


def test_the_verifier_checks_an_export_against_a_kept_checkpoint(
    played: Ledger, key: Path, tmp_path: Path
) -> None:
    """In its own process, from the files alone; a wrong key or an edit is rejected."""
    (tmp_path / "checkpoint.txt").write_text(signed(played, key), "utf-8")
    backup_and_export.export_file(played, tmp_path / "log.jsonl")
    arguments = ("--checkpoint", tmp_path / "checkpoint.txt")
    good = run_verifier(tmp_path / "log.jsonl", *arguments, "--key", public(key))
    stranger = signed_note.public_key(NAME, Ed25519PrivateKey.generate())
    other = run_verifier(tmp_path / "log.jsonl", *arguments, "--key", stranger)
    text = (tmp_path / "log.jsonl").read_text("utf-8")
    (tmp_path / "edited.jsonl").write_text(text.replace('"ante":', '"Ante":', 1), "utf-8")
    edited = run_verifier(tmp_path / "edited.jsonl", *arguments)

    assert 0 == good.returncode, good.stderr
    assert 1 == other.returncode
    assert 1 == edited.returncode


def test_a_round_has_a_stand_alone_proof(played: Ledger, key: Path, tmp_path: Path) -> None:
    """A few kilobytes that need neither Croupier nor the rest of the log."""
    note = signed(played, key)
    built = rebuild_round(played, "A", 1)
    assert note == day_close.checkpoint_covering(played, built.positions[-1])
    backup_and_export.write_round_proof(played.store, built, note, tmp_path / "hand.jsonl")
    good = run_verifier(tmp_path / "hand.jsonl", "--key", public(key))
    size = (tmp_path / "hand.jsonl").stat().st_size
    with pytest.raises(NotFound, match="close and sign"):
        day_close.checkpoint_covering(played, rebuild_round(played, "A", 2).positions[-1])

    assert 0 == good.returncode, good.stderr
    assert size < 40_000
    with pytest.raises(LedgerError, match="exists already"):
        backup_and_export.write_round_proof(played.store, built, note, tmp_path / "hand.jsonl")


def test_a_kept_checkpoint_detects_what_verify_alone_cannot(
    played: Ledger, key: Path, tmp_path: Path
) -> None:
    """An older copy and another ledger verify alone, but do not extend the checkpoint."""
    backup_and_export.backup_to(played.store.address, tmp_path / "older.db")
    signed_head = checkpoint.open_checkpoint(signed(played, key), [public(key)])
    later = checkpoint.Checkpoint(signed_head.origin, *played.store.head()[:2])
    with Ledger(tmp_path / "other.db") as other:
        for name in "AB":
            random_round(other.open_table(name, example_house(), by=SYSTEM), random.Random(9))

    assert verify(played.store, checkpoint=signed_head, keys=[public(key)]).ok
    assert verify(played.store, checkpoint=later).ok
    for path in (tmp_path / "older.db", tmp_path / "other.db"):
        assert verify(path).ok
        assert "does not extend" in str(verify(path, checkpoint=later))


def test_a_checkpoint_of_another_key_is_detected_with_the_right_key(
    played: Ledger, key: Path
) -> None:
    """A rewrite signed with another key verifies only if no key is given."""
    day_close.close_day(played, DAY, by=BOB)
    stranger = Ed25519PrivateKey.generate()
    day_close.sign_day(played, DAY, NAME, stranger, by=BOB)

    assert verify(played.store).ok
    assert verify(played.store, keys=[signed_note.public_key(NAME, stranger)]).ok
    assert "did not sign" in str(verify(played.store, keys=[public(key)]))


@pytest.mark.parametrize("text", ["", "not a note", "x\n\n— y AAAAAAA=\n"])
def test_an_invalid_checkpoint_is_detected(played: Ledger, text: str) -> None:
    """The recorded note of a day is not a checkpoint."""
    day_close.close_day(played, DAY, by=BOB)
    played.administer(KeepCheckpoint(DAY, text), BOB)

    assert f"the checkpoint of {DAY}" in str(verify(played.store))


def test_an_import_recreates_the_ledger(played: Ledger, key: Path, tmp_path: Path) -> None:
    """Every entry, head, index term and House; exporting it again gives the same file."""
    signed(played, key)
    backup_and_export.export_file(played, tmp_path / "log.jsonl")
    backup_and_export.import_file(tmp_path / "log.jsonl", tmp_path / "copy.db")
    with Ledger(tmp_path / "copy.db") as copy:
        backup_and_export.export_file(copy, tmp_path / "again.jsonl")
        verdict = verify(copy.store)
        assert verdict.ok, str(verdict)
        assert played.open_table("B").table == copy.open_table("B").table
        assert rebuild_round(played, "A", 2) == rebuild_round(copy, "A", 2)

    assert (tmp_path / "log.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


def test_closed_days_are_archived(
    now: ManualClock, played: Ledger, key: Path, tmp_path: Path
) -> None:
    """From one signed day through another, proved by the last checkpoint."""
    signed(played, key)
    now.hours(24)
    signed(played, key, NEXT)
    for first, last in ((DAY, DAY), (DAY, NEXT), (NEXT, NEXT)):
        target = tmp_path / f"{first} {last}.jsonl"
        backup_and_export.archive_days(played, target, first=first, last=last)
        done = run_verifier(target, "--key", public(key))
        assert 0 == done.returncode, done.stderr
    backup_and_export.import_file(
        tmp_path / f"{DAY} {DAY}.jsonl",
        tmp_path / "again.db",
        more=[tmp_path / f"{NEXT} {NEXT}.jsonl"],
    )
    verdict = verify(tmp_path / "again.db", keys=[public(key)])
    assert verdict.ok, str(verdict)
    with Ledger(tmp_path / "again.db", readonly=True) as again:
        assert rebuild_round(played, "A", 2) == rebuild_round(again, "A", 2)
    with pytest.raises(NotFound, match="closed and signed"):
        backup_and_export.archive_days(played, tmp_path / "x", first=DAY, last="2026-01-07")
    with pytest.raises(LedgerError, match="after"):
        backup_and_export.archive_days(played, tmp_path / "x", first=NEXT, last=DAY)


def test_an_export_is_readable_without_croupier(played: Ledger) -> None:
    """Plain JSON with the schema of every command and event."""
    lines = export_lines(played.store, schemas=backup_and_export.message_schemas())
    records = [json.loads(line) for line in lines]
    schemas = {record["kind"] for record in records if record["type"] == "schema"}
    bodies = [record["body"] for record in records if record["type"] == "entry"]
    kinds = {event["kind"] for body in bodies for event in body.get("events", ())}

    assert kinds <= schemas
    assert {body["command"]["kind"] for body in bodies if "command" in body} <= schemas
    assert any(event.get("stakes") for body in bodies for event in body.get("events", ()))


def test_a_period_is_cut_by_position(now: ManualClock, lite: Ledger) -> None:
    """A clock that is set back moves no entry into another period."""
    table = lite.open_table("A", example_house(), by=SYSTEM)
    cut = lite.store.head().time + 1
    now.hours(1)
    at = now.at - 10 * 86_400_000  # the clock of the table is ten days behind
    table.do(cmd.PlaceWagers(1, {"ante": 1000, "blind": 1000}), ANN, at)
    before, after = period_between(lite, None, cut), period_between(lite, cut, None)

    assert before.end == after.start
    assert 1 == after.end - after.start


def test_an_account_is_parsed_from_role_and_name() -> None:
    """Other forms are rejected."""
    assert Account("ann b", "cage") == day_close.parse_account("cage: Ann B ")
    for text in ("ann", "king:ann", "cage:", "", ":"):
        with pytest.raises(Exception, match="is not an account"):
            day_close.parse_account(text)
