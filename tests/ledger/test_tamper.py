"""Whoever touches the record is found out, and the event that was touched is named."""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from croupier.ledger.chain import GENESIS, Row

from croupier.ledger import Damaged, Ledger, Store, codec, transfer, verifier
from croupier.ledger.verify import verify
from croupier.table import events as ev
from croupier.table.events import Event
from tests.ledger.postgres import Server
from tests.ledger.record import example, random_round
from tests.support import UTH, Play, Seat, house

TRIGGERS = ("event_no_update", "event_no_delete", "event_in_order", "head_no_update")
TRIGGERS += ("head_no_delete", "head_in_order", "house_no_update", "house_no_delete")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small record: two rounds at one table, one of them at a linked one."""
    path = tmp_path_factory.mktemp("tamper") / "ledger.db"
    with Ledger(path) as ledger:
        rng = random.Random(5)
        random_round(ledger.open_table("A", example()), rng, seats=1)
        random_round(ledger.open_table("B", example(), group="g"), rng, seats=1)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert verify(path).ok
    return path


def tampered(original: Path, folder: Path, change: Callable[[sqlite3.Connection], None]) -> Path:
    """A copy without its triggers, changed behind the ledger's back."""
    copy = folder / "tampered.db"
    for old in folder.glob("tampered.db*"):
        old.unlink()
    shutil.copy(original, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    for trigger in TRIGGERS:
        connection.execute(f"DROP TRIGGER {trigger}")
    change(connection)
    connection.close()
    return copy


def rows_of(path: Path) -> list[Row]:
    connection = sqlite3.connect(path)
    found = [Row._make(row) for row in connection.execute("SELECT * FROM event ORDER BY 1, 2")]
    connection.close()
    return found


def test_a_flipped_bit_in_any_column_of_any_event_is_found(original: Path, tmp_path: Path) -> None:
    """One random bit of each column of each event; the event is named."""
    rng = random.Random(1)
    for row in rows_of(original):
        column = rng.choice([name for name in Row._fields if name not in ("stream", "sequence")])
        value = getattr(row, column)
        if isinstance(value, int):
            changed: object = value ^ (1 << rng.randrange(8))
        else:
            raw = bytearray(value.encode())
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(7)
            changed = raw.decode()

        def change(
            connection: sqlite3.Connection,
            row: Row = row,
            column: str = column,
            to: object = changed,
        ) -> None:
            where = "WHERE stream = ? AND sequence = ?"
            connection.execute(
                f"UPDATE event SET {column} = ? {where}", (to, row.stream, row.sequence)
            )

        verdict = verify(tampered(original, tmp_path, change))

        assert not verdict.ok, f"{column} of {row}"
        assert row.stream == verdict.problems[0].stream
        assert verdict.problems[0].sequence in (row.sequence, row.sequence + 1)


def test_a_dropped_event_is_found(original: Path, tmp_path: Path) -> None:
    """Any one, the last of a stream too."""
    for row in rows_of(original):

        def change(connection: sqlite3.Connection, row: Row = row) -> None:
            where = "WHERE stream = ? AND sequence = ?"
            connection.execute(f"DELETE FROM event {where}", (row.stream, row.sequence))

        verdict = verify(tampered(original, tmp_path, change))

        assert (row.stream, row.sequence) in {(p.stream, p.sequence) for p in verdict.problems}


def test_a_duplicated_event_is_found(original: Path, tmp_path: Path) -> None:
    """Put in again behind itself, the later ones moved up."""
    for row in rows_of(original):

        def change(connection: sqlite3.Connection, row: Row = row) -> None:
            for up in (1_000_000, 1 - 1_000_000):
                connection.execute(
                    "UPDATE event SET sequence = sequence + ? WHERE stream = ? AND sequence > ?",
                    (up, row.stream, row.sequence),
                )
            copied = row._replace(sequence=row.sequence + 1, command_id="copy")
            marks = ",".join("?" * len(row))
            connection.execute(f"INSERT INTO event VALUES ({marks})", copied)

        verdict = verify(tampered(original, tmp_path, change))

        assert (row.stream, row.sequence + 1) in {(p.stream, p.sequence) for p in verdict.problems}


def test_swapped_events_are_found(original: Path, tmp_path: Path) -> None:
    """Each with the one after it."""
    rows = rows_of(original)
    for row, following in pairwise(rows):
        if row.stream != following.stream:
            continue

        def change(connection: sqlite3.Connection, row: Row = row) -> None:
            for start, to in ((0, -1), (1, 0), (-1, 1)):
                connection.execute(
                    "UPDATE event SET sequence = ? WHERE stream = ? AND sequence = ?",
                    (
                        row.sequence + to if to >= 0 else -1,
                        row.stream,
                        row.sequence + start if start >= 0 else -1,
                    ),
                )

        verdict = verify(tampered(original, tmp_path, change))

        assert (row.stream, row.sequence) in {(p.stream, p.sequence) for p in verdict.problems}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE head SET time = '2020-01-01T00:00:00.000000Z' WHERE number = 3",
        "DELETE FROM head WHERE number = 3",
        "DELETE FROM head WHERE number = (SELECT max(number) FROM head)",
        "UPDATE house SET data = replace(data, '100', '101')",
        "DELETE FROM house",
        "DELETE FROM event WHERE stream = 'table:A'",
        "DELETE FROM event WHERE stream = 'meters:g'",
    ],
)
def test_heads_houses_and_whole_streams_are_missed(
    original: Path, tmp_path: Path, change: str
) -> None:
    """Nothing that rounds rest on can be changed or go."""

    def run(connection: sqlite3.Connection) -> None:
        connection.execute(change)

    verdict = verify(tampered(original, tmp_path, run))

    assert not verdict.ok


