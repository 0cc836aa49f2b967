"""Whoever touches the record is found out, and what was touched is named."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from croupier.ledger.errors import Damaged, LedgerError
from croupier.ledger.log import Entry, Mark, Snapshot, Store, Stored, audit, packing, structure
from croupier.ledger.log.audit import Verdict, verify
from croupier.ledger.log.checkpoint import Checkpoint
from croupier.ledger.log.entry import leaf_of
from croupier.ledger.log.merkle import Frontier
from croupier.ledger.log.writer import snapshot_body
from tests.ledger.log.samples import AT, body, entries, one
from tests.ledger.postgres import Server

HOUSE = '{"game":"uth"}'
DIGEST = sha256(HOUSE.encode()).hexdigest()


def marks(stored: Stored) -> Iterable[tuple[str, int]]:
    """Every tenth entry of a table opens a round."""
    entry = stored.entry
    opens = entry.stream.startswith("table:") and entry.sequence % 10 == 1
    return [("round", entry.sequence // 10 + 1)] if opens else []


def fill(store: Store) -> None:
    """A small record: two tables, more than one kept subtree, marks, a snapshot, a House."""
    store.add_house(DIGEST, HOUSE)
    for number in range(14):
        for stream in ("table:A", "table:B"):
            made = entries(stream, 10 * number, 10)
            opened = [Mark(stream, made[0].sequence, "round", number + 1)]
            taken = [Snapshot(stream, made[-1].sequence, 1, f"state {number}")]
            store.append(made, marks=opened, snapshots=taken if number == 7 else ())


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole record in one file."""
    path = tmp_path_factory.mktemp("attacks") / "ledger.db"
    with Store(path) as store:
        fill(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    verdict = verify(path, marks=marks)
    assert verdict.ok, str(verdict)
    return path


@pytest.fixture
def copy(original: Path, tmp_path: Path) -> Path:
    """A copy to be attacked."""
    return Path(shutil.copy(original, tmp_path / "ledger.db"))


def unguarded(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change a file behind the ledger's back, and put the triggers back as they were."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        change(connection)
        for _, statement in triggers:
            connection.execute(statement)


def attacked(path: Path, change: Callable[[sqlite3.Connection], object]) -> Verdict:
    """What an audit says after a change."""
    unguarded(path, change)
    return verify(path, marks=marks)


def run(statement: str, *values: object) -> Callable[[sqlite3.Connection], object]:
    """A change by one statement."""
    return lambda connection: connection.execute(statement, values)


@pytest.mark.parametrize(
    "change",
    [
        run("UPDATE entry SET at = at + 1 WHERE position = 100"),
        run("UPDATE entry SET id = CAST(id || 'x' AS BLOB) WHERE position = 100"),
        run("UPDATE entry SET body = ? WHERE position = 100", packing.pack(body(1, "fold"))),
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
        run("UPDATE mark SET number = 99 WHERE position = 20"),
        run("DELETE FROM mark WHERE position = 20"),
        run("INSERT INTO mark VALUES (33, 'round', 4, 1)"),
        run("INSERT INTO mark VALUES (9000, 'round', 4, 1)"),
        run("UPDATE house SET data = '{}'"),
        run("UPDATE stream SET name = 'table:C' WHERE number = 1"),
        run("DELETE FROM stream WHERE number = 1"),
        run("UPDATE dictionary SET data = zeroblob(100)"),
        run("UPDATE snapshot SET data = zeroblob(10)"),
        run("UPDATE snapshot SET sequence = sequence + 1"),
        run("UPDATE snapshot SET position = position - 1"),
    ],
)
def test_a_change_of_any_kind_is_found(
    copy: Path, change: Callable[[sqlite3.Connection], object]
) -> None:
    """In every table, columns changed, rows gone, rows added."""
    verdict = attacked(copy, change)

    assert not verdict.ok


def test_the_changed_entry_is_named(copy: Path) -> None:
    """Stream and sequence, for every entry of a stretch."""
    unguarded(copy, run("UPDATE entry SET at = at + 1 WHERE position < 30"))
    verdict = verify(copy)
    named = {(problem.stream, problem.sequence) for problem in verdict.problems}

    for stream, sequences in (("table:A", range(1, 11)), ("table:B", range(1, 11))):
        assert {(stream, sequence) for sequence in sequences} <= named


def forge(connection: sqlite3.Connection, position: int, forged: bytes) -> None:
    """Somebody who mends every leaf of the stream after a change, and nothing else."""
    rows = connection.execute(
        "SELECT position, sequence, id, at, leaf, body FROM entry WHERE stream = 1 ORDER BY 2"
    ).fetchall()
    words = packing.dictionary(packing.NEWEST)
    previous = bytes(32)
    for place, sequence, id, at, leaf, packed in rows:
        text = forged if place == position else packing.unpack(packed, words)
        if place >= position:
            entry = Entry("table:A", sequence, packing.unpack_id(id), at, text)
            leaf = leaf_of(entry, previous)
            connection.execute(
                "UPDATE entry SET leaf = ?, body = ? WHERE position = ?",
                (leaf, packing.pack(text), place),
            )
        previous = leaf


def mend_tree(connection: sqlite3.Connection) -> None:
    """And every head and kept subtree too."""
    sizes = {size for (size,) in connection.execute("SELECT size FROM head")}
    frontier = Frontier()
    for (leaf,) in connection.execute("SELECT leaf FROM entry ORDER BY position").fetchall():
        for level, number, node in frontier.append(leaf):
            where = "WHERE level = ? AND number = ?"
            connection.execute(f"UPDATE node SET hash = ? {where}", (node, level, number))
        if frontier.size in sizes:
            where = "UPDATE head SET root = ? WHERE size = ?"
            connection.execute(where, (frontier.root(), frontier.size))


def test_a_forger_who_mends_one_leaf_is_found_by_whoever_reads_on(copy: Path) -> None:
    """The next entry of the stream follows another leaf."""

    def change(connection: sqlite3.Connection) -> None:
        forge(connection, 20, body(1, "fold"))
        connection.execute("UPDATE entry SET leaf = zeroblob(32) WHERE position = 21")

    unguarded(copy, change)
    with Store(copy) as store, pytest.raises(Damaged, match="table:A event 12"):
        list(store.read("table:A"))


def test_a_forger_who_mends_a_stream_is_found_by_the_heads(copy: Path) -> None:
    """And the ledger takes nothing more."""
    verdict = attacked(copy, lambda connection: forge(connection, 20, body(1, "fold")))

    assert "head 30 contradicts the entries before it" in str(verdict)
    with Store(copy) as store, pytest.raises(Damaged, match="nothing more is written"):
        store.append(one("table:A", 140))


def test_a_forger_who_mends_everything_is_found_by_a_kept_checkpoint(copy: Path) -> None:
    """A perfect rewrite is only seen from outside."""
    with Store(copy, readonly=True) as store:
        head = store.head()
    kept = Checkpoint("casino.example/ledger", head.size, head.root)

    def change(connection: sqlite3.Connection) -> None:
        forge(connection, 20, body(1, "fold"))
        mend_tree(connection)

    assert attacked(copy, change).ok
    verdict = verify(copy, kept=kept)
    assert "not those that were signed for" in str(verdict)


def test_a_cut_tail_is_found_by_a_kept_checkpoint(copy: Path) -> None:
    """The record ends earlier, whole in itself."""
    with Store(copy, readonly=True) as store:
        head = store.head()
    kept = Checkpoint("casino.example/ledger", head.size, head.root)

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM entry WHERE position >= 272")
        connection.execute("DELETE FROM mark WHERE position >= 272")
        connection.execute("DELETE FROM head WHERE size > 272")

    assert attacked(copy, change).ok
    assert "it once had 282" in str(verify(copy, kept=kept))


# Doors

VALUES = "(20, 11, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), zeroblob(5))"
DOORS = [
    f"INSERT OR REPLACE INTO entry VALUES {VALUES}",
    f"REPLACE INTO entry VALUES {VALUES}",
    f"INSERT OR IGNORE INTO entry VALUES {VALUES}",
    f"INSERT INTO entry VALUES {VALUES} ON CONFLICT DO UPDATE SET at = 0",
    "INSERT OR REPLACE INTO entry VALUES (282, 11, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "INSERT OR REPLACE INTO entry VALUES (282, 141, 1, 1, 1, x'6337', zeroblob(32), x'')",
    "INSERT INTO entry (rowid, sequence, at, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "REPLACE INTO entry (rowid, sequence, at, stream, form, id, leaf, body)"
    " VALUES (5, 141, 1, 1, 1, CAST('x' AS BLOB), zeroblob(32), x'')",
    "INSERT OR REPLACE INTO head VALUES (20, zeroblob(32), 1)",
    "INSERT OR REPLACE INTO head VALUES (5000, zeroblob(32), 1)",
    "REPLACE INTO head (rowid, root, time) VALUES (20, zeroblob(32), 1)",
    "INSERT OR REPLACE INTO stream VALUES (1, 'table:X')",
    "INSERT OR REPLACE INTO stream VALUES (4, 'table:A')",
    "INSERT OR REPLACE INTO node VALUES (8, 0, zeroblob(32))",
    "INSERT OR REPLACE INTO mark VALUES (20, 'round', 2, 2)",
    "INSERT OR REPLACE INTO dictionary VALUES (1, x'')",
    f"INSERT OR REPLACE INTO house VALUES (x'{DIGEST}', '')",
    "INSERT OR REPLACE INTO snapshot SELECT stream, sequence, schema, position, x'' FROM snapshot",
    "UPDATE snapshot SET data = x''",
    *(f"DELETE FROM {table}" for table in ("dictionary", "entry", "head", "house", "mark")),
    *(f"DELETE FROM {table}" for table in ("node", "stream")),
    *(f"UPDATE {table} SET position = 1" for table in ("entry", "mark")),
    "UPDATE head SET root = zeroblob(32)",
    "UPDATE OR REPLACE entry SET id = CAST('x' AS BLOB)",
]


@pytest.mark.parametrize("statement", DOORS)
def test_every_door_of_sqlite_is_closed(copy: Path, statement: str) -> None:
    """Whatever the statement is called, nothing that is there changes or goes."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        for recursive in ("ON", "OFF"):
            connection.execute(f"PRAGMA recursive_triggers={recursive}")
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    assert verify(copy, marks=marks).ok


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, 'text', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 'soon', 1, 1, x'aa', zeroblob(32), x'')",
        "INSERT INTO entry VALUES (282, 141, 1, 1, 1, x'aa', zeroblob(31), x'')",
        "INSERT INTO stream VALUES (4, x'aa')",
        "INSERT INTO house VALUES (zeroblob(32), x'aa')",
    ],
)
def test_sqlite_takes_no_other_types(copy: Path, statement: str) -> None:
    """Text where bytes belong, bytes where text belongs, hashes of another length."""
    with (
        closing(sqlite3.connect(copy, isolation_level=None)) as connection,
        pytest.raises(sqlite3.IntegrityError),
    ):
        connection.execute(statement)


POSTGRESQL_DOORS = [
    *(f"TRUNCATE {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    *(f"DELETE FROM {table}" for table in ("entry", "head", "node", "mark", "stream", "house")),
    "UPDATE entry SET at = 0",
    "UPDATE head SET time = 0",
    "UPDATE snapshot SET data = ''",
    "INSERT INTO entry SELECT * FROM entry ON CONFLICT (position) DO UPDATE SET at = 0",
    "MERGE INTO entry USING head ON true WHEN MATCHED THEN UPDATE SET at = 0",
]


def test_every_door_of_postgresql_is_closed(postgres: Server) -> None:
    """The same promise, whoever asks."""
    with Store(postgres.new_database()) as store:
        fill(store)
        for statement in POSTGRESQL_DOORS:
            with (
                pytest.raises(DBAPIError, match="append-only"),
                store.engine.begin() as connection,
            ):
                connection.exec_driver_sql(statement)
        verdict = audit.check(store, marks=marks)
    assert verdict.ok, str(verdict)


# Structure

WEAKENED = [
    "DROP TRIGGER entry_no_update",
    "DROP INDEX entry_id",
    "CREATE TABLE other (x)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER late AFTER INSERT ON entry BEGIN SELECT 1; END",
    "DROP INDEX mark_word; CREATE INDEX mark_word ON mark (word)",
    "DROP TRIGGER head_in_place; CREATE TRIGGER head_in_place BEFORE INSERT ON head BEGIN"
    " SELECT 1; END",
    "ALTER TABLE house ADD COLUMN more TEXT",
]


@pytest.mark.parametrize("statement", WEAKENED)
def test_a_database_with_other_guards_is_named(copy: Path, statement: str) -> None:
    """Triggers, indexes and tables are compared with those of a new ledger."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.executescript(statement)
    verdict = verify(copy)

    assert any("the database" in problem.what for problem in verdict.problems), str(verdict)


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE entry DISABLE TRIGGER ALL",
        "DROP TRIGGER head_append_only ON head",
        "DROP INDEX entry_id",
        "ALTER TABLE entry DROP CONSTRAINT entry_leaf_check",
        "CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RETURN NULL; END $$",
        "CREATE RULE quiet AS ON INSERT TO mark DO INSTEAD NOTHING",
        "ALTER TABLE stream ALTER COLUMN name DROP NOT NULL",
    ],
)
def test_a_postgresql_database_with_other_guards_is_named(postgres: Server, statement: str) -> None:
    """A superuser can switch everything off, and is told on."""
    with Store(postgres.new_database()) as store:
        assert structure.expected("postgresql") == structure.described(store)
        with store.engine.begin() as connection:
            connection.exec_driver_sql(statement.replace("%", "%%"))
        verdict = audit.check(store)

    assert any("the database" in problem.what for problem in verdict.problems), str(verdict)


