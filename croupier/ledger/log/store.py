"""The log in a database: append, read, tree heads and proofs, on SQLite or PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from typing import Unpack

from croupier.clock import DAY, now_ms
from croupier.ledger.errors import LedgerError, StoreFailed, printable
from croupier.ledger.log.append import Append, AppendOptions, BackgroundEntry
from croupier.ledger.log.database import url
from croupier.ledger.log.database.database import Connection, Failpoint, failures, no_faults
from croupier.ledger.log.database.opening import Timeouts, open_database, open_seal
from croupier.ledger.log.database.url import DatabaseLocation
from croupier.ledger.log.entry import Entry, StoredEntry
from croupier.ledger.log.reader import Reader
from croupier.ledger.log.write.group_commit import GroupCommitWriter
from croupier.ledger.log.write.repeat_counter import BackgroundNote, RepeatCounter

OUTAGES = "@outages"  # stream of failed writes, noted once writing works again
BACKGROUND_MAX = 1_000  # queued background entries; beyond this they are dropped and counted


class Store(Reader):
    """One log in one database.

    An append that returned survives a crash. After an append that raised `StoreFailed`, read the
    log to learn whether it was stored. Every entry read is verified against its own leaf hash and
    that of the previous entry in its stream; `transparency.check` verifies everything else.

        with Store("casino.db") as store:
            store.append([Entry.of("table:1", 1, "command-1", now_ms(), {"by": "ann"})])
            for stored in store.read("table:1"):
                print(stored.entry.value)

    An SQLite file that has lost durable commits is refused (see `database.seal`), unless `damaged`
    is set, as the integrity check does.
    """

    def __init__(
        self,
        location: DatabaseLocation,
        *,
        create: bool = True,
        readonly: bool = False,
        damaged: bool = False,
        lock_timeout_ms: int = 5_000,
        answer_timeout_ms: int = 8_000,
        faults: Failpoint = no_faults,
    ) -> None:
        self.address = url.parse_location(location)
        self.readonly = readonly
        self.faults = faults
        with ExitStack() as cleanup:
            database = open_database(
                self.address,
                Timeouts(lock_timeout_ms, answer_timeout_ms),
                create=create,
                readonly=readonly,
                damaged=damaged,
                faults=faults,
                cleanup=cleanup,
            )
            super().__init__(database)
            file = self.address.file
            seal = open_seal(database, file) if file and not readonly else None
            self._cleanup = cleanup.pop_all()
        self._writer = None if readonly else GroupCommitWriter(self.database, faults, seal)
        self._background_queued = 0
        self._background_dropped = 0
        self._background_lock = threading.Lock()
        self._repeats = RepeatCounter()

    def close(self) -> None:
        """Write the queued appends and close the database."""
        if self._writer is not None:
            with suppress(StoreFailed):
                self.flush_repeats(all=True)
            self._writer.close()
        self._cleanup.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def submit(self, appends: Sequence[Append]) -> None:
        """Queue appends without blocking, to be committed in one transaction."""
        self._open_writer().submit(appends)

    def append(
        self, entries: Sequence[Entry], **options: Unpack[AppendOptions]
    ) -> list[StoredEntry]:
        """Append entries and return them once they are durable; see `Append` for the options."""
        append = Append(entries, **options)
        self._open_writer().append(append)
        return append.wait()

    def append_background(self, stream: str, at: int, value: object, *, key: str = "") -> bool:
        """Append to a stream at its next sequence number without waiting; False if dropped.

        Meant for refused attempts: they must not delay any caller, and a flood of them must not
        exhaust memory. The next entry that is accepted states how many were dropped before it.
        With a `key`, repeated entries of a minute are recorded as one that states how many there
        were: see `RepeatCounter`.
        """
        note = BackgroundNote(stream, at, value)
        if key:
            with self._background_lock:
                is_counted = not self._repeats.admit(f"{stream} {key}", note)
            self.flush_repeats()
            if is_counted:
                return True
        return self._append_note(note)

    def flush_repeats(self, *, all: bool = False) -> None:
        """Record the repeated entries whose minute is over, or all of them."""
        with self._background_lock:
            due = self._repeats.due(all=all)
        for note, repeated in due:
            self._append_note(note, repeated)

    def _append_note(self, note: BackgroundNote, repeated: int = 0) -> bool:
        with self._background_lock:
            if self._background_queued >= BACKGROUND_MAX:
                self._background_dropped += 1
                return False
            dropped = {"dropped": self._background_dropped} if self._background_dropped else {}
            again = {"repeated": repeated} if repeated else {}
            content = {**dropped, "note": note.value, **again}
            entry = Entry.of(note.stream, 1, "@", note.at, content)
            self.submit(
                [BackgroundEntry([entry], callback=self._background_written, reserved=True)]
            )
            self._background_queued += 1
            self._background_dropped = 0
        return True

    def _background_written(self, appends: Sequence[Append]) -> None:
        with self._background_lock:
            self._background_queued -= len(appends)

    def _open_writer(self) -> GroupCommitWriter:
        if self._writer is None:
            raise StoreFailed("the ledger was opened read-only")
        return self._writer

    def add_house(self, digest: str, data: str) -> None:
        """Store the terms of a House once, keyed by the SHA-256 of their text."""
        self._open_writer()
        if sha256(data.encode()).hexdigest() != digest:
            raise LedgerError(f"these terms do not have the digest {printable(digest)[:64]}")
        if self.house(digest) is not None:
            return
        with self.write_transaction() as connection:
            key = bytes.fromhex(digest)
            if not connection.query("SELECT 1 FROM house WHERE digest = ?", (key,)):
                connection.insert("house", [(key, data)])
                self.faults("house written")
        self.faults("house durable")

    @contextmanager
    def write_transaction(self) -> Iterator[Connection]:
        """A separate transaction that holds the writer lock; rolled back on an error."""
        with failures("the record could not be written"), self.database.transaction() as connection:
            yield connection

    def accept_gaps(self, days: int) -> None:
        """Commit up to `days` after the last commit; after a longer gap, `ClockJumped`."""
        self._open_writer().gap_max = days * DAY

    def health(self) -> str:
        """Why entries cannot be stored or read at present; empty if they can.

        After a failed write, a note of it is appended in the background: once that succeeds, the
        store is healthy again and the record shows the outage.
        """
        if problem := self.database.problem():
            return problem
        if self._writer is not None and self._writer.failure and not self._background_queued:
            with suppress(LedgerError):
                self.append_background(OUTAGES, now_ms(), {"failed": self._writer.failure})
        try:
            if self._writer is not None:
                return self._writer.problem or self._writer.clock_problem(self.head)
            self.head()
        except LedgerError as error:
            return str(error)
        return ""
