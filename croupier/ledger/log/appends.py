"""What is handed to the writer: entries to be stored together, and somebody who waits or not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from croupier.ledger.errors import LedgerError
from croupier.ledger.log import entry as entries
from croupier.ledger.log.entry import Entry, Mark, Snapshot, Stored
from croupier.ledger.log.packing import pack, pack_id
from croupier.ledger.log.tree import Tip


class Fence(NamedTuple):
    """A row that the database must answer with in the transaction of an append, else it is none.

    Whoever has lost the right to write learns it here, whatever it still believes.
    """

    question: str
    values: tuple[object, ...]
    row: tuple[object, ...]


class Append:
    """Entries that are stored together or not at all, in one stream or several.

    A bare lock is all the waiting needs; a `Future` costs more than the insert itself. `then` is
    called by the writer when all is decided, for callers that do not wait in a thread.
    """

    __slots__ = (
        "_decided",
        "entries",
        "failure",
        "fence",
        "marks",
        "packed",
        "snapshots",
        "stored",
        "then",
    )

    def __init__(
        self,
        given: Sequence[Entry],
        *,
        marks: Sequence[Mark] = (),
        snapshots: Sequence[Snapshot] = (),
        then: Callable[[Append], None] | None = None,
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> None:
        if not given:
            raise LedgerError("an append needs an entry")
        for each in given:
            entries.check(each, reserved=reserved)
        if marks or snapshots:
            entries.check_beside(given, marks, snapshots)
        self.entries = given
        # Here, in the caller's thread, rather than in the one that everybody waits for.
        self.packed = [(pack_id(each.id), pack(each.body)) for each in given]
        self.marks = marks
        self.snapshots = snapshots
        self.then = then
        self.fence = fence
        self.stored: list[Stored] = []
        self.failure: LedgerError | None = None
        self._decided = threading.Lock()
        self._decided.acquire()

    def wait(self) -> list[Stored]:
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
        if self.then is not None:
            self.then(self)

    def numbered(self, tip: Callable[[str], Tip]) -> Sequence[Entry]:
        """The entries with their sequences."""
        return self.entries


class Note(Append):
    """One entry that nobody waits for: it takes the next place of its stream, whatever that is."""

    __slots__ = ()

    def numbered(self, tip: Callable[[str], Tip]) -> Sequence[Entry]:
        """The entry with the sequence and the id that the stream gives it."""
        (each,), ((_, body),) = self.entries, self.packed
        sequence = tip(each.stream)[0] + 1
        numbered = each._replace(sequence=sequence, id=f"@{sequence}")
        self.packed = [(pack_id(numbered.id), body)]
        return [numbered]
