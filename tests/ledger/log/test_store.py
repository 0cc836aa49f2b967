"""The Store on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import threading
import time
from hashlib import sha256
from itertools import pairwise

import pytest

from croupier.ledger.errors import Conflict, LedgerError, RepeatedCommand, StoreFailed
from croupier.ledger.log import Append, Entry, IndexTerm, Snapshot, Store, derived_id
from croupier.ledger.log import store as stores
from croupier.ledger.log.entry import NO_LEAF, entry_leaf_hash
from croupier.ledger.log.write.async_append import AsyncAppender
from tests.ledger.log.log_verdict import check_log
from tests.ledger.log.sample_entries import AT, entries, merkle_root, one_entry


def read(store: Store, stream: str) -> list[Entry]:
    """The entries of a stream."""
    return [stored.entry for stored in store.read(stream)]


def test_entries_come_back_as_they_were_written(store: Store) -> None:
    """Names in any script, ids of any form, bodies with any text; with positions and hashes."""
    stream = "table:Ä 'x' \"y\" %s ? \\N ♠"
    ids = ["c1", "0" * 32, "12345678-9abc-def0-1234-56789abcdef0", "A" * 32, "ü%s\\"]
    batch = [
        Entry.of(stream, i, id, AT + i, {"tab": "\t\\ \x7f", "n": i}) for i, id in enumerate(ids, 1)
    ]
    store.append(batch)
    result = list(store.read(stream))

    assert batch == [stored.entry for stored in result]
    assert list(range(5)) == [stored.position for stored in result]
    assert NO_LEAF == result[0].previous
    assert all(entry_leaf_hash(s.entry, s.time, s.previous) == s.leaf for s in result)
    assert [s.leaf for s in result[:-1]] == [s.previous for s in result[1:]]
    assert (5, result[-1].leaf) == store.stream_tip(stream)
    assert {"tab": "\t\\ \x7f", "n": 3} == result[2].entry.value


def test_a_large_append_comes_back_as_it_was_written(store: Store) -> None:
    """With characters that SQL or JSON could take for their own; a repeated id is refused."""
    batch = [
        Entry.of("a", i, f"ü%s\\ {i}", AT - i, {"tab": "\t\\N", "n": i}) for i in range(1, 2_101)
    ]
    terms = [IndexTerm("a", i, "ro \\N ü", 2**40 + i) for i in range(1, 20)]
    store.append(batch, index_terms=terms)

    assert batch == read(store, "a")
    assert list(range(19)) == store.find_positions("ro \\N ü")
    assert [7] == store.find_positions("ro \\N ü", stream="a", number=2**40 + 8)
    verdict = check_log(store)
    assert verdict.ok, str(verdict)
    repeated = [entry._replace(sequence=entry.sequence + 2_100) for entry in batch[:10]]
    with pytest.raises(RepeatedCommand):
        store.append(repeated)
    assert 2_100 == store.head().size


def test_an_append_returns_the_stored_entries(store: Store) -> None:
    """The same that are read back."""
    stored = store.append(entries("a", 0, 3))

    assert list(store.read("a")) == stored


def test_a_stream_is_read_from_and_to(store: Store) -> None:
    """`after` is exclusive, `until` inclusive, `size` limits the read to an earlier log."""
    batch = entries("a", 0, 5)
    store.append(batch[:2])
    size = store.head().size
    store.append(batch[2:])

    assert batch[2:4] == [s.entry for s in store.read("a", after=2, until=4)]
    assert batch[:2] == [s.entry for s in store.read("a", size=size)]


def test_the_log_is_scanned_in_order_of_commits(store: Store) -> None:
    """Streams interleave as they were appended."""
    for sequence in range(3):
        for stream in ("b", "a"):
            store.append(one_entry(stream, sequence))
    result = list(store.scan())

    assert ["b", "a"] * 3 == [s.entry.stream for s in result]
    assert result[3:5] == list(store.scan(3, 5))
    assert result[4] == store.at(4)


def test_long_streams_are_read_in_pages(store: Store) -> None:
    """No entry is lost or repeated at a page boundary."""
    batch = entries("a", 0, 4_100)
    store.append(batch)

    assert batch == read(store, "a")
    assert 4_100 == sum(1 for _ in store.scan())


def test_an_append_with_a_wrong_sequence_conflicts(store: Store) -> None:
    """A second writer with the same sequence number loses, and nothing of it is stored."""
    first = entries("a", 0, 2)
    store.append(first)

    for after in (0, 1, 5):
        with pytest.raises(Conflict):
            store.append(one_entry("a", after, "late"))
    with pytest.raises(Conflict):
        store.append([*one_entry("a", 2, "x"), *one_entry("a", 4, "y")])
    assert first == read(store, "a")


def test_an_id_is_unique_within_its_stream(store: Store) -> None:
    """The same id is refused in its stream and allowed in another."""
    store.append(one_entry("PIT", 0, "1:x"))

    with pytest.raises(RepeatedCommand):
        store.append(one_entry("PIT", 1, "1:x"))
    store.append(one_entry("PIT:1", 0, "1:x"))
    result = store.command("PIT", "1:x")
    assert result is not None
    assert "PIT" == result.entry.stream
    assert store.command("PIT", "x") is None
    assert store.command("unknown", "1:x") is None


def test_reserved_ids_are_refused(store: Store) -> None:
    """Only the ledger itself uses them, for entries that a command causes in other streams."""
    with pytest.raises(LedgerError, match="reserved"):
        store.append(one_entry("a", 0, "@1"))
    with pytest.raises(LedgerError, match="reserved"):
        store.append(one_entry("@snapshots", 0, "x"))
    store.append(one_entry("a", 0, derived_id("PIT", "1:x")), reserved=True)
    assert derived_id("PIT", "1:x") != derived_id("PIT:1", "x")


def test_several_streams_are_one_append(store: Store) -> None:
    """If one stream conflicts, nothing is stored in any of them."""
    store.append(one_entry("b", 0))

    with pytest.raises(Conflict):
        store.append([*one_entry("a", 0, "x"), *one_entry("b", 0, "x")])
    assert (0, NO_LEAF) == store.stream_tip("a")
    store.append([*one_entry("a", 0, "x"), *one_entry("b", 1, "x")])
    assert 3 == store.head().size


def test_an_invalid_append_fails_alone(store: Store) -> None:
    """Other appends of the same group are stored."""
    good = [entries(f"t{i}", 0, 2) for i in range(20)]
    store.append(good[0])
    again, stale = one_entry("t0", 2, "c1"), one_entry("t0", 0, "d")
    refused = []
    appends = [Append(batch) for batch in [*good[1:10], again, stale, *good[10:]]]
    store.submit(appends)
    for append in appends:
        try:
            append.wait()
        except (Conflict, RepeatedCommand) as error:
            refused.append(type(error))

    assert [RepeatedCommand, Conflict] == refused
    assert all(batch == read(store, batch[0].stream) for batch in good)
    assert store.head().root == store.tree.root(40)


def test_many_threads_lose_nothing(store: Store) -> None:
    """Group commit under load: complete streams, ordered heads, fewer commits than appends."""

    def run(stream: str) -> None:
        for number in range(25):
            store.append(entries(stream, 2 * number, 2))

    threads = [threading.Thread(target=run, args=(f"t{i}",)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    heads, leaves = list(store.heads()), [stored.leaf for stored in store.scan()]

    assert all(entries(f"t{i}", 0, 50) == read(store, f"t{i}") for i in range(16))
    assert 800 == len(leaves) == heads[-1].size
    assert all(merkle_root(leaves[: head.size]) == head.root for head in heads)
    assert sorted(heads) == heads
    assert len(heads) < 16 * 25


def test_tables_of_one_event_loop_share_commits(store: Store) -> None:
    """Each task gets the result or the error of its own append."""

    async def play() -> list[object]:
        appender = AsyncAppender(store)
        good = [appender.append(entries(f"t{i}", 0, 3)) for i in range(20)]
        return await asyncio.gather(
            *good, appender.append(one_entry("t0", 7)), return_exceptions=True
        )

    *good, late = asyncio.run(play())

    assert [3] * 20 == [len(stored) for stored in good if isinstance(stored, list)]
    assert isinstance(late, Conflict)
    assert 20 == len(store.streams("t"))


def test_a_failing_callback_does_not_stop_the_writer(store: Store) -> None:
    """An event loop may be closed before its append is resolved."""

    def fail(append: object) -> None:
        raise RuntimeError("Event loop is closed")

    append = Append(one_entry("a", 0), callback=fail)
    store.submit([append])
    append.wait()
    store.append(one_entry("a", 1))

    assert 2 == store.stream_tip("a")[0]


def test_index_terms_find_entries(store: Store) -> None:
    """By word, stream, number and range of positions."""
    for number in range(1, 4):
        for stream in ("a", "b"):
            batch = entries(stream, 2 * (number - 1), 2)
            terms = [IndexTerm(stream, batch[0].sequence, "round", number)]
            if number == 2:
                terms.append(IndexTerm(stream, batch[1].sequence, "meter_paid"))
            store.append(batch, index_terms=terms)

    assert [6] == store.find_positions("round", stream="b", number=2)
    assert [5, 7] == store.find_positions("meter_paid")
    assert [0, 4, 8] == store.find_positions("round", stream="a")
    assert [4, 6] == store.find_positions("round", start=4, end=8)
    assert [] == store.find_positions("nothing")


def test_size_at_a_time(store: Store) -> None:
    """By the times of the tree heads, not the clocks of the tables."""
    heads = []
    for number in range(7):
        store.append(one_entry("a", number, at=AT - number))
        heads.append(store.head())
        time.sleep(0.002)
    for before, after in pairwise(heads):
        assert before.size == store.size_at(after.time)
    assert 0 == store.size_at(heads[0].time)
    assert 7 == store.size_at(heads[-1].time + 1)


def test_snapshots_come_back_newest_first(store: Store) -> None:
    """Of the requested schema, and not beyond the requested sequence number."""
    for sequence in range(1, 4):
        snapshot = Snapshot("a", sequence, 2, f"state ♠ {sequence}")
        store.append(one_entry("a", sequence - 1), snapshots=[snapshot])

    assert "state ♠ 3" == getattr(store.snapshot("a", schema=2), "text", None)
    assert "state ♠ 2" == getattr(store.snapshot("a", schema=2, until=2), "text", None)
    assert store.snapshot("a", schema=1) is None
    assert store.snapshot("b", schema=2) is None


def test_a_house_is_stored_once(store: Store) -> None:
    """Adding it again changes nothing; other terms under its digest are refused."""
    digest = sha256(b"terms").hexdigest()
    store.add_house(digest, "terms")
    store.add_house(digest, "terms")

    with pytest.raises(LedgerError, match="do not have the digest"):
        store.add_house(digest, "other terms")
    assert {digest: "terms"} == store.houses()
    assert "terms" == store.house(digest)
    assert store.house("e" * 64) is None
    with pytest.raises(LedgerError, match="not the digest of a House"):
        store.house("x")


def test_background_entries_are_appended_in_order(store: Store) -> None:
    """Without waiting and without sequence numbers; they are leaves like all others."""
    for number in range(30):
        assert store.append_background("refused:a", AT, {"command": number})
    store.append(one_entry("a", 0))
    deadline = time.monotonic() + 10
    while store.stream_tip("refused:a")[0] < 30 and time.monotonic() < deadline:
        time.sleep(0.01)
    result = list(store.read("refused:a"))

    assert list(range(30)) == [s.entry.value["note"]["command"] for s in result]
    assert 31 == store.head().size
    assert 1 == store.stream_tip("a")[0]


def test_a_flood_of_background_entries_is_dropped_and_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the writer is blocked, excess entries are dropped; the next entry counts them."""
    monkeypatch.setattr(stores, "BACKGROUND_MAX", 5)
    with store.write_transaction():
        accepted = [store.append_background("refused:a", AT, number) for number in range(40)]
    deadline = time.monotonic() + 10
    while store.stream_tip("refused:a")[0] < sum(accepted) and time.monotonic() < deadline:
        time.sleep(0.01)
    store.append(one_entry("b", 0))  # written after the accepted ones, which are no longer queued
    assert store.append_background("refused:a", AT, "after")
    store.append(one_entry("a", 0))

    assert 5 == sum(accepted)
    assert {"dropped": 35, "note": "after"} == list(store.read("refused:a"))[-1].entry.value


def test_opening_again_changes_nothing(database: str) -> None:
    """The schema is migrated once."""
    with Store(database) as store:
        store.append(one_entry("a", 0))
        head = store.head()
    with Store(database) as store:
        assert head == store.head()
        store.append(one_entry("a", 1))
        assert store.head().root == merkle_root([s.leaf for s in store.scan()])


def test_two_stores_on_one_database_alternate(database: str) -> None:
    """Each catches up with the other, across the boundary of a stored subtree."""
    with Store(database) as left, Store(database) as right:
        for number in range(12):
            batch = entries("a", 50 * number, 50)
            (left if number % 2 else right).append(batch)
        assert 600 == left.head().size
        assert left.head().root == merkle_root([s.leaf for s in right.scan()])
        assert left.tree.root(512) == merkle_root([s.leaf for s in right.scan(0, 512)])


def test_a_closed_store_refuses_appends(store: Store) -> None:
    """With a message."""
    store.append(one_entry("a", 0))
    store.close()
    with pytest.raises(StoreFailed, match="closed"):
        store.append(one_entry("a", 1))
