"""The integrity check detects every kind of tampering and names the entry."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Entry, IndexTerm, Snapshot, Store, compression
from croupier.ledger.log.entry import entry_leaf_hash
from croupier.ledger.log.transfer.jsonl import export_lines
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.stored_tree import Frontier
from croupier.ledger.log.write.rows import snapshot_body
from tests.ledger.log.attacked_log import (
    change_without_triggers,
    fill,
    run,
    verdict_after,
    without_protection,
)
from tests.ledger.log.log_verdict import check_log, verify
from tests.ledger.log.sample_entries import AT, body, entries, one_entry


@pytest.mark.parametrize(
    "change",
    [
        run("UPDATE entry SET at = at + 1 WHERE position = 100"),
        run("UPDATE entry SET id = CAST(id || 'x' AS BLOB) WHERE position = 100"),
        run(
            "UPDATE entry SET body = ? WHERE position = 100", compression.compress(body(1, "fold"))
        ),
        run("UPDATE entry SET body = zeroblob(20) WHERE position = 100"),
        run("UPDATE entry SET leaf = zeroblob(32) WHERE position = 100"),
        run("UPDATE entry SET form = 9 WHERE position = 100"),
        run("UPDATE entry SET sequence = 900 WHERE position = 281"),
        run("UPDATE entry SET stream = 1, sequence = 141, id = x'78' WHERE position = 281"),
        run("UPDATE entry SET stream = 7 WHERE position = 100"),
        run("DELETE FROM entry WHERE position = 100"),
        run("DELETE FROM entry WHERE position = (SELECT max(position) FROM entry)"),
        run("UPDATE entry SET position = 5000 WHERE position = 100"),
        run("UPDATE head SET time = 1 WHERE size = 40"),
        run("UPDATE head SET root = zeroblob(32) WHERE size = 40"),
        run("UPDATE head SET size = 41 WHERE size = 40"),
        run("DELETE FROM head WHERE size = (SELECT max(size) FROM head)"),
        run("DELETE FROM node"),
        run("UPDATE node SET hash = zeroblob(32)"),
        run("INSERT INTO node VALUES (8, 7, zeroblob(32))"),
        run("UPDATE house SET data = '{}'"),
        run("UPDATE stream SET name = 'table:C' WHERE number = 1"),
        run("DELETE FROM stream WHERE number = 1"),
        run("UPDATE dictionary SET data = zeroblob(100)"),
        run("UPDATE snapshot SET data = zeroblob(10)"),
        run("UPDATE snapshot SET sequence = sequence + 1"),
        run("UPDATE snapshot SET position = position - 1"),
    ],
)
def test_every_kind_of_change_is_detected(
    copy: Path, change: Callable[[sqlite3.Connection], object]
) -> None:
    """Changed columns, deleted rows and added rows, in every table."""
    verdict = verdict_after(copy, change)

    assert not verdict.ok


def test_the_changed_entry_is_named(copy: Path) -> None:
    """By stream and sequence, for every changed entry."""
    change_without_triggers(copy, run("UPDATE entry SET at = at + 1 WHERE position < 30"))
    verdict = verify(copy)
    named = {(problem.stream, problem.sequence) for problem in verdict.problems}

    for stream, sequences in (("table:A", range(1, 11)), ("table:B", range(1, 11))):
        assert {(stream, sequence) for sequence in sequences} <= named


def forge(connection: sqlite3.Connection, position: int, forged: bytes) -> None:
    """Change a body and recompute the leaf hashes of its stream, but not the tree."""
    rows = connection.execute(
        "SELECT position, sequence, id, at, time, leaf, body FROM entry WHERE stream = 1 ORDER BY 2"
    ).fetchall()
    dictionary = compression.load_dictionary(compression.LATEST_DICTIONARY)
    previous = bytes(32)
    for place, sequence, id, at, time, leaf, packed in rows:
        text = forged if place == position else compression.decompress(packed, dictionary)
        if place >= position:
            entry = Entry("table:A", sequence, compression.decode_id(id), at, text)
            leaf = entry_leaf_hash(entry, time, previous)
            connection.execute(
                "UPDATE entry SET leaf = ?, body = ? WHERE position = ?",
                (leaf, compression.compress(text), place),
            )
        previous = leaf


def recompute_tree(connection: sqlite3.Connection) -> None:
    """Recompute every tree head and stored node."""
    sizes = {size for (size,) in connection.execute("SELECT size FROM head")}
    frontier = Frontier()
    for (leaf,) in connection.execute("SELECT leaf FROM entry ORDER BY position").fetchall():
        for level, number, node in frontier.append(leaf):
            where = "WHERE level = ? AND number = ?"
            connection.execute(f"UPDATE node SET hash = ? {where}", (node, level, number))
        if frontier.size in sizes:
            where = "UPDATE head SET root = ? WHERE size = ?"
            connection.execute(where, (frontier.root(), frontier.size))


def test_a_recomputed_leaf_is_detected_by_reading_the_stream(copy: Path) -> None:
    """The next entry of the stream has another previous leaf hash."""

    def change(connection: sqlite3.Connection) -> None:
        forge(connection, 20, body(1, "fold"))
        connection.execute("UPDATE entry SET leaf = zeroblob(32) WHERE position = 21")

    change_without_triggers(copy, change)
    with Store(copy) as store, pytest.raises(Damaged, match="table:A entry 12"):
        list(store.read("table:A"))


def test_a_recomputed_stream_is_detected_by_the_tree_heads(copy: Path) -> None:
    """And the store refuses further appends."""
    verdict = verdict_after(copy, lambda connection: forge(connection, 20, body(1, "fold")))

    assert "tree head 30 contradicts the entries before it" in str(verdict)
    with Store(copy) as store, pytest.raises(Damaged, match="nothing more is written"):
        store.append(one_entry("table:A", 140))


def test_a_recomputed_log_is_detected_by_a_checkpoint(copy: Path) -> None:
    """A consistent rewrite is only detected with data from outside the database."""
    with Store(copy, readonly=True) as store:
        head = store.head()
    checkpoint = Checkpoint("casino.example/ledger", head.size, head.root)

    def change(connection: sqlite3.Connection) -> None:
        forge(connection, 20, body(1, "fold"))
        recompute_tree(connection)

    assert verdict_after(copy, change).ok
    verdict = verify(copy, checkpoint=checkpoint)
    assert "not the ones that were signed" in str(verdict)


def test_a_truncated_log_is_detected_by_a_checkpoint(copy: Path) -> None:
    """The shorter log is consistent by itself."""
    with Store(copy, readonly=True) as store:
        head = store.head()
    checkpoint = Checkpoint("casino.example/ledger", head.size, head.root)

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM entry WHERE position >= 272")
        connection.execute("DELETE FROM mark WHERE position >= 272")
        connection.execute("DELETE FROM head WHERE size > 272")

    assert verdict_after(copy, change).ok
    assert "it once had 282" in str(verify(copy, checkpoint=checkpoint))


# Snapshots


def test_forged_snapshots_are_ignored_and_reported(copy: Path) -> None:
    """At any sequence, at any position, of any stream."""
    forged = compression.compress_snapshot(b'{"tray": 1}')
    with Store(copy) as store:
        honest = store.snapshot("table:A", schema=1)
        assert honest is not None
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        ((recorded,),) = connection.execute("SELECT position FROM snapshot WHERE stream = 1")
        for sequence, position in ((90, recorded), (100, 5), (140, 0), (9_000, 9_000), (95, -1)):
            connection.execute(
                "INSERT INTO snapshot VALUES (1, ?, 1, ?, ?)", (sequence, position, forged)
            )
        connection.execute("INSERT INTO snapshot VALUES (77, 1, 1, 0, ?)", (forged,))
    with Store(copy, readonly=True) as store:
        assert honest == store.snapshot("table:A", schema=1)
        verdict = check_log(store)

    assert 6 == str(verdict).count("a snapshot that the log does not record")


def test_a_snapshot_with_another_text_is_ignored(copy: Path) -> None:
    """The log records the digest of the text."""
    text = compression.compress_snapshot(b"another state")
    change_without_triggers(copy, run("UPDATE snapshot SET data = ? WHERE stream = 1", text))
    with Store(copy) as store:
        assert store.snapshot("table:A", schema=1) is None
        assert store.snapshot("table:B", schema=1) is not None


def test_snapshots_may_be_dropped(copy: Path) -> None:
    """They are a cache: without them the log is still valid, but loading takes longer."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("DELETE FROM snapshot")
    assert verify(copy).ok


