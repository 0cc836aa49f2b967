"""The registry of aggregate types."""

from __future__ import annotations

import pytest

from croupier.ledger.aggregates.aggregate_types import (
    AGGREGATE_TYPES,
    AggregateType,
    find_type,
    no_house,
)


@pytest.mark.parametrize(
    ("stream", "prefix"),
    [
        ("table:UTH-1", "table:"),
        ("table:PIT:1", "table:"),
        ("meters:g", "meters:"),
        ("people", "people"),
        ("decisions", "decisions"),
        ("office", "office"),
    ],
)
def test_a_stream_has_the_type_of_its_prefix(stream: str, prefix: str) -> None:
    """Up to the first colon, or by its whole name."""
    assert AGGREGATE_TYPES[prefix] is find_type(stream)


@pytest.mark.parametrize("stream", ["", "table", "TABLE:A", "office:1", "refused:table:A", "@x"])
def test_other_streams_have_no_type(stream: str) -> None:
    """Refusals and the ledger's own streams have no aggregate."""
    assert find_type(stream) is None


@pytest.mark.parametrize("aggregate_type", AGGREGATE_TYPES.values(), ids=AGGREGATE_TYPES)
def test_a_type_with_snapshots_restores_them(aggregate_type: AggregateType) -> None:
    """A new aggregate has a snapshot, unless the type has none or it is an unbound table."""
    aggregate = aggregate_type.create(no_house)
    text = aggregate_type.take_snapshot(aggregate)

    assert bool(aggregate_type.snapshot_schema) == (aggregate_type.restore is not None)
    if text is not None:
        assert aggregate_type.restore is not None
        restored = aggregate_type.restore(text, no_house)
        assert text == aggregate_type.take_snapshot(restored)
