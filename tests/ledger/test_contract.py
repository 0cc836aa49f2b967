"""What every store must do, the same tests for both."""

from __future__ import annotations

import asyncio
import threading

import pytest
import sqlalchemy as sa
from croupier.ledger.chain import GENESIS, Row, hash_event
from croupier.ledger.waiting import Waiting
from sqlalchemy.exc import DBAPIError

from croupier.ledger import Conflict, RepeatedCommand, Store, codec, schema
from croupier.table import events as ev
from croupier.table.events import Event

TIME = "2026-01-05T12:00:00.000000Z"


@pytest.fixture
def store(database: str):
    """A store and nothing in it."""
    with Store(database) as opened:
        yield opened


def written(
    stream: str, tip: tuple[int, str], count: int, command_id: str, seat: int = 1
) -> list[Row]:
    events: list[Event] = [ev.HandDiscarded(seat=seat + i) for i in range(count)]
    return codec.rows(stream, tip, events, time=TIME, actor="dealer ann", command_id=command_id)


def test_events_come_back_as_they_were_written(store: Store) -> None:
    """Columns, order and hashes survive, whatever the text."""
    rows = written("table:Ä 'x' \"y\" %s ?", (0, GENESIS), 3, "c1")
    store.append(rows)

    assert rows == list(store.read(rows[0].stream))
    assert (3, rows[-1].hash) == store.tip(rows[0].stream)
    assert all(hash_event(*row[:10]) == row.hash for row in store.read(rows[0].stream))


def test_many_rows_with_any_text_come_back(store: Store) -> None:
    """Enough rows for the store's own way of many: tabs, line ends and backslashes survive."""
    stream = "table:tab\t line\nreturn\r back\\slash \\N \\. ♠"
    rows = written(stream, (0, GENESIS), 40, "c\\1\t")
    store.append(rows)

    assert rows == list(store.read(stream))


def test_tables_of_one_loop_wait_together(store: Store) -> None:
    """Each is told of its own append: durable, or why not."""

    async def play() -> list[object]:
        waiting = Waiting(store)
        good = [waiting.append(written(f"t{i}", (0, GENESIS), 3, "c")) for i in range(20)]
        late = waiting.append(written("t0", (7, GENESIS), 1, "late"))
        return await asyncio.gather(*good, late, return_exceptions=True)

    *good, late = asyncio.run(play())

    assert [None] * 20 == good
    assert isinstance(late, Conflict)
    assert 20 == len(store.streams("t"))


def test_a_stream_is_read_from_and_to(store: Store) -> None:
    """`after` excludes, `until` includes."""
    rows = written("table:a", (0, GENESIS), 5, "c1")
    store.append(rows)

    assert rows[2:4] == list(store.read("table:a", after=2, until=4))


def test_who_does_not_follow_is_refused(store: Store) -> None:
    """A second writer with the same place loses, and nothing of it is stored."""
    first = written("table:a", (0, GENESIS), 2, "c1")
    store.append(first)

    with pytest.raises(Conflict):
        store.append(written("table:a", (0, GENESIS), 1, "c2"))
    with pytest.raises(Conflict):
        store.append(written("table:a", (2, "f" * 64), 1, "c3"))
    with pytest.raises(Conflict):
        store.append(written("table:a", (5, first[-1].hash), 1, "c4"))
    assert first == list(store.read("table:a"))


def test_a_command_id_is_taken_once_per_stream(store: Store) -> None:
    """The same id is refused in its stream and free in another."""
    first = written("table:a", (0, GENESIS), 2, "c1")
    store.append(first)

    with pytest.raises(RepeatedCommand):
        store.append(written("table:a", (2, first[-1].hash), 1, "c1"))
    store.append(written("table:b", (0, GENESIS), 1, "c1"))
    assert 2 == len(store.command("table:a", "c1"))


def test_several_streams_are_one_append(store: Store) -> None:
    """If one stream has moved on, no stream takes its part."""
    store.append(written("table:b", (0, GENESIS), 1, "c1"))
    both = written("table:a", (0, GENESIS), 1, "c2") + written("table:b", (0, GENESIS), 1, "c2")

    with pytest.raises(Conflict):
        store.append(both)
    assert (0, GENESIS) == store.tip("table:a")


