"""Events to stored text and back, whatever schema they were written in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

import croupier.ledger.events as ledger_events
import croupier.table.events as table_events
import croupier.table.life.events as life_events
from croupier.ledger.chain import Row, break_in, hash_event
from croupier.ledger.errors import Damaged
from croupier.ledger.lift import lift
from croupier.table.events import Event

_encode = msgspec.json.Encoder(order="sorted").encode


def _kinds(root: type[Event]) -> Iterator[tuple[str, type[Event]]]:
    for kind in root.__subclasses__():
        tag = kind.__struct_config__.tag
        if tag != kind.__name__:  # an abstract root has no tag of its own
            yield str(tag), kind
        yield from _kinds(kind)


def _schema(kind: type[Event]) -> int:
    field = next(field for field in msgspec.structs.fields(kind) if field.name == "schema")
    assert isinstance(field.default, int)
    return field.default


def _registry() -> dict[str, type[Event]]:
    modules = (table_events, life_events, ledger_events)
    assert all(modules), "the modules register their events by being imported"
    found: dict[str, type[Event]] = {}
    for tag, kind in _kinds(Event):
        assert found.setdefault(tag, kind) is kind, f"two kinds of event are tagged {tag}"
    return found


KINDS: dict[str, type[Event]] = _registry()
SCHEMAS: dict[str, int] = {tag: _schema(kind) for tag, kind in KINDS.items()}
_decoders: dict[str, Any] = {tag: msgspec.json.Decoder(kind).decode for tag, kind in KINDS.items()}


def kind_of(event: Event) -> str:
    """The word an event is stored under."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def rows(
    stream: str,
    tip: tuple[int, str],
    events: list[Event],
    *,
    time: str,
    actor: str,
    command_id: str,
) -> list[Row]:
    """The events of one command as rows that follow a stream's tip."""
    sequence, previous = tip
    written: list[Row] = []
    for part, event in enumerate(events):
        sequence += 1
        columns = (
            stream,
            sequence,
            kind_of(event),
            event.schema,
            _encode(event).decode(),
            time,
            actor,
            command_id,
            part,
            previous,
        )
        previous = hash_event(*columns)
        written.append(Row(*columns, previous))
    return written


def decode(row: Row) -> Event:
    """The event of a row, lifted to the newest schema."""
    kind = row.kind
    try:
        if SCHEMAS[kind] == row.schema:
            event: Event = _decoders[kind](row.data)
            return event
        data = lift(kind, row.schema, msgspec.json.decode(row.data), SCHEMAS[kind])
        return msgspec.convert(data, KINDS[kind])
    except KeyError:
        raise Damaged(row.stream, row.sequence, f"unknown kind of event {kind!r}") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged(row.stream, row.sequence, f"cannot be read: {error}") from None


def decode_next(row: Row, tip: tuple[int, str]) -> Event:
    """The event of a row that must follow a tip: what is damaged stops whoever reads it."""
    problem = break_in(row, *tip)
    if problem:
        raise Damaged(row.stream, tip[0] + 1, problem)
    return decode(row)
