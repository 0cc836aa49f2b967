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

    def close(self) -> None:
        """Write the queued appends and close the database."""
        if self._writer is not None:
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

    def append_background(self, stream: str, at: int, value: object) -> bool:
        """Append to a stream at its next sequence number without waiting; False if dropped.

        Meant for refused attempts: they must not delay any caller, and a flood of them must not
        exhaust memory. The next entry that is accepted states how many were dropped before it.
        """
        with self._background_lock:
            if self._background_queued >= BACKGROUND_MAX:
                self._background_dropped += 1
                return False
            dropped = {"dropped": self._background_dropped} if self._background_dropped else {}
            entry = Entry.of(stream, 1, "@", at, {**dropped, "note": value})
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

        A writable store answers at once, from what its writer saw in the last seconds. After a
        failed write, a note of it is appended in the background: once that succeeds, the store is
        healthy again and the record shows the outage.
        """
        if problem := self.database.problem():
            return problem
        if self._writer is not None:
            if self._writer.failure and not self._background_queued:
                with suppress(LedgerError):
                    self.append_background(OUTAGES, now_ms(), {"failed": self._writer.failure})
            return self._writer.problem
        try:
            self.head()
        except LedgerError as error:
            return str(error)
        return ""
