"""Append requests: entries to store atomically, with a wait or a callback for the outcome."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypedDict

from croupier.ledger.errors import LedgerError
from croupier.ledger.log.compression import compress, encode_id
from croupier.ledger.log.entry import (
    Entry,
    IndexTerm,
    Snapshot,
    StoredEntry,
    check_attachments,
    check_entry,
)
from croupier.ledger.log.transparency.stored_tree import StreamTip

EncodedEntry = tuple[bytes, bytes]  # id and body as stored
StreamEnd = tuple[str, int]  # a stream and its last sequence number
Callback = Callable[["list[Append]"], None]


class AppendOptions(TypedDict, total=False):
    """Options of an append; see `Append`."""

    index_terms: Sequence[IndexTerm]
    snapshots: Sequence[Snapshot]
    reserved: bool
    unchanged: Sequence[StreamEnd]
    accepts_clock_after: int | None


class Append:
    """Entries that are stored together or not at all, in one stream or several.

    Each entry must directly follow the last one of its stream, and the streams in `unchanged`, on
    which it was decided, must still end there, or the append fails with `Conflict`. `reserved`
    allows ids that begin with "@", which only the ledger may use. After a commit at the time
    `accepts_clock_after`, any length of time may have passed.

    The result is awaited on a bare lock, because a `Future` costs more than the insert itself.
    Alternatively `callback` receives all of its appends that were resolved in one group, so that
    one call wakes many tasks.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        *,
        index_terms: Sequence[IndexTerm] = (),
        snapshots: Sequence[Snapshot] = (),
        callback: Callback | None = None,
        reserved: bool = False,
        unchanged: Sequence[StreamEnd] = (),
        accepts_clock_after: int | None = None,
    ) -> None:
        if not entries:
            raise LedgerError("an append needs at least one entry")
        for entry in entries:
            check_entry(entry, reserved=reserved)
        if index_terms or snapshots:
            check_attachments(entries, index_terms, snapshots)
        self.entries = entries
        # Id and body of each entry as stored; compressed here to relieve the writer's thread.
        self.encoded: list[EncodedEntry] = [(encode_id(e.id), compress(e.body)) for e in entries]
        self.index_terms = index_terms
        self.snapshots = snapshots
        self.callback = callback
        self.unchanged = unchanged
        self.accepts_clock_after = accepts_clock_after
        self.stored: list[StoredEntry] = []
        self.failure: LedgerError | None = None
        self._resolved = threading.Lock()
        self._resolved.acquire()

    def wait(self) -> list[StoredEntry]:
        """Block until the entries are durable and return them, or raise the failure."""
        with self._resolved:
            pass
        if self.failure is not None:
            raise self.failure
        return self.stored

    def resolve(self, failure: LedgerError | None) -> None:
        """Set the outcome and wake the waiting thread. The writer calls this exactly once."""
        self.failure = failure
        self._resolved.release()

    def sequenced(self, tip: Callable[[str], StreamTip]) -> Sequence[Entry]:
        """The entries with their final sequence numbers."""
        return self.entries


def run_callbacks(appends: Iterable[Append]) -> None:
    """Call each distinct callback once, with all of its appends."""
    by_callback: dict[Callback, list[Append]] = {}
    for append in appends:
        if append.callback is not None:
            by_callback.setdefault(append.callback, []).append(append)
    for callback, group in by_callback.items():
        with suppress(Exception):  # one failing callback must not keep the others waiting
            callback(group)


class BackgroundEntry(Append):
    """One entry without a waiting caller; it takes the next sequence number of its stream."""

    def sequenced(self, tip: Callable[[str], StreamTip]) -> Sequence[Entry]:
        (entry,), ((_, body),) = self.entries, self.encoded
        sequence = tip(entry.stream)[0] + 1
        sequenced = entry._replace(sequence=sequence, id=f"@{sequence}")
        self.encoded = [(encode_id(sequenced.id), body)]
        return [sequenced]
