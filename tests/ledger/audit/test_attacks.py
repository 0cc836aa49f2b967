"""Tampering with a ledger is detected, by the rules or by a kept checkpoint.

The attacker has recomputed all hashes; attacks that hashes detect are in `tests/ledger/log`.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.documents.reports.report_registry import report
from croupier.ledger import Damaged, Ledger, round_index
from croupier.ledger.audit.verify import verify
from croupier.ledger.log import compression
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.table import commands as cmd
from croupier.table.core.table_snapshot import SCHEMA as TABLE_SCHEMA
from tests.ledger.audit import edits, small_casino
from tests.ledger.audit.forger import Forger, insert_snapshot, snapshot_note, snapshot_text
from tests.ledger.audit.small_casino import PUBLIC
from tests.ledger.log.attacked_log import change_without_triggers, without_protection
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import comparable_state
from tools import attack

EDITS = 60  # of the thousands that `make attack` tries
BOB, MIA = {"id": "bob", "role": "cage"}, {"id": "mia", "role": "pit_manager"}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Checkpoint]:
    """A complete ledger, and a kept checkpoint of it."""
    path = tmp_path_factory.mktemp("attacks") / "ledger.db"
    checkpoint = small_casino.build(path)
    verdict = verify(path, checkpoint=checkpoint, keys=[PUBLIC])
    assert verdict.ok, str(verdict)
    return path, checkpoint


@pytest.fixture
def record(original: tuple[Path, Checkpoint]) -> Forger:
    """The ledger, ready to be forged."""
    return Forger(original[0])


def findings(record: Forger, folder: Path, **options: Any) -> str:
    """The problems of a forged ledger; empty if it verifies."""
    verdict = verify(record.write(folder / "forged.db"), **options)
    return "" if verdict.ok else str(verdict)


def test_an_unchanged_record_verifies(record: Forger, tmp_path: Path) -> None:
    """A precondition of the other tests; the public key shows that the signature is another."""
    assert "" == findings(record, tmp_path)
    assert "did not sign" in findings(record, tmp_path, keys=[PUBLIC])


@pytest.mark.parametrize("part", range(4))
def test_any_edit_with_recomputed_hashes_is_detected(
    original: tuple[Path, Checkpoint], record: Forger, tmp_path: Path, part: int
) -> None:
    """Edited results contradict the rules; an edited command may need a kept checkpoint."""
    rng = random.Random(f"edit {part}")
    for index, path in rng.sample(edits.every_edit(record), EDITS // 4):
        forged = record.copy()
        edits.change(forged.lines[index], path, rng)
        problems = findings(forged, tmp_path)
        line = record.lines[index]
        label = f"{line.stream} entry {line.sequence}: {path}"
        if edits.is_result(path):
            assert problems, f"not detected: {label}"
        problems = problems or findings(forged, tmp_path, checkpoint=original[1])
        assert problems, f"not even detected by a checkpoint: {label}"


def test_an_edit_of_any_event_field_is_detected(record: Forger, tmp_path: Path) -> None:
    """Amounts, players, people and clauses, of each kind of event."""
    rng = random.Random(9)
    seen: set[tuple[str, str]] = set()
    for index, line in enumerate(record.lines):
        for number, event in enumerate(line.body.get("events", ())):
            for field in event:
                if (event["kind"], field) in seen or rng.random() < 0.9:
                    continue
                seen.add((event["kind"], field))
                forged = record.copy()
                values = forged.lines[index].body["events"][number]
                values[field] = edits.different(values[field], rng)
                assert findings(forged, tmp_path), f"not detected: {field} of {event}"
    assert len(seen) > 30


def forged_move(amount: int | str, **changes: Any) -> dict[str, Any]:
    """A change of the linked meters that no table made."""
    clauses = ["COMAR 36.05.03.24"]
    move = {"amounts": {"mega": amount}, "kind": "feed"}
    command = {"entry": 3, "kind": "move_meters", "moves": [move], "round": 1, "table": "B"}
    fed = {"amounts": {"mega": amount}, "kind": "meters_fed", "round": 1, "table": "B"}
    return {
        "by": {"id": "ann", "role": "dealer"},
        "command": command | changes,
        "events": [fed | {"after": {"mega": 0}, "clauses": clauses, "schema": 1}],
    }


def test_a_forged_negative_contribution_is_detected(record: Forger, tmp_path: Path) -> None:
    """$5,000 out of a linked meter, with the right sum after it and a derived id."""
    honest = [line for line in record.lines if line.stream == "meters:g"]
    after = honest[-1]
    for id in ("forged", "@" + "ab" * 16):
        forged = record.copy()
        body = forged_move(-500_000)
        body["events"][0] |= {"after": {"mega": 500_025}, "at": after.at}
        forged.append("meters:g", body, id=id, at=after.at)
        assert "meters:g" in findings(forged, tmp_path)


def test_a_change_of_meters_must_match_its_table(record: Forger, tmp_path: Path) -> None:
    """A group's entry that is removed, or edited in command and events, contradicts the table."""
    index = next(
        i
        for i, line in enumerate(record.lines)
        if line.stream == "meters:g" and line.body["command"]["kind"] == "move_meters"
    )
    removed = record.copy()
    removed.remove(index)
    assert findings(removed, tmp_path)
    for field, value in (("entry", 2), ("round", 9), ("table", "C")):
        forged = record.copy()
        body = forged.lines[index].body
        body["command"][field] = value
        for event in body["events"]:
            event.update({field: value} if field in event else {})
        assert findings(forged, tmp_path), field
    for change in ({"at": 5}, {"by": BOB}):
        forged = record.copy()
        line = forged.lines[index]
        line.body["by"] = change.get("by", line.body["by"])
        if "at" in change:
            line.at += 5
            line.body["events"][0]["at"] = line.at
        assert "contradicts entry" in findings(forged, tmp_path), change


