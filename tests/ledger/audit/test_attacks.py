"""Whoever touches the record is found out: by the rules where they can see it, or by a checkpoint.

The storage has attacks of its own in `tests/ledger/log`; here everything that a hash could show
was mended by the attacker.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.documents.reports.report_registry import report
from croupier.ledger import Damaged, Ledger
from croupier.ledger.audit.verify import verify
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.table import commands as cmd
from tests.ledger.audit import edits, small_casino
from tests.ledger.audit.forger import Forger, said_of_snapshot, slip_in_snapshot, snapshot_text
from tests.ledger.audit.small_casino import PUBLIC
from tests.ledger.log.attacked_log import unguarded
from tests.support.recorded_rounds import ANN, SYSTEM, example_house, random_round
from tests.support.recorded_shifts import comparable_state
from tools import attack

EDITS = 120  # of the thousands that `make attack` tries
BOB, MIA = {"id": "bob", "role": "cage"}, {"id": "mia", "role": "pit_manager"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Checkpoint]:
    """A whole record, and a checkpoint that somebody has kept."""
    path = tmp_path_factory.mktemp("attacks") / "ledger.db"
    known = small_casino.build(path)
    verdict = verify(path, kept=known, keys=[PUBLIC])
    assert verdict.ok, str(verdict)
    return path, known


@pytest.fixture
def record(kept: tuple[Path, Checkpoint]) -> Forger:
    """The record taken apart."""
    return Forger(kept[0])


def found(record: Forger, folder: Path, **known: Any) -> str:
    """What an audit of the forged record says; nothing if it verifies."""
    verdict = verify(record.write(folder / "forged.db"), **known)
    return "" if verdict.ok else str(verdict)


def test_a_forger_who_changes_nothing_is_not_accused(record: Forger, tmp_path: Path) -> None:
    """Otherwise the other tests would show nothing; who has the key sees who signed."""
    assert "" == found(record, tmp_path)
    assert "did not sign" in found(record, tmp_path, keys=[PUBLIC])


@pytest.mark.parametrize("part", range(4))
def test_any_edit_with_mended_hashes_is_found(
    kept: tuple[Path, Checkpoint], record: Forger, tmp_path: Path, part: int
) -> None:
    """What a command led to is named at once; another command, only by a kept checkpoint."""
    rng = random.Random(f"edit {part}")
    for index, place in rng.sample(edits.every_edit(record), EDITS // 4):
        forged = record.copy()
        edits.change(forged.lines[index], place, rng)
        told = found(forged, tmp_path)
        line = record.lines[index]
        where = f"{line.stream} entry {line.sequence}: {place}"
        if edits.led_to(place):
            assert told, f"not found: {where}"
        assert told or found(forged, tmp_path, kept=kept[1]), f"not even by a checkpoint: {where}"


def test_every_field_of_money_is_bound(record: Forger, tmp_path: Path) -> None:
    """Amounts, players, people and clauses of what happened, one of each kind of event."""
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
                values[field] = edits.other(values[field], rng)
                assert found(forged, tmp_path), f"not found: {field} of {event}"
    assert len(seen) > 30


def moved(amount: int | str, **changes: Any) -> dict[str, Any]:
    """A move of the shared meters that no table made."""
    clauses = ["COMAR 36.05.03.24"]
    move = {"amounts": {"mega": amount}, "kind": "feed"}
    command = {"entry": 3, "kind": "move_meters", "moves": [move], "round": 1, "table": "B"}
    fed = {"amounts": {"mega": amount}, "kind": "meters_fed", "round": 1, "table": "B"}
    return {
        "by": {"id": "ann", "role": "dealer"},
        "command": command | changes,
        "events": [fed | {"after": {"mega": 0}, "clauses": clauses, "schema": 1}],
    }


def test_a_negative_feed_is_explained_by_nobody(record: Forger, tmp_path: Path) -> None:
    """$5,000 out of a shared meter, with the right sum after it and a derived id."""
    honest = [line for line in record.lines if line.stream == "meters:g"]
    after = honest[-1]
    for id in ("forged", "@" + "ab" * 16):
        forged = record.copy()
        body = moved(-500_000)
        body["events"][0] |= {"after": {"mega": 500_025}, "at": after.at}
        forged.append("meters:g", body, id=id, at=after.at)
        assert "meters:g" in found(forged, tmp_path)


def test_a_move_and_its_table_tell_one_story(record: Forger, tmp_path: Path) -> None:
    """A group's entry taken out, or changed in both of its halves, contradicts the table."""
    index = next(
        i
        for i, line in enumerate(record.lines)
        if line.stream == "meters:g" and line.body["command"]["kind"] == "move_meters"
    )
    gone = record.copy()
    gone.remove(index)
    assert found(gone, tmp_path)
    for field, value in (("entry", 2), ("round", 9), ("table", "C")):
        forged = record.copy()
        body = forged.lines[index].body
        body["command"][field] = value
        for event in body["events"]:
            event.update({field: value} if field in event else {})
        assert found(forged, tmp_path), field
    for change in ({"at": 5}, {"by": BOB}):
        forged = record.copy()
        line = forged.lines[index]
        line.body["by"] = change.get("by", line.body["by"])
        if "at" in change:
            line.at += 5
            line.body["events"][0]["at"] = line.at
        assert "tells another story" in found(forged, tmp_path), change


