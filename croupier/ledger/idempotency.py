"""Idempotency: commands that are already on record under their id."""

from __future__ import annotations

from croupier.ledger import entry_codec
from croupier.ledger.errors import IdTaken
from croupier.ledger.log import Store
from croupier.table import Envelope, Event


def find_recorded(store: Store, stream: str, id: str) -> entry_codec.Recorded | None:
    """The entry of a command id, if it is on record."""
    stored = store.command(stream, id)
    return None if stored is None else entry_codec.decode_entry(stored)


def recorded_events(store: Store, stream: str, envelope: Envelope) -> tuple[Event, ...]:
    """The events of a repeated command; IdTaken if its id belongs to another command."""
    recorded = find_recorded(store, stream, envelope.id)
    assert recorded is not None, f"{stream}: no entry for repeated id {envelope.id}"
    if not entry_codec.same_command(envelope, recorded.envelope):
        raise IdTaken(stream, envelope.id)
    return recorded.events