def test_every_bit_of_an_exported_log_counts(original: Path) -> None:
    """Flip each single bit of each line: the stand-alone verifier refuses every one."""
    with Store(original) as store:
        target = io.BytesIO()
        transfer.export(store, target)
    lines = target.getvalue().splitlines(keepends=True)
    log, flips = verifier.Log(), 0
    for line in lines:
        if b'"type":"schema"' not in line:  # those count at the end, by the digest
            for position in range(len(line) - 1):
                for bit in range(8):
                    flips += 1
                    broken = bytearray(line[:-1])
                    broken[position] ^= 1 << bit
                    assert refuses(log, bytes(broken)), bytes(broken)
        log.take(line[:-1].decode())
    assert log.ended
    assert flips > 100_000
    for line in (line for line in lines if b'"type":"schema"' in line):
        broken = bytearray(line.replace(b"object", b"oblect", 1))
        with pytest.raises(verifier.Broken):
            verifier.read_log([bytes(broken) if other is line else other for other in lines])


def refuses(log: verifier.Log, line: bytes) -> bool:
    """Whether a log that has come this far does not take a line."""
    twin = verifier.Log()
    for name, value in vars(log).items():
        setattr(twin, name, value.copy() if hasattr(value, "copy") else value)
    try:
        twin.take(line.decode())
    except (verifier.Broken, UnicodeDecodeError):
        return True
    return False


@pytest.mark.parametrize("how", ["drop", "duplicate", "swap", "cut"])
def test_an_exported_log_with_lines_moved_is_refused(original: Path, how: str) -> None:
    """Every event or head line, dropped, doubled, swapped with the next, or the file cut there."""
    with Store(original) as store:
        target = io.BytesIO()
        transfer.export(store, target)
    lines = target.getvalue().splitlines(keepends=True)
    verifier.read_log(lines)
    for number, line in enumerate(lines):
        if json.loads(line)["type"] not in ("event", "head"):
            continue
        before, after = lines[:number], lines[number + 1 :]
        changed = {
            "drop": [*before, *after],
            "duplicate": [*before, line, line, *after],
            "swap": [*before, after[0], line, *after[1:]],
            "cut": [*before, line],
        }[how]
        with pytest.raises(verifier.Broken):
            verifier.read_log(changed)


# Somebody who can write hashes too: only the rules give them away.


def forge(tmp_path: Path, change: Callable[[Event], Event | None]) -> str:
    """A whole record in which the first event that `change` answers for was replaced."""
    rules = house(UTH)
    with Ledger(tmp_path / "honest.db") as honest, Store(tmp_path / "forged.db") as forged:
        seats = {
            1: Seat("Ah Kh", "4x", ante=1000, blind=1000, trips=500, progressive=100),
            4: Seat("2c 7d", "check check fold", ante=1000, blind=1000),
        }
        table = honest.open_table("A", rules)
        Play(  # type: ignore[arg-type]
            rules, seats, dealer="3s 4s", community="Qh Jh Th 2s 3d", table=table
        ).finish()
        forged.add_house(rules.digest, honest.store.houses()[rules.digest])
        for stream in honest.store.streams():
            _rewrite(honest.store, forged, stream, change)
        verdict = verify(forged)
    assert not verdict.ok
    return str(verdict)


