"""Odd entries, marks, snapshots and values: refused in a sentence; and what a round costs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import Entry, IndexTerm, Snapshot, Store
from tests.ledger.log.sample_entries import AT, body, entries, one, round_entries


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
def test_odd_entries_are_refused_in_a_sentence(lite: Store, fields: dict[str, Any]) -> None:
    """Names that could act, numbers that do not fit, bodies that are none."""
    with pytest.raises(LedgerError):
        lite.append([one("a", 0)[0]._replace(**fields)])
    assert 0 == lite.head().size


@pytest.mark.parametrize(
    "beside",
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
def test_odd_marks_and_snapshots_are_refused_in_a_sentence(
    lite: Store, beside: dict[str, Any]
) -> None:
    """Before they reach the commit that others wait for."""
    with pytest.raises(LedgerError):
        lite.submit(one("a", 0), **beside)
    assert 0 == lite.head().size


def test_a_snapshot_beyond_the_end_is_not_believed(store: Store) -> None:
    """The log says that it was taken, and also that there was nothing to take."""
    store.append(one("a", 0), snapshots=[Snapshot("a", 1, 1, "one"), Snapshot("a", 9, 1, "nine")])
    store.append(entries("a", 1, 20))

    assert "one" == getattr(store.snapshot("a", schema=1), "text", None)


def test_a_six_seat_round_takes_8_kib(tmp_path: Path) -> None:
    """Indexes, heads and a commit for each command included."""
    rng, sequence, rounds = random.Random(5), 0, 60
    with Store(tmp_path / "ledger.db") as store:
        (empty,), (page,) = store.query("PRAGMA page_count")[0], store.query("PRAGMA page_size")[0]
        for number in range(1, rounds + 1):
            made = round_entries("table:UTH-1", sequence, rng, number)
            for entry in made:
                opens = [IndexTerm(entry.stream, entry.sequence, "round", number)]
                store.append([entry], index_terms=opens if entry is made[0] else ())
            sequence += len(made)
        ((pages,),) = store.query("PRAGMA page_count")
        largest = max(len(stored.entry.body) for stored in store.scan())

    assert 30 * rounds == sequence
    assert largest > 8_000
    assert (pages - empty) * page / rounds <= 8 * 1024


@pytest.mark.parametrize("value", ["\ud800", {"x": object()}])
def test_odd_values_are_refused_in_a_sentence(value: object) -> None:
    """What has no canonical form is not written down."""
    with pytest.raises(LedgerError, match="cannot be encoded"):
        Entry.of("a", 1, "c", AT, {"value": value})


def test_deep_values_are_refused_in_a_sentence() -> None:
    """Neither written nor read."""
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LedgerError, match="deep"):
        Entry.of("a", 1, "c", AT, {"value": deep})
    with pytest.raises(LedgerError, match="deep"):
        _ = Entry("a", 1, "c", AT, b"[" * 100_000).value


def test_the_last_year_fits(lite: Store) -> None:
    """The year 9999 is a time like any other."""
    lite.append(one("a", 0, at=253_402_300_799_999, body=body()))

    assert 253_402_300_799_999 == lite.at(0).entry.at