def test_what_a_table_would_refuse_is_not_appended_by_hand(record: Forger, tmp_path: Path) -> None:
    """A buy-in at a table without players, one person who corrects, an adjustment unapproved."""
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
        assert "table:A" in found(forged, tmp_path), command


@pytest.mark.parametrize(
    "stream", ["days", "table", "TABLE:A", "meter:g", "refused:nobody", "refused:table:Z", "@x"]
)
def test_a_stream_that_no_machine_has_is_named(record: Forger, tmp_path: Path, stream: str) -> None:
    """Nothing can be hidden beside the record."""
    body = {"by": BOB, "command": {"kind": "settle"}, "events": []}
    record.append(stream, body)

    assert found(record, tmp_path)


def test_refused_attempts_are_audited_too(record: Forger, tmp_path: Path) -> None:
    """Another clause, another person, another moment of the table, one that would be allowed."""
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
        assert stream in found(forged, tmp_path), field
    wagers = {"ante": 1000, "blind": 1000}
    allowed = {"kind": "place_wagers", "player": "", "seat": 1, "wagers": wagers}
    forged = record.copy()
    forged.lines[index].body["note"]["command"] = allowed
    assert stream in found(forged, tmp_path)


# Snapshots


def test_a_snapshot_by_plain_sql_is_neither_believed_nor_overlooked(
    kept: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """On any stream, inside a command, beyond the end: named, and the table is what it was."""
    copy = Path(shutil.copy(kept[0], tmp_path / "ledger.db"))
    with Ledger(copy) as ledger:
        honest = {name: comparable_state(ledger.open_table(name).table) for name in "ABC"}
        revenue = report(ledger, "shift").json()
    sequence, text = snapshot_text(copy, "table:A")
    forged = text.replace('"tray":', '"tray":1')
    assert forged != text
    for stream, place in (
        ("table:A", sequence + 1),
        ("table:B", 9),
        ("meters:g", 3),
        ("office", 1),
    ):
        slip_in_snapshot(copy, stream, place, forged, position=5)
    slip_in_snapshot(copy, "table:C", 10_000, forged, position=10_000)
    with Ledger(copy) as ledger:
        assert honest == {name: comparable_state(ledger.open_table(name).table) for name in "ABC"}
        assert revenue == report(ledger, "shift").json()
    told = str(verify(copy))

    assert all(
        f"{stream} entry" in told
        for stream in ("table:A", "table:B", "table:C", "meters:g", "office")
    )


def test_a_snapshot_that_the_forged_log_vouches_for_is_named(
    record: Forger, kept: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """The note beside it was written too, and every hash mended: the record says otherwise."""
    sequence, text = snapshot_text(kept[0], "table:A")
    forged = text.replace('"tray":', '"tray":1')
    number = record.last("@snapshots") + 1
    record.append("@snapshots", said_of_snapshot("table:A", sequence, forged), id=f"@{number}")
    path = record.write(tmp_path / "forged.db")
    unguarded(path, lambda connection: connection.execute("DELETE FROM snapshot"))
    slip_in_snapshot(path, "table:A", sequence, forged, position=len(record.lines) - 1)

    assert f"table:A entry {sequence}: a snapshot" in str(verify(path))


def test_a_snapshot_of_another_schema_is_no_tampering(
    kept: tuple[Path, Checkpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update old snapshots are passed by and made anew."""
    from croupier.ledger.aggregates import aggregate_types

    monkeypatch.setattr(aggregate_types, "TABLE_SCHEMA", 2)
    verdict = verify(kept[0])

    assert verdict.ok, str(verdict)


# Segments


def test_segments_in_parallel_find_the_same(
    record: Forger, kept: tuple[Path, Checkpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut at every snapshot, in this process and in two others."""
    from croupier.ledger.audit import verify as module

    monkeypatch.setattr(module, "SEGMENT_ENTRIES", 10)
    whole = verify(kept[0], workers=1, keys=[PUBLIC], kept=kept[1])
    parallel = verify(kept[0], workers=2, keys=[PUBLIC], kept=kept[1])
    line = [line for line in record.lines if line.stream == "table:A"][-1]
    line.body["events"][-1]["clauses"] = []
    forged = record.write(tmp_path / "forged.db")

    assert whole.ok, str(whole)
    assert whole == parallel
    assert f"table:A entry {line.sequence}" in str(verify(forged, workers=2))


# Days


@pytest.mark.parametrize(
    ("field", "value"),
    [("rounds", 1), ("size", 5), ("in_play", {"A": 5}), ("day", "2026-01-04"), ("root", "00" * 32)],
)
def test_a_day_that_says_otherwise_is_named(
    record: Forger, tmp_path: Path, field: str, value: Any
) -> None:
    """The command and what it led to were changed alike."""
    line = record.find("office", "close_day")
    line.body["command"][field] = line.body["events"][0][field] = value
    path = record.write(tmp_path / "forged.db", mend_days=field == "size")

    assert "office" in str(verify(path))


def test_a_head_moved_across_the_end_of_a_day_is_named(
    kept: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """Figures cannot be moved into another day by the clock of a head."""
    copy = Path(shutil.copy(kept[0], tmp_path / "ledger.db"))
    late = "UPDATE head SET time = (SELECT max(time) FROM head) WHERE size > 100"
    unguarded(copy, lambda connection: connection.execute(late))

    assert "ended at another entry" in str(verify(copy))


def test_a_rewrite_is_shown_by_the_signature_that_it_cannot_mend(
    record: Forger, tmp_path: Path
) -> None:
    """Another dealer in every hash; the checkpoint that was kept on record is about the old one."""
    for line in record.lines:
        if line.stream == "table:A" and line.body["by"]["id"] == "ann":
            line.body["by"]["id"] = "amy"
    told = str(verify(record.write(tmp_path / "forged.db", mend_days=False)))

    assert "entries have another root" in told
    assert "" == found(record, tmp_path), "signed again by somebody else it verifies alone"
    assert "did not sign" in found(record, tmp_path, keys=[PUBLIC])


def test_a_table_counts_its_days_as_the_property_does(record: Forger, tmp_path: Path) -> None:
    """Otherwise a payout would fall into another tax year at the table than in its reports."""
    line = record.find("table:E", "bind_table")
    for told in (line.body["command"], *line.body["events"]):
        told["timezone"] = "UTC"

    assert "counts its gaming days otherwise" in found(record, tmp_path)


# Beside playing tables


def test_an_audit_beside_playing_tables_does_not_cry_wolf(tmp_path: Path) -> None:
    """It verifies what one head stands for, and says up to where."""
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


# What reads the record without an audit


def run(statement: str) -> Callable[[sqlite3.Connection], object]:
    """A change by one statement."""
    return lambda connection: connection.execute(statement)


def test_a_table_does_not_open_on_a_damaged_record(
    kept: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """It halts and names the entry instead of guessing; so does a report."""
    copy = Path(shutil.copy(kept[0], tmp_path / "ledger.db"))
    with closing(sqlite3.connect(copy)) as connection:
        ((position,),) = connection.execute(
            "SELECT max(position) FROM entry JOIN stream ON number = stream WHERE name = 'table:A'"
        )
    unguarded(copy, run(f"UPDATE entry SET at = at + 1 WHERE position = {position}"))
    with Ledger(copy) as ledger:
        with pytest.raises(Damaged, match="table:A"):
            ledger.open_table("A")
        with pytest.raises(Damaged, match="table:A"):
            report(ledger, "shift")
        ledger.open_table("B")


def test_a_table_does_not_open_on_events_that_cannot_have_happened(
    record: Forger, tmp_path: Path
) -> None:
    """Every hash is right, and a seat is settled that nobody had."""
    line = [line for line in record.lines if line.stream == "table:A"][-1]
    assert "wager_settled" in [event["kind"] for event in line.body["events"]]
    for event in line.body["events"]:
        event["seat"] = 6
    with Ledger(record.write(tmp_path / "forged.db")) as ledger, pytest.raises(Damaged):
        ledger.open_table("A").do(cmd.NoMoreBets(), ANN)


def test_a_head_that_contradicts_the_log_stops_a_report(
    kept: tuple[Path, Checkpoint], tmp_path: Path
) -> None:
    """Before a figure is printed."""
    copy = Path(shutil.copy(kept[0], tmp_path / "ledger.db"))
    last = "WHERE size = (SELECT max(size) FROM head)"
    unguarded(copy, run(f"UPDATE head SET root = zeroblob(32) {last}"))
    with Ledger(copy, readonly=True) as ledger, pytest.raises(Damaged, match="contradicts"):
        report(ledger, "shift")


def test_some_random_attacks_break_no_promise(tmp_path: Path) -> None:
    """A few of those that `make attack` tries by the thousand."""
    world = attack.World(tmp_path)
    broken = [told for seed in range(25) if (told := attack.attack(world, seed)[1])]

    assert [] == broken