def _rewrite(
    honest: Store, forged: Store, stream: str, change: Callable[[Event], Event | None]
) -> None:
    tip, done = (0, GENESIS), False
    commands: dict[str, list[Event]] = {}
    for row in honest.read(stream):
        event = codec.decode(row)
        other = None if done else change(event)
        done = done or other is not None
        commands.setdefault(row.command_id, []).append(other or event)
    for command_id, events in commands.items():
        rows = codec.rows(
            stream,
            tip,
            events,
            time="2026-01-01T00:00:00.000000Z",
            actor="x",
            command_id=command_id,
        )
        forged.append(rows)
        tip = (rows[-1].sequence, rows[-1].hash)


def on(kind: type[Event], **changes: object) -> Callable[[Event], Event | None]:
    """Replace fields of the first event of a kind."""

    def change(event: Event) -> Event | None:
        return msgspec.structs.replace(event, **changes) if type(event) is kind else None

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (on(ev.WagerSettled, returned=1_000_000), "the rules lead to"),
        (on(ev.WagerSettled, outcome="push"), "the rules lead to"),
        (on(ev.WagerSettled, stake=1), "the rules lead to"),
        (on(ev.MeterPaid, paid=999), "the rules lead to"),
        (on(ev.MeterPaid, after=5), "the rules lead to"),
        (on(ev.ProgressiveLocked, contributions={"mega": 40}), "the rules lead to"),
        (on(ev.Decided, stake=9_000), "the rules lead to"),
        (on(ev.WagersPlaced, stakes={"ante": 1000, "blind": 999}), "the rules refuse"),
        (on(ev.BettingClosed, seats=(1,)), "the rules lead to"),
        (on(ev.RoundClosed, stub=51), "the rules lead to"),
        (on(ev.RoundOpened, number=2), "the rules lead to"),
        (on(ev.HandAnnounced, hand="royal flush"), "the rules lead to"),
    ],
)
def test_a_forger_who_mends_the_chain_is_caught_by_the_rules(
    tmp_path: Path, change: Callable[[Event], Event | None], told: str
) -> None:
    """Every hash is right, and still the event is named: it does not follow from the cards."""
    assert told in forge(tmp_path, change)


def test_a_forged_snapshot_is_found(lite: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Balances are derived; a snapshot that says otherwise is named."""
    from croupier.ledger import logged

    monkeypatch.setattr(logged, "SNAPSHOT_EVERY", 10)
    table = lite.open_table("A", example())
    rng = random.Random(2)
    for _ in range(3):
        random_round(table, rng)
    sequence, own, data = lite.store.snapshots("table:A")[-1]
    forged = data.replace('"tray":', '"tray":1')
    with lite.store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM snapshot")
        connection.exec_driver_sql(
            "INSERT INTO snapshot VALUES (?, ?, ?, ?)", ("table:A", sequence, own, forged)
        )
    verdict = verify(lite.store)

    assert "snapshot differs" in str(verdict)
    assert sequence == verdict.problems[0].sequence


def test_a_table_does_not_open_on_a_damaged_record(original: Path, tmp_path: Path) -> None:
    """It halts and names the event instead of guessing."""

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE event SET actor = 'x' WHERE stream = 'table:A' AND sequence = 5")

    with Ledger(tampered(original, tmp_path, change)) as ledger:
        with pytest.raises(Damaged, match="table:A event 5: was changed"):
            ledger.open_table("A")
        ledger.open_table("B")


def test_postgresql_is_checked_just_so(postgres: Server) -> None:
    """A superuser can switch triggers off; the chain tells all the same."""
    with Ledger(postgres.new_database()) as ledger:
        table = ledger.open_table("A", example())
        random_round(table, random.Random(5), seats=1)
        assert verify(ledger.store).ok
        where = "WHERE stream = 'table:A' AND sequence = 3"
        with ledger.store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE event DISABLE TRIGGER ALL")
            connection.exec_driver_sql(f"UPDATE event SET actor = 'somebody else' {where}")
        changed = verify(ledger.store)
        with ledger.store.engine.begin() as connection:
            connection.exec_driver_sql(f"DELETE FROM event {where}")
        dropped = verify(ledger.store)

    assert ("table:A", 3) == (changed.problems[0].stream, changed.problems[0].sequence)
    assert "its hash is wrong" in str(changed)
    assert ("table:A", 3) == (dropped.problems[0].stream, dropped.problems[0].sequence)