def test_the_record_of_a_snapshot_covers_every_field() -> None:
    """A different stream, sequence, schema or text gives a different body."""
    bodies = {
        snapshot_body(*fields)
        for fields in (("a", 1, 1, b"x"), ("b", 1, 1, b"x"), ("a", 2, 1, b"x"))
    }
    bodies |= {snapshot_body("a", 1, 2, b"x"), snapshot_body("a", 1, 1, b"y")}
    assert 5 == len(bodies)


# Impossible values


def test_a_stream_without_entries_is_reported_and_ignored(store: Store) -> None:
    """Otherwise a table that never existed would be in every report."""
    fill(store)
    with store.write_transaction() as connection:
        ((number,),) = connection.query("SELECT max(number) + 1 FROM stream")
        connection.insert("stream", [(number, "table:Z")])

    assert "table:Z: is a stream without entries" in str(check_log(store))
    assert ["table:A", "table:B"] == store.streams("table:")


IMPOSSIBLE = (2**63 - 1, -(2**63), 2**31 - 1, 2**15 - 1, -1, 0, "", "\x1b[2J", b"", bytes(32))
TABLES = ("entry", "head", "node", "snapshot", "stream", "house", "dictionary")


@pytest.mark.parametrize("table", TABLES)
def test_an_impossible_value_is_a_problem_and_no_traceback(store: Store, table: str) -> None:
    """In every column, as far as the type of the column permits it."""
    fill(store)
    rows = store.query(f"SELECT * FROM {table}")
    row, columns = rows[len(rows) // 2], columns_of(store, table)
    found = " AND ".join(f"{column} = ?" for column in columns)
    tried = 0
    for index, column in enumerate(columns):
        for value in IMPOSSIBLE:
            if type(value) is not type(row[index]) or value == row[index]:
                continue
            changed = (*row[:index], value, *row[index + 1 :])
            set_row = ", ".join(f"{name} = ?" for name in columns)
            statement = f"UPDATE {table} SET {set_row} WHERE {found}"
            try:
                with without_protection(store) as execute:
                    execute(statement, (*changed, *row))
            except LedgerError:
                continue  # the database refuses it
            tried += 1
            verdict = verify(store.address)
            assert not verdict.ok, f"{table}.{column} = {value!r}"
            for read in READS:
                with suppress(LedgerError):
                    read(store)
            with without_protection(store) as execute:
                execute(statement, (*row, *changed))
    assert tried
    assert verify(store.address).ok


def columns_of(store: Store, table: str) -> list[str]:
    """The names of the columns of a table."""
    with store.database.connection() as connection:
        return [
            column[0] for column in connection.raw.execute(f"SELECT * FROM {table}").description
        ]


READS: tuple[Callable[[Store], object], ...] = (
    lambda store: [store.snapshot(name, schema=1) for name in ("table:A", "table:B")],
    lambda store: list(store.read("table:A")),
    lambda store: list(store.scan()),
    lambda store: store.size_at(AT),
    lambda store: store.append(one_entry("table:A", 200)),
    lambda store: list(export_lines(store)),
)


# While tables are playing


def test_a_check_during_appends_raises_no_false_alarm(store: Store, tmp_path: Path) -> None:
    """It checks the log at one tree head, which the verdict names."""
    fill(store)
    done, failures = threading.Event(), []

    def play(stream: str) -> None:
        try:
            sequence = 0
            while not done.is_set():
                batch = entries(stream, sequence, 3)
                snapshot = Snapshot(stream, batch[-1].sequence, 1, "state")
                terms = [
                    IndexTerm(stream, e.sequence, "round", e.sequence // 10 + 1) for e in batch
                ]
                terms = [term for term in terms if term.sequence % 10 == 1]
                store.append(
                    batch, index_terms=terms, snapshots=[snapshot] if sequence % 60 == 0 else ()
                )
                sequence += 3
        except LedgerError as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(f"table:{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    try:
        sizes = []
        for _ in range(4):
            verdict = verify(store.address)
            assert verdict.ok, str(verdict)
            sizes.append(verdict.head.size)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert sorted(sizes) == sizes and sizes[0] < sizes[-1], "nothing was appended meanwhile"


def test_names_in_a_tampered_log_are_escaped(copy: Path) -> None:
    """Terminal control sequences are printed as text."""
    evil = "table:\x1b[2J\n=cmd()"
    verdict = verdict_after(copy, run("UPDATE stream SET name = ? WHERE number = 1", evil))

    assert "\x1b" not in str(verdict)
    assert "\\x1b[2J\\n=cmd()" in str(verdict)
    with Store(copy) as store, pytest.raises(Damaged) as caught:
        list(store.read(evil))
    assert "\x1b" not in str(caught.value)


def test_a_database_without_strict_types_gives_messages(copy: Path) -> None:
    """A table rebuilt without types, with text for numbers and numbers for text."""

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE loose AS SELECT * FROM entry")
        connection.execute("DROP TABLE entry")
        connection.execute("ALTER TABLE loose RENAME TO entry")
        connection.execute("UPDATE entry SET sequence = 'two' WHERE position = 1")
        connection.execute("UPDATE entry SET id = 5 WHERE position = 2")
        connection.execute("UPDATE entry SET body = 'text' WHERE position = 3")
        connection.execute("UPDATE entry SET leaf = NULL WHERE position = 4")
        connection.execute("UPDATE entry SET at = 1e300 WHERE position = 5")

    verdict = verdict_after(copy, change)
    assert not verdict.ok
    with Store(copy) as store:
        with pytest.raises(LedgerError):
            list(store.read("table:A"))
        with pytest.raises(LedgerError):
            list(store.scan())
        with pytest.raises(LedgerError):
            store.append(one_entry("table:A", 140, at=AT))
