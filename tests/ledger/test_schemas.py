"""Events that were stored stay readable: a sample of every schema of every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from croupier.ledger.chain import Row
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger import Damaged, chain, codec, lift, verifier
from tests.ledger import sampling


def row(kind: str, schema: int, data: dict[str, Any]) -> Row:
    text = chain.canonical(data)
    return Row("table:A", 1, kind, schema, text, "t", "a", "c", 0, chain.GENESIS, "h")


@pytest.mark.parametrize("kind", sorted(codec.KINDS))
def test_an_event_does_not_change_shape_without_a_new_schema(kind: str) -> None:
    """If it must: raise `schema`, add a step to lift.py, run `python -m tests.ledger.sampling`."""
    newest = sampling.load(kind)[-1]

    assert codec.SCHEMAS[kind] == newest["event"]["schema"]
    assert sampling.shape(codec.KINDS[kind]) == newest["shape"]


@pytest.mark.parametrize("kind", sorted(codec.KINDS))
def test_every_schema_has_a_sample_that_can_be_read(kind: str) -> None:
    """Old ones are lifted; the newest comes back exactly as it was stored."""
    samples = [sample["event"] for sample in sampling.load(kind)]
    events = [codec.decode(row(kind, sample["schema"], sample)) for sample in samples]

    assert list(range(1, codec.SCHEMAS[kind] + 1)) == [sample["schema"] for sample in samples]
    assert all(type(event) is codec.KINDS[kind] for event in events)
    assert all(event.schema == codec.SCHEMAS[kind] for event in events)
    assert samples[-1] == json.loads(msgspec.json.encode(events[-1]))


def test_no_sample_is_of_a_kind_that_is_gone() -> None:
    """A kind that was ever stored is read for ever."""
    assert {path.stem for path in sampling.FOLDER.glob("*.json")} == set(codec.KINDS)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two made-up older schemas of an event."""
    monkeypatch.setattr(lift, "STEPS", {})
    monkeypatch.setitem(codec.SCHEMAS, "hand_discarded", 3)
    lift.step("hand_discarded", 1)(lambda data: {**data, "place": data["box"]})
    lift.step("hand_discarded", 2)(
        lambda data: {"kind": data["kind"], "clauses": [], "seat": data["place"]}
    )
    return


@pytest.mark.usefixtures("steps")
def test_steps_are_taken_one_at_a_time() -> None:
    """From the first schema through the second to the third, and from the second alone."""
    first = row("hand_discarded", 1, {"kind": "hand_discarded", "schema": 1, "box": 4})
    second = row("hand_discarded", 2, {"kind": "hand_discarded", "schema": 2, "place": 4})

    assert codec.decode(first) == codec.decode(second)
    assert (4, 3) == (codec.decode(first).seat, codec.decode(first).schema)  # type: ignore[attr-defined]


@pytest.mark.usefixtures("steps")
def test_a_missing_step_or_a_newer_schema_is_named() -> None:
    """Nothing is guessed."""
    del lift.STEPS["hand_discarded", 2]
    data = {"kind": "hand_discarded", "schema": 1, "box": 4}
    with pytest.raises(Damaged, match="nothing lifts hand_discarded from schema 2"):
        codec.decode(row("hand_discarded", 1, data))
    with pytest.raises(Damaged, match="newer than this Croupier"):
        codec.decode(row("hand_discarded", 9, data))
    with pytest.raises(Damaged, match="unknown kind"):
        codec.decode(row("what", 1, data))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(JSON)
def test_the_ledger_and_the_verifier_write_the_same(value: Any) -> None:
    """Two encoders, one canonical text, for whatever people are called."""
    assert chain.canonical(value) == verifier.canonical(value)


@given(st.text(), st.text(), st.dictionaries(st.text(), st.integers(0, 10**9)))
def test_the_ledger_and_the_verifier_hash_the_same(stream: str, actor: str, data: Any) -> None:
    """Two implementations of one rule."""
    text = chain.canonical(data)
    columns = (stream, 3, "kind", 1, text, "time", actor, "id", 0, chain.GENESIS)
    event = dict(zip(Row._fields, columns)) | {"data": data}
    streams = {stream: [3, chain.GENESIS]}
    head = {"number": 2, "previous_hash": chain.GENESIS, "time": actor, "streams": streams}

    assert chain.hash_event(*columns) == verifier.hash_event(event)
    assert chain.hash_head(2, chain.GENESIS, chain.canonical(streams), actor) == verifier.hash_head(
        head
    )