def test_a_forged_entry_that_the_table_would_refuse_is_detected(
    record: Forger, tmp_path: Path
) -> None:
    """A buy-in without players, a correction by one person, a command of another stream."""
    correction = {
        "amount": 5000,
        "kind": "correct",
        "reason": "none",
        "refers_to": 0,
        "second": BOB,
        "source": "tray",
        "target": "cage",
    }
    made = {key: value for key, value in correction.items() if key != "kind"}
    event = {"by": BOB, "clauses": ["COMAR 36.05.03.24J"], "kind": "correction_made", "schema": 1}
    for by, command, events in (
        (BOB, correction, [event | made]),
        (MIA, correction | {"amount": -5}, [event | made | {"amount": -5, "by": MIA}]),
        (BOB, {"kind": "settle"}, []),
        (BOB, {"kind": "buy_in", "cash": 5000, "seat": 1}, []),
        (BOB, {"kind": "close_day", "day": "2026-01-05", "root": "", "rounds": 0, "size": 1}, []),
    ):
        forged = record.copy()
        forged.append("table:A", {"by": by, "command": command, "events": events})
        assert "table:A" in findings(forged, tmp_path), command


@pytest.mark.parametrize(
    "stream", ["days", "table", "TABLE:A", "meter:g", "refused:nobody", "refused:table:Z", "@x"]
)
def test_an_unknown_stream_is_detected(record: Forger, tmp_path: Path, stream: str) -> None:
    """No entry can be hidden in a stream without an aggregate."""
    body = {"by": BOB, "command": {"kind": "settle"}, "events": []}
    record.append(stream, body)

    assert findings(record, tmp_path)


def test_refused_attempts_are_audited_too(record: Forger, tmp_path: Path) -> None:
    """Another clause, sequence or command, and a command that would be allowed."""
    stream = "refused:table:A"
    index = next(i for i, line in enumerate(record.lines) if line.stream == stream)
    for field, value in (
        ("clause", "1.A"),
        ("after", 1_000),
        ("after", -1),
        ("command", {"kind": "settle"}),
        ("read", {"kind": "settle"}),
    ):
        forged = record.copy()
        forged.lines[index].body["note"][field] = value
        assert stream in findings(forged, tmp_path), field
    wagers = {"ante": 1000, "blind": 1000}
    allowed = {"kind": "place_wagers", "player": "", "seat": 1, "wagers": wagers}
    forged = record.copy()
    forged.lines[index].body["note"]["command"] = allowed
    assert stream in findings(forged, tmp_path)


# Snapshots