def test_a_bad_append_spoils_only_itself(store: Store) -> None:
    """Appends that share a commit do not share its fate."""
    good = [written(f"table:{i}", (0, GENESIS), 2, "c") for i in range(20)]
    store.append(good[0])
    again = written("table:0", (2, good[0][-1].hash), 1, "c")  # the id is taken
    stale = written("table:0", (0, GENESIS), 1, "d")
    waiting = [store.submit(rows) for rows in [*good[1:10], again, stale, *good[10:]]]
    refused = []
    for append in waiting:
        try:
            append.wait()
        except (Conflict, RepeatedCommand) as error:
            refused.append(type(error))

    assert [RepeatedCommand, Conflict] == refused
    assert all(rows == list(store.read(rows[0].stream)) for rows in good)


def test_many_threads_lose_nothing(store: Store) -> None:
    """Group commit under load: every stream whole, heads chained, fewer commits than appends."""

    def run(stream: str) -> None:
        tip = (0, GENESIS)
        for number in range(25):
            rows = written(stream, tip, 2, f"c{number}")
            store.append(rows)
            tip = (rows[-1].sequence, rows[-1].hash)

    threads = [threading.Thread(target=run, args=(f"table:{i}",)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    heads = list(store.heads())

    assert all(50 == store.tip(f"table:{i}")[0] for i in range(16))
    assert list(range(1, len(heads) + 1)) == [head.number for head in heads]
    assert len(heads) < 16 * 25


@pytest.mark.parametrize("table", ["event", "head", "house"])
@pytest.mark.parametrize("verb", ["UPDATE", "DELETE"])
def test_nothing_is_updated_or_deleted(store: Store, table: str, verb: str) -> None:
    """Triggers refuse, whoever asks."""
    store.append(written("table:a", (0, GENESIS), 1, "c1"))
    store.add_house("d" * 64, "{}")
    column = "digest" if table == "house" else "hash"
    change = f"UPDATE {table} SET {column} = 'x'" if verb == "UPDATE" else f"DELETE FROM {table}"

    with pytest.raises(DBAPIError, match="append-only"), store.engine.begin() as connection:
        connection.execute(sa.text(change))
    assert 1 == len(list(store.read("table:a")))


def test_nothing_is_replaced(store: Store) -> None:
    """Not by the statements that update or delete under another name either."""
    rows = written("table:a", (0, GENESIS), 2, "c1")
    store.append(rows)
    values = "('table:a', 2, 'k', 1, '{}', 't', 'a', 'c', 0, 'p', 'h')"
    if store.engine.dialect.name == "sqlite":
        changes = [f"INSERT OR REPLACE INTO event VALUES {values}"]
    else:
        on = "ON CONFLICT (stream, sequence) DO UPDATE SET hash = 'x'"
        changes = [f"INSERT INTO event VALUES {values} {on}", "TRUNCATE event"]
    for change in changes:
        with pytest.raises(DBAPIError, match="append-only"), store.engine.begin() as connection:
            connection.exec_driver_sql(change)
    assert rows == list(store.read("table:a"))


def test_a_house_is_stored_once(store: Store) -> None:
    """The same digest again changes nothing."""
    store.add_house("d" * 64, "first")
    store.add_house("d" * 64, "second")

    assert {"d" * 64: "first"} == store.houses()


def test_the_migrations_make_what_the_code_expects(store: Store) -> None:
    """Columns, keys and indexes of the database are those of `schema.py`."""
    inspector = sa.inspect(store.engine)
    for table in schema.metadata.sorted_tables:
        found = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}

        assert {c.name: False for c in table.columns} == found
        assert {str(index.name) for index in table.indexes} == indexes
        key = inspector.get_pk_constraint(table.name)["constrained_columns"]
        assert [column.name for column in table.primary_key] == key


def test_opening_again_changes_nothing(database: str) -> None:
    """The schema is brought up to date once."""
    with Store(database) as store:
        store.append(written("table:a", (0, GENESIS), 1, "c1"))
        head = store.head()
    with Store(database) as store:
        assert head == store.head()