def test_postgresql_is_checked_just_so(postgres: Server) -> None:
    """An entry changed behind the guards is named, there as here."""
    with Store(postgres.new_database()) as store:
        fill(store)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE entry DISABLE TRIGGER ALL")
            connection.exec_driver_sql("UPDATE entry SET at = at + 1 WHERE position = 20")
            connection.exec_driver_sql("ALTER TABLE entry ENABLE TRIGGER ALL")
        verdict = audit.check(store)

    assert [("table:A", 11)] == [(p.stream, p.sequence) for p in verdict.problems]


# Snapshots


def test_a_snapshot_slipped_in_is_never_believed(copy: Path) -> None:
    """Right hash or wrong, inside, beyond the end, on any stream: passed by, and reported."""
    forged = packing.pack_text(b'{"tray": 1}')
    with Store(copy) as store:
        honest = store.snapshot("table:A", schema=1)
        assert honest is not None
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        ((noted,),) = connection.execute("SELECT position FROM snapshot WHERE stream = 1")
        for sequence, position in ((90, noted), (100, 5), (140, 0), (9_000, 9_000), (95, -1)):
            connection.execute(
                "INSERT INTO snapshot VALUES (1, ?, 1, ?, ?)", (sequence, position, forged)
            )
        connection.execute("INSERT INTO snapshot VALUES (77, 1, 1, 0, ?)", (forged,))
    with Store(copy, readonly=True) as store:
        assert honest == store.snapshot("table:A", schema=1)
        verdict = audit.check(store)

    assert 6 == str(verdict).count("a snapshot that the log knows nothing of")


