"""The log in a database: append, read, heads and proofs. The same on SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from hashlib import sha256
from typing import Any

from croupier.ledger.errors import Damaged, LedgerError, StoreFailed, printable
from croupier.ledger.log import reader
from croupier.ledger.log.append import Append, BackgroundEntry, Fence, Then
from croupier.ledger.log.canonical_json import canonical
from croupier.ledger.log.database import advisory_lock, url
from croupier.ledger.log.database.connection import DatabaseConnection, Rejected
from croupier.ledger.log.database.opening import open_connections
from croupier.ledger.log.database.pool import database_errors, reason
from croupier.ledger.log.database.url import Place
from croupier.ledger.log.database.wal_preallocation import WalPreallocation
from croupier.ledger.log.database.watchdog import Watchdog
from croupier.ledger.log.entry import Entry, IndexTerm, Snapshot, Stored
from croupier.ledger.log.failpoints import NO_FAULTS, Failpoints
from croupier.ledger.log.transparency import stored_tree
from croupier.ledger.log.transparency.stored_tree import Head, Tip, Tree, read_tip
from croupier.ledger.log.write.group_commit import Writer
from croupier.ledger.log.write.transaction import TransactionWriter

NOTES_MAX = 1_000  # refused attempts that may wait to be written; more are dropped and counted


class Store:
    """One database. Every append that returned survives a crash; one that raised may be asked for.

    Reads see whole commands only, since a command is one row. What is read is checked against its
    own hash and that of the entry before it; `audit.check` checks everything against everything.
    A file whose write-ahead log has lost durable commits is not opened, except as `damaged` by an
    audit.
    """

    def __init__(
        self,
        place: Place,
        *,
        create: bool = True,
        readonly: bool = False,
        damaged: bool = False,
        lock_timeout_ms: int = 5_000,
        answer_timeout_ms: int = 30_000,
        faults: Failpoints = NO_FAULTS,
    ) -> None:
        self.address = url.parse(place)
        self.readonly = readonly
        self.faults = faults
        self.lock_timeout_ms = lock_timeout_ms
        self.answer_timeout_ms = answer_timeout_ms
        self._cleanup = ExitStack()
        self._watch = Watchdog(answer_timeout_ms / 1000)
        self._cleanup.callback(self._watch.close)
        with ExitStack() as undo:
            undo.push(self._cleanup)
            self.connections = open_connections(
                self.address,
                create=create,
                readonly=readonly,
                damaged=damaged,
                lock_timeout_ms=lock_timeout_ms,
                answer_timeout_ms=answer_timeout_ms,
                faults=faults,
                cleanup=self._cleanup,
            )
            self.tree = Tree(self.ask)
            self._reader = reader.Reader(self.ask)
            undo.pop_all()
        self._writer = None if readonly else Writer(self._scribe())
        self._notes = 0  # waiting
        self._dropped = 0
        self._notes_lock = threading.Lock()

    def _scribe(self) -> TransactionWriter:
        return TransactionWriter(
            self.connections, self.faults, self._watched, WalPreallocation(self.address.file)
        )

    @property
    def dialect(self) -> str:
        """How the database is spoken to: sqlite or postgresql."""
        return self.connections.dialect

    def close(self) -> None:
        """Finish queued appends and let the database go."""
        if self._writer is not None:
            self._writer.close()
        self._cleanup.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Writing

    def submit(
        self,
        entries: Sequence[Entry],
        *,
        marks: Sequence[IndexTerm] = (),
        snapshots: Sequence[Snapshot] = (),
        then: Then | None = None,
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> Append:
        """Append without waiting: `wait` on what is returned, or be called back by `then`.

        Each entry must follow the last of its stream, else Conflict; `reserved` allows the ids
        that only the ledger itself may give. Fenced if the row of `fence` is not there any more.
        """
        append = Append(
            entries,
            marks=marks,
            snapshots=snapshots,
            then=then,
            reserved=reserved,
            fence=fence,
        )
        self.submit_together([append])
        return append

    def submit_together(self, appends: Sequence[Append]) -> None:
        """Hand over appends that were made before; they become durable in one commit."""
        self._open_writer().submit(*appends)

    def append(
        self,
        entries: Sequence[Entry],
        *,
        marks: Sequence[IndexTerm] = (),
        snapshots: Sequence[Snapshot] = (),
        reserved: bool = False,
        fence: Fence | None = None,
    ) -> list[Stored]:
        """Append and return when the entries are durable, in their places."""
        append = Append(entries, marks=marks, snapshots=snapshots, reserved=reserved, fence=fence)
        return self._open_writer().append(append).wait()

    def note(self, stream: str, at: int, value: object) -> bool:
        """Append to a stream that takes whatever comes, without waiting; False if it was dropped.

        For refused attempts: nobody may be kept waiting by them, and a flood of them must not
        fill the memory. How many were dropped is noted with the next that is not.
        """
        with self._notes_lock:
            if self._notes >= NOTES_MAX:
                self._dropped += 1
                return False
            self._notes += 1
            dropped, self._dropped = self._dropped, 0
        try:
            body = canonical({"dropped": dropped, "note": value} if dropped else {"note": value})
            noted = Entry(stream, 1, "@", at, body)
            self._open_writer().submit(BackgroundEntry([noted], then=self._noted, reserved=True))
        except BaseException:
            self._noted([None])
            raise
        return True

    def _noted(self, notes: Sequence[Append | None]) -> None:
        with self._notes_lock:
            self._notes -= len(notes)

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise StoreFailed("the ledger was opened to be read only")
        return self._writer

    def add_house(self, digest: str, data: str) -> None:
        """Store a House's terms once, under the SHA-256 of their text."""
        self._open_writer()
        if sha256(data.encode()).hexdigest() != digest:
            raise LedgerError(f"these terms do not have the digest {printable(digest)[:64]}")
        if self.house(digest) is not None:
            return
        with self.writing() as line:
            found = line.ask("SELECT 1 FROM house WHERE digest = ?", (bytes.fromhex(digest),))
            if not found:
                line.insert("house", [(bytes.fromhex(digest), data)])
                self.faults.point("house written")
        self.faults.point("house durable")

    def writing(self) -> AbstractContextManager[DatabaseConnection]:
        """A transaction of its own, beside the writer's; held by one process at a time."""
        return reader.writing(self.connections, self._watched)

    def turn(self, stream: str, *, timeout_ms: int = 30_000) -> AbstractContextManager[None]:
        """The right to decide about a stream, of all processes: nobody else appends meanwhile.

        It is advisory: for those who have lost to others before, and whoever waits gets it.
        """
        return advisory_lock.advisory_lock(self.connections, self.address, stream, timeout_ms)

    # Reading

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Ask the database; a failure says that the record cannot be read."""
        try:
            with self.connections.lent() as raw, self._watched(raw):
                return DatabaseConnection(raw).ask(statement, values)
        except (Rejected, StoreFailed) + database_errors() as error:
            raise StoreFailed(f"the record cannot be read: {reason(error)}") from error

    def _watched(self, raw: Any) -> AbstractContextManager[None]:
        if self.dialect == "postgresql":
            return self._watch.over(raw)
        return nullcontext()

    def head(self) -> Head:
        """The newest head; size 0 before the first entry."""
        return stored_tree.last_head(self.ask)

    def heads(self, after: int = 0, until: int | None = None) -> Iterator[Head]:
        """The heads in order, from the first that is larger than `after`."""
        return self._reader.heads(after, until)

    def size_at(self, at: int) -> int:
        """How many entries were durable before a moment, by the clock of the database's writers.

        Periods that are cut here miss nothing and double nothing, whatever the tables' clocks say.
        """
        return self._reader.size_at(at)

    def tip(self, stream: str) -> Tip:
        """The last sequence and leaf of a stream."""
        return read_tip(self.ask, stream)

    def streams(self, prefix: str = "") -> list[str]:
        """The names of the streams, sorted."""
        names = (name for (name,) in self.ask("SELECT name FROM stream"))
        return sorted(name for name in names if isinstance(name, str) and name.startswith(prefix))

    def read(
        self, stream: str, after: int = 0, until: int | None = None, *, size: int | None = None
    ) -> Iterator[Stored]:
        """The entries of a stream in order, from the one following `after` up to `until`.

        `size` leaves out what the log did not have when it had so many entries. Damaged names the
        first entry that is not as it was written.
        """
        return self._reader.stream(stream, after, until, size)

    def scan(self, start: int = 0, end: int | None = None) -> Iterator[Stored]:
        """The entries of the whole log in order of their positions, `end` left out."""
        return self._reader.scan(start, self.head().size if end is None else end)

    def command(self, stream: str, id: str) -> Stored | None:
        """The entry of a command."""
        return self._reader.command(stream, id)

    def at(self, position: int) -> Stored:
        """The entry at a position."""
        found = list(self.scan(position, position + 1))
        return found[0]

    def marked(
        self,
        word: str,
        *,
        stream: str | None = None,
        number: int | None = None,
        start: int = 0,
        end: int | None = None,
    ) -> list[int]:
        """The positions of the entries with a mark, in order, within a stretch of the log."""
        return self._reader.marked(word, stream, number, start, end)

    def snapshot(self, stream: str, *, schema: int, until: int | None = None) -> Snapshot | None:
        """The newest snapshot of a stream that is what the log says it is; others are passed by."""
        return self._reader.snapshot(stream, schema, until)

    def odd_snapshots(self) -> Iterator[tuple[str, int, str]]:
        """Snapshots that the log does not vouch for: stream, sequence, why."""
        return self._reader.odd_snapshots()

    def marks(self, start: int, end: int) -> dict[int, set[tuple[str, str, int]]]:
        """What entries are found by, by position: stream, word, number."""
        return self._reader.marks(start, end)

    def house(self, digest: str) -> str | None:
        """The stored terms of a House."""
        try:
            packed = bytes.fromhex(digest)
        except ValueError:
            raise LedgerError(f"{digest!r} is not a House's digest") from None
        found = self.ask("SELECT data FROM house WHERE digest = ?", (packed,))
        return found[0][0] if found else None

    def houses(self) -> dict[str, str]:
        """Every stored House by digest."""
        found = self.ask("SELECT digest, data FROM house ORDER BY digest")
        try:
            return {digest.hex(): data for digest, data in found}
        except AttributeError:
            raise Damaged("@houses", 0, "a digest is not what it should be") from None
