"""Invalid entries, index terms, snapshots and values are refused; and the size of a round."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import Entry, IndexTerm, Snapshot, Store
from tests.ledger.log.sample_entries import AT, body, entries, one_entry, round_entries


@pytest.mark.parametrize(
    "fields",
    [
        {"stream": "a\nb"},
        {"stream": "\x1b[31mred"},
        {"stream": ""},
        {"stream": "x" * 201},
        {"stream": "\ud800"},
        {"id": "a\x00"},
        {"id": "\u202e"},
        {"id": 7},
        {"at": -1},
        {"at": 2**60},
        {"at": 1.5},
        {"at": True},
        {"sequence": 0},
        {"sequence": 2**63},
        {"body": b"[]"},
        {"body": "{}"},
        {"body": b"{" + b" " * 5_000_000},
    ],
)
def test_invalid_entries_are_refused_with_a_message(lite: Store, fields: dict[str, Any]) -> None:
    """Unsafe names, numbers out of range, bodies that are not objects."""
    with pytest.raises(LedgerError):
        lite.append([one_entry("a", 0)[0]._replace(**fields)])
    assert 0 == lite.head().size


@pytest.mark.parametrize(
    "attachments",
    [
        {"index_terms": [IndexTerm("a", 7, "round", 1)]},
        {"index_terms": [IndexTerm("b", 1, "round", 1)]},
        {"index_terms": [IndexTerm("a", 1, "", 1)]},
        {"index_terms": [IndexTerm("a", 1, "round", -1)]},
        {"index_terms": [IndexTerm("a", 1, "round", 2**63)]},
        {"snapshots": [Snapshot("a", 1, 1, "\ud800")]},
        {"snapshots": [Snapshot("a", 0, 1, "x")]},
        {"snapshots": [Snapshot("a", 1, 2**20, "x")]},
        {"snapshots": [Snapshot("\x1b", 1, 1, "x")]},
    ],
)
def test_invalid_index_terms_and_snapshots_are_refused_with_a_message(
    lite: Store, attachments: dict[str, Any]
) -> None:
    """They are refused before they reach a transaction shared with other appends."""
    with pytest.raises(LedgerError):
        lite.append(one_entry("a", 0), **attachments)
    assert 0 == lite.head().size


def test_a_snapshot_beyond_the_end_is_ignored(store: Store) -> None:
    """The log records the snapshot, but has no such entry in the stream before it."""
    store.append(
        one_entry("a", 0), snapshots=[Snapshot("a", 1, 1, "one"), Snapshot("a", 9, 1, "nine")]
    )
    store.append(entries("a", 1, 20))

    assert "one" == getattr(store.snapshot("a", schema=1), "text", None)


def test_a_six_seat_round_takes_8_kib(tmp_path: Path) -> None:
    """Including indexes, tree heads and one commit per command."""
    rng, sequence, rounds = random.Random(5), 0, 60
    with Store(tmp_path / "ledger.db") as store:
        (empty,), (page,) = store.query("PRAGMA page_count")[0], store.query("PRAGMA page_size")[0]
        for number in range(1, rounds + 1):
            batch = round_entries("table:UTH-1", sequence, rng, number)
            for entry in batch:
                terms = [IndexTerm(entry.stream, entry.sequence, "round", number)]
                store.append([entry], index_terms=terms if entry is batch[0] else ())
            sequence += len(batch)
        ((pages,),) = store.query("PRAGMA page_count")
        largest = max(len(stored.entry.body) for stored in store.scan())

    assert 30 * rounds == sequence
    assert largest > 8_000
    assert (pages - empty) * page / rounds <= 8 * 1024


@pytest.mark.parametrize("value", ["\ud800", {"x": object()}])
def test_invalid_values_are_refused_with_a_message(value: object) -> None:
    """Values without a canonical JSON form."""
    with pytest.raises(LedgerError, match="cannot be encoded"):
        Entry.of("a", 1, "c", AT, {"value": value})


def test_deeply_nested_values_are_refused_with_a_message() -> None:
    """On encoding and on decoding."""
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LedgerError, match="deep"):
        Entry.of("a", 1, "c", AT, {"value": deep})
    with pytest.raises(LedgerError, match="deep"):
        _ = Entry("a", 1, "c", AT, b"[" * 100_000).value


def test_the_year_9999_is_accepted(lite: Store) -> None:
    """The latest timestamp is stored and read back."""
    lite.append(one_entry("a", 0, at=253_402_300_799_999, body=body()))

    assert 253_402_300_799_999 == lite.at(0).entry.at