def test_a_snapshot_of_the_log_with_another_text_is_not_believed(copy: Path) -> None:
    """The log holds the digest of what was kept."""
    text = packing.pack_text(b"another state")
    unguarded(copy, run("UPDATE snapshot SET data = ? WHERE stream = 1", text))
    with Store(copy) as store:
        assert store.snapshot("table:A", schema=1) is None
        assert store.snapshot("table:B", schema=1) is not None


def test_snapshots_may_be_dropped(copy: Path) -> None:
    """They are a cache: without them everything is as true, and opening takes longer."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("DELETE FROM snapshot")
    assert verify(copy, marks=marks).ok


def test_the_note_of_a_snapshot_says_all() -> None:
    """Another stream, sequence, schema or text is another note."""
    bodies = {
        snapshot_body(*given) for given in (("a", 1, 1, b"x"), ("b", 1, 1, b"x"), ("a", 2, 1, b"x"))
    }
    bodies |= {snapshot_body("a", 1, 2, b"x"), snapshot_body("a", 1, 1, b"y")}
    assert 5 == len(bodies)


# Beside playing tables


def test_an_audit_beside_playing_tables_does_not_cry_wolf(store: Store, tmp_path: Path) -> None:
    """It checks what stood at one head, and says which."""
    fill(store)
    done, failures = threading.Event(), []

    def play(stream: str) -> None:
        try:
            sequence = 0
            while not done.is_set():
                made = entries(stream, sequence, 3)
                snapshot = Snapshot(stream, made[-1].sequence, 1, "state")
                opens = [Mark(stream, e.sequence, "round", e.sequence // 10 + 1) for e in made]
                opens = [mark for mark in opens if mark.sequence % 10 == 1]
                store.append(made, marks=opens, snapshots=[snapshot] if sequence % 60 == 0 else ())
                sequence += 3
        except LedgerError as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(f"table:{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    try:
        sizes = []
        for _ in range(4):
            verdict = verify(store.url, marks=marks)
            assert verdict.ok, str(verdict)
            sizes.append(verdict.head.size)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not failures
    assert sorted(set(sizes)) == sizes, "nothing was appended meanwhile"


def test_names_in_a_tampered_record_cannot_act(copy: Path) -> None:
    """Whatever is in the database is shown, never obeyed."""
    evil = "table:\x1b[2J\n=cmd()"
    verdict = attacked(copy, run("UPDATE stream SET name = ? WHERE number = 1", evil))

    assert "\x1b" not in str(verdict)
    assert "\\x1b[2J\\n=cmd()" in str(verdict)
    with Store(copy) as store, pytest.raises(Damaged) as caught:
        list(store.read(evil))
    assert "\x1b" not in str(caught.value)


def test_a_database_without_strict_types_gives_sentences(copy: Path) -> None:
    """Somebody rebuilt a table so that anything fits: numbers as text, text as numbers."""

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE loose AS SELECT * FROM entry")
        connection.execute("DROP TABLE entry")
        connection.execute("ALTER TABLE loose RENAME TO entry")
        connection.execute("UPDATE entry SET sequence = 'two' WHERE position = 1")
        connection.execute("UPDATE entry SET id = 5 WHERE position = 2")
        connection.execute("UPDATE entry SET body = 'text' WHERE position = 3")
        connection.execute("UPDATE entry SET leaf = NULL WHERE position = 4")
        connection.execute("UPDATE entry SET at = 1e300 WHERE position = 5")

    verdict = attacked(copy, change)
    assert not verdict.ok
    with Store(copy) as store:
        with pytest.raises(LedgerError):
            list(store.read("table:A"))
        with pytest.raises(LedgerError):
            list(store.scan())
        with pytest.raises(LedgerError):
            store.append(one("table:A", 140, at=AT))
