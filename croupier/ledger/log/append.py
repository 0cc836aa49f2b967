"""What is handed to the writer: entries to be stored together, and somebody who waits or not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import entry as entries
from croupier.ledger.log.compression import compress, encode_id
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, StoredEntry
from croupier.ledger.log.transparency.stored_tree import StreamTip

Packed = tuple[bytes, bytes]
Callback = Callable[["list[Append]"], None]


class Fence(NamedTuple):
    """A row that the database must answer with in the transaction of an append, else it is none.

    Whoever has lost the right to write learns it here, whatever it still believes.
    """

    question: str
    values: tuple[object, ...]
    row: tuple[object, ...]


class Append:
    """Entries that are stored together or not at all, in one stream or several.

    A bare lock is all the waiting needs; a `Future` costs more than the insert itself. Callers
    that do not wait in a thread are called back: `then` gets all of its appends that were decided
    together, so that one call may wake many.
    """

    __slots__ = (
        "_decided",
        "_packed",
        "entries",
        "failure",
        "fence",
        "marks",
        "snapshots",
        "stored",
        "then",
    )

    def __init__(
        self,
        given: Sequence[Entry],
        *,
        marks: Sequence[IndexTerm] = (),
        snapshots: Sequence[Snapshot] = (),
        then: Callback | None = None,
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> None:
        if not given:
            raise LedgerError("an append needs an entry")
        for each in given:
            entries.check_entry(each, reserved=reserved)
        if marks or snapshots:
            entries.check_attachments(given, marks, snapshots)
        self.entries = given
        self._packed: list[Packed] | None = None
        self.marks = marks
        self.snapshots = snapshots
        self.then = then
        self.fence = fence
        self.stored: list[StoredEntry] = []
        self.failure: LedgerError | None = None
        self._decided = threading.Lock()
        self._decided.acquire()

    @property
    def packed(self) -> list[Packed]:
        """Id and body of each entry as they are stored."""
        if self._packed is None:
            self._packed = [(encode_id(each.id), compress(each.body)) for each in self.entries]
        return self._packed

    def wait(self) -> list[StoredEntry]:
        """The entries in their places once they are durable, or raise why they are not."""
        with self._decided:
            pass
        if self.failure is not None:
            raise self.failure
        return self.stored

    def decide(self, failure: LedgerError | None) -> None:
        """Let those who wait go on. Called once, by the writer."""
        self.failure = failure
        self._decided.release()

    def numbered(self, tip: Callable[[str], StreamTip]) -> Sequence[Entry]:
        """The entries with their sequences."""
        return self.entries


def run_callbacks(decided: Iterable[Append]) -> None:
    """Call back those who asked for it, once for all that they had in this group."""
    told: dict[Callback, list[Append]] = {}
    for append in decided:
        if append.then is not None:
            told.setdefault(append.then, []).append(append)
    for then, appends in told.items():
        with suppress(Exception):  # who has gone away meanwhile must not end it for the others
            then(appends)


class BackgroundEntry(Append):
    """One entry that nobody waits for: it takes the next place of its stream, whatever that is."""

    __slots__ = ()

    def numbered(self, tip: Callable[[str], StreamTip]) -> Sequence[Entry]:
        """The entry with the sequence and the id that the stream gives it."""
        (each,), ((_, body),) = self.entries, self.packed
        sequence = tip(each.stream)[0] + 1
        numbered = each._replace(sequence=sequence, id=f"@{sequence}")
        self._packed = [(encode_id(numbered.id), body)]
        return [numbered]