def test_a_snapshot_inserted_by_sql_is_ignored_and_detected(
    original: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """On any stream, within a round, beyond the end; the tables do not change."""
    copy = Path(shutil.copy(original[0], tmp_path / "ledger.db"))
    with Ledger(copy) as ledger:
        honest = {name: comparable_state(ledger.open_table(name).table) for name in "ABC"}
        revenue = report(ledger, "shift").json()
    sequence, text = snapshot_text(copy, "table:A")
    forged = text.replace('"tray":', '"tray":1')
    assert forged != text
    for stream, number in (
        ("table:A", sequence + 1),
        ("table:B", 9),
        ("meters:g", 3),
        ("office", 1),
    ):
        insert_snapshot(copy, stream, number, forged, position=5)
    insert_snapshot(copy, "table:C", 10_000, forged, position=10_000)
    with Ledger(copy) as ledger:
        assert honest == {name: comparable_state(ledger.open_table(name).table) for name in "ABC"}
        assert revenue == report(ledger, "shift").json()
    verdict = str(verify(copy))

    assert all(
        f"{stream} entry" in verdict
        for stream in ("table:A", "table:B", "table:C", "meters:g", "office")
    )


def test_a_forged_snapshot_with_its_entry_is_detected(
    record: Forger, original: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """The log records the snapshot and all hashes match, but the replay differs."""
    sequence, text = snapshot_text(original[0], "table:A")
    forged = text.replace('"tray":', '"tray":1')
    number = record.last("@snapshots") + 1
    record.append("@snapshots", snapshot_note("table:A", sequence, forged), id=f"@{number}")
    path = record.write(tmp_path / "forged.db")
    change_without_triggers(path, lambda connection: connection.execute("DELETE FROM snapshot"))
    insert_snapshot(path, "table:A", sequence, forged, position=len(record.lines) - 1)

    assert f"table:A entry {sequence}: a snapshot" in str(verify(path))


@pytest.mark.parametrize("position", [2**63 - 1, -(2**63), -1])
def test_a_snapshot_at_an_impossible_position_is_detected(ledger: Ledger, position: int) -> None:
    """It is ignored, and the table opens."""
    random_round(ledger.open_table("A", example_house(), by=SYSTEM), random.Random(1))
    with ledger.store.write_transaction() as connection:
        ((number,),) = connection.query("SELECT number FROM stream WHERE name = ?", ("table:A",))
        row = (number, 2, TABLE_SCHEMA, position, compression.compress_snapshot(b"{}"))
        connection.insert("snapshot", [row])

    assert 1 == ledger.open_table("A").table.rounds_played
    assert "table:A entry 2: has a snapshot that the log does not record" in str(
        verify(ledger.store)
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE mark SET number = 99 WHERE position = ?",
        "UPDATE mark SET word = 'closed' WHERE position = ?",
        "UPDATE mark SET stream = stream + 1 WHERE position = ?",
        "UPDATE mark SET position = position + 1 WHERE position = ?",
        "UPDATE mark SET position = 9000 WHERE position = ?",
        "DELETE FROM mark WHERE position = ?",
        "INSERT INTO mark SELECT position, word, 7, stream FROM mark WHERE position = ?",
        "INSERT INTO mark SELECT 9000, word, number, stream FROM mark WHERE position = ?",
    ],
)
def test_a_changed_index_is_detected(ledger: Ledger, change: str) -> None:
    """Changed, moved, removed and added terms: a report would miss or repeat a round."""
    random_round(ledger.open_table("A", example_house(), by=SYSTEM), random.Random(1))
    first = ledger.store.find_positions(round_index.ROUND)[0]
    assert verify(ledger.store, workers=1).ok
    with without_protection(ledger.store) as execute:
        execute(change, (first,))

    assert "index" in str(verify(ledger.store, workers=1))


def test_a_snapshot_of_another_schema_is_not_a_problem(
    original: tuple[Path, Checkpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade old snapshots are ignored and taken again."""
    from croupier.ledger.aggregates import aggregate_types

    types = aggregate_types.AGGREGATE_TYPES
    monkeypatch.setitem(types, "table:", replace(types["table:"], snapshot_schema=2))
    verdict = verify(original[0])

    assert verdict.ok, str(verdict)


# Segments


def test_parallel_segments_have_the_same_result(
    record: Forger,
    original: tuple[Path, Checkpoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Split at every snapshot, in this process and in two others."""
    from croupier.ledger.audit import verify as module

    monkeypatch.setattr(module, "SEGMENT_ENTRIES", 10)
    serial = verify(original[0], workers=1, keys=[PUBLIC], checkpoint=original[1])
    parallel = verify(original[0], workers=2, keys=[PUBLIC], checkpoint=original[1])
    line = [line for line in record.lines if line.stream == "table:A"][-1]
    line.body["events"][-1]["clauses"] = []
    forged = record.write(tmp_path / "forged.db")

    assert serial.ok, str(serial)
    assert serial == parallel
    assert f"table:A entry {line.sequence}" in str(verify(forged, workers=2))


# Days


@pytest.mark.parametrize(
    ("field", "value"),
    [("rounds", 1), ("size", 5), ("in_play", {"A": 5}), ("day", "2026-01-04"), ("root", "00" * 32)],
)
def test_an_edited_day_close_is_detected(
    record: Forger, tmp_path: Path, field: str, value: Any
) -> None:
    """Command and event are edited alike."""
    line = record.find("office", "close_day")
    line.body["command"][field] = line.body["events"][0][field] = value
    path = record.write(tmp_path / "forged.db", mend_days=field == "size")

    assert "office" in str(verify(path))


def test_a_head_moved_across_the_end_of_a_day_is_detected(
    original: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """Figures cannot be moved into another day by editing the time of a head."""
    copy = Path(shutil.copy(original[0], tmp_path / "ledger.db"))
    late = "UPDATE head SET time = (SELECT max(time) FROM head) WHERE size > 100"
    change_without_triggers(copy, lambda connection: connection.execute(late))

    assert "has another time than its entries" in str(verify(copy))


def test_a_rewrite_is_detected_by_the_signature(record: Forger, tmp_path: Path) -> None:
    """Another dealer in every entry; the recorded checkpoint has the original root."""
    for line in record.lines:
        if line.stream == "table:A" and line.body["by"]["id"] == "ann":
            line.body["by"]["id"] = "amy"
    verdict = str(verify(record.write(tmp_path / "forged.db", mend_days=False)))

    assert "entries have another root" in verdict
    assert "" == findings(record, tmp_path), (
        "signed with another key it verifies without the right one"
    )
    assert "did not sign" in findings(record, tmp_path, keys=[PUBLIC])


def test_a_table_counts_its_days_as_the_property_does(record: Forger, tmp_path: Path) -> None:
    """Otherwise a payout would fall into another tax year at the table than in its reports."""
    line = record.find("table:E", "bind_table")
    for part in (line.body["command"], *line.body["events"]):
        part["timezone"] = "UTC"

    assert "has a different gaming day" in findings(record, tmp_path)


# Concurrent play


def test_an_audit_during_play_has_no_false_alarm(tmp_path: Path) -> None:
    """It verifies the log as of one head, and names it."""
    path, stop = tmp_path / "ledger.db", threading.Event()
    with Ledger(path) as ledger:
        tables = [ledger.open_table(name, example_house(), by=SYSTEM, group="g") for name in "AB"]

        def keep_playing(number: int) -> None:
            rng = random.Random(number)
            while not stop.is_set():
                random_round(tables[number], rng)

        players = [threading.Thread(target=keep_playing, args=(n,)) for n in range(2)]
        for player in players:
            player.start()
        try:
            verdicts = [verify(path) for _ in range(6)]
        finally:
            stop.set()
            for player in players:
                player.join()
        last = verify(path)

    assert all(verdict.ok for verdict in verdicts), str(verdicts)
    assert verdicts[0].head.size < last.head.size == last.entries
    assert last.rounds > verdicts[0].rounds


# Damage found without an audit


def run(statement: str) -> Callable[[sqlite3.Connection], object]:
    """A change by one SQL statement."""
    return lambda connection: connection.execute(statement)


def test_a_table_does_not_open_on_a_damaged_record(
    original: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """It stops and names the entry; so does a report."""
    copy = Path(shutil.copy(original[0], tmp_path / "ledger.db"))
    with closing(sqlite3.connect(copy)) as connection:
        ((position,),) = connection.execute(
            "SELECT max(position) FROM entry JOIN stream ON number = stream WHERE name = 'table:A'"
        )
    change_without_triggers(copy, run(f"UPDATE entry SET at = at + 1 WHERE position = {position}"))
    with Ledger(copy) as ledger:
        with pytest.raises(Damaged, match="table:A"):
            ledger.open_table("A")
        with pytest.raises(Damaged, match="table:A"):
            report(ledger, "shift")
        ledger.open_table("B")


def test_a_table_does_not_open_on_impossible_events(record: Forger, tmp_path: Path) -> None:
    """All hashes match, but an empty seat is settled."""
    line = [line for line in record.lines if line.stream == "table:A"][-1]
    assert "wager_settled" in [event["kind"] for event in line.body["events"]]
    for event in line.body["events"]:
        event["seat"] = 6
    with Ledger(record.write(tmp_path / "forged.db")) as ledger, pytest.raises(Damaged):
        ledger.open_table("A").do(cmd.NoMoreBets(), ANN)


def test_a_head_that_contradicts_the_log_stops_a_report(
    original: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """Before any figure is printed."""
    copy = Path(shutil.copy(original[0], tmp_path / "ledger.db"))
    last = "WHERE size = (SELECT max(size) FROM head)"
    change_without_triggers(copy, run(f"UPDATE head SET root = zeroblob(32) {last}"))
    with Ledger(copy, readonly=True) as ledger, pytest.raises(Damaged, match="contradicts"):
        report(ledger, "shift")


def test_random_attacks_are_detected(tmp_path: Path) -> None:
    """A sample of those that `make attack` tries."""
    target = attack.Target(tmp_path)
    broken = [problem for seed in range(25) if (problem := attack.attack(target, seed)[1])]

    assert [] == broken
