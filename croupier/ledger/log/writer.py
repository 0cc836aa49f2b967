"""Group commit: one thread per database writes what many tables append, one fsync for all.

While a transaction is being made durable the next appends gather, so the load itself sets the
size of a group; a lone append waits for nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from queue import Empty, SimpleQueue

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from croupier.ledger.errors import Conflict, Damaged, LedgerError, RepeatedCommand, StoreFailed
from croupier.ledger.log import entry as entries
from croupier.ledger.log.entry import NO_LEAF, Entry, Mark, Snapshot, Stored, leaf_of
from croupier.ledger.log.faults import Faults
from croupier.ledger.log.inserting import Row, insert
from croupier.ledger.log.merkle import Frontier
from croupier.ledger.log.packing import NEWEST, pack, pack_id, pack_text
from croupier.ledger.log.schema import lock_for_writing, reason
from croupier.ledger.log.text import canonical, now
from croupier.ledger.log.tree import TREE, Ask, Head, Tree, last_head

GROUP_MAX = 256  # appends in one transaction; bounds the wait of the first of them
READ_ON_MAX = 5_000  # entries of others that are read on from; after more, everything is read anew
SNAPSHOTS = "@snapshots"  # the stream that says which snapshots were taken

Watched = Callable[[Connection], AbstractContextManager[None]]  # an end to waiting on it
Tip = tuple[int, bytes]  # the last sequence of a stream, and the leaf there


class Append:
    """Entries that are stored together or not at all, in one stream or several.

    A bare lock is all the waiting needs; a `Future` costs more than the insert itself. `then` is
    called by the writer when all is decided, for callers that do not wait in a thread.
    """

    __slots__ = ("_decided", "entries", "failure", "marks", "packed", "snapshots", "stored", "then")

    def __init__(
        self,
        given: Sequence[Entry],
        *,
        marks: Sequence[Mark] = (),
        snapshots: Sequence[Snapshot] = (),
        then: Callable[[Append], None] | None = None,
        reserved: bool = False,
    ) -> None:
        if not given:
            raise LedgerError("an append needs an entry")
        for each in given:
            entries.check(each, reserved=reserved)
        self.entries = given
        # Here, in the caller's thread, rather than in the one that everybody waits for.
        self.packed = [(pack_id(each.id), pack(each.body)) for each in given]
        self.marks = marks
        self.snapshots = snapshots
        self.then = then
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


class Writer:
    """The only way into the log. `submit` may be called from any thread."""

    def __init__(
        self,
        engine: Engine,
        faults: Faults,
        watched: Watched,
    ) -> None:
        self.engine = engine
        self.faults = faults
        self.watched = watched
        self._waiting: SimpleQueue[Append | None] = SimpleQueue()
        self._closing = False
        self._memory = Memory()
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Append:
        """Queue an append; `wait` on it to know that it is durable."""
        if self._closing:
            raise StoreFailed("the ledger is closed")
        self._waiting.put(append)
        return append

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._closing = True
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group = [first]
            while len(group) < GROUP_MAX:
                try:
                    more = self._waiting.get_nowait()
                except Empty:
                    break
                if more is None:
                    self._waiting.put(None)  # nothing follows it: write this group, then end
                    break
                group.append(more)
            self._write(group)
        self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        """Whoever slipped in behind the end must not wait for ever."""
        while True:
            try:
                late = self._waiting.get_nowait()
            except Empty:
                return
            if late is not None:
                late.decide(StoreFailed("the ledger is closed"))

    def _write(self, group: list[Append]) -> None:
        """Store a group; one that the database refuses is found by storing each by itself."""
        try:
            outcomes = self._transact(group)
        except (IntegrityError, DataError) as error:
            self._memory = Memory()
            if len(group) > 1:
                for append in group:
                    self._write([append])
                return
            outcomes = [_refused(group[0], error)]
        except LedgerError as error:
            self._memory = Memory()
            outcomes = [error] * len(group)
        except BaseException as error:  # a writer that died silently would leave tables waiting
            self._memory = Memory()
            failure = StoreFailed(f"the record could not be written: {reason(error)}")
            outcomes = [failure] * len(group)
        for append, outcome in zip(group, outcomes, strict=True):
            with suppress(Exception):  # who has gone away meanwhile must not end it for the others
                append.decide(outcome)

    def _transact(self, group: list[Append]) -> list[LedgerError | None]:
        """One transaction; returns, per append, None or why it was left out."""
        point = self.faults.point
        with self.engine.connect().execution_options(writing=True) as connection:
            point("connected")
            with self.watched(connection):
                with connection.begin():
                    point("begun")
                    lock_for_writing(connection)
                    point("locked")
                    batch = Batch(self._memory, asking(connection))
                    outcomes = [batch.admit(append) for append in group]
                    if batch.entry:
                        for table, rows in batch.finish().items():
                            insert(connection, table, rows)
                            point(f"{table} written")
                point("durable")
        if batch.entry:
            self._memory = batch.remembered()
        return outcomes


class Memory:
    """What the writer knows of the database as long as nobody else has written since."""

    def __init__(self) -> None:
        self.head: Head | None = None
        self.frontier = Frontier()
        self.tips: dict[str, Tip] = {}
        self.streams: dict[str, int] = {}
        self.next_stream = 0  # unknown


class Batch:
    """The rows of one transaction, gathered append by append."""

    def __init__(self, memory: Memory, ask: Ask) -> None:
        self.ask = ask
        self.before = last_head(ask)
        self.memory = memory if memory.head == self.before else _caught_up(memory, self.before, ask)
        self.frontier = self.memory.frontier.copy()
        self.tips: dict[str, Tip] = {}
        self.stream: list[Row] = []
        self.entry: list[Row] = []
        self.node: list[Row] = []
        self.mark: list[Row] = []
        self.snapshot: list[Row] = []
        self.head = self.before

    def admit(self, append: Append) -> LedgerError | None:
        """Take an append if it follows what is stored, else say why not."""
        given = append.numbered(self.tip)
        expected: dict[str, int] = {}
        for each in given:
            stream = each.stream
            last = expected[stream] if stream in expected else self.tip(stream)[0]
            if each.sequence != last + 1:
                return Conflict(stream, each.sequence - 1, last)
            expected[stream] = each.sequence
        append.stored = [
            self._place(each, *packed) for each, packed in zip(given, append.packed, strict=True)
        ]
        if append.marks:
            self._note_marks(append)
        for snapshot in append.snapshots:
            self._note_snapshot(snapshot, given[0].at)
        return None

    def _note_marks(self, append: Append) -> None:
        places = {(s.entry.stream, s.entry.sequence): s.position for s in append.stored}
        for mark in append.marks:
            position = places[mark.stream, mark.sequence]
            self.mark.append((position, mark.word, mark.number, self._number(mark.stream)))

    def tip(self, stream: str) -> Tip:
        """Where a stream has come to, this transaction included."""
        found = self.tips.get(stream) or self.memory.tips.get(stream)
        if found is None:
            found = self.tips[stream] = read_tip(self.ask, stream)
        return found

    def _place(self, each: Entry, id: bytes, packed: bytes) -> Stored:
        stream, sequence, _, at, _ = each
        previous = self.tip(stream)[1]
        leaf = leaf_of(each, previous)
        position = self.frontier.size
        if completed := self.frontier.append(leaf):
            self.node += completed
        number = self.memory.streams.get(stream) or self._number(stream)
        self.entry.append((position, sequence, at, number, NEWEST, id, leaf, packed))
        self.tips[stream] = (sequence, leaf)
        return Stored(each, position, previous, leaf)

    def _note_snapshot(self, taken: Snapshot, at: int) -> None:
        """The log says which snapshots were taken, so that none can be slipped in beside it."""
        data = taken.text.encode()
        body = snapshot_body(taken.stream, taken.sequence, taken.schema, data)
        sequence = self.tip(SNAPSHOTS)[0] + 1
        noted = Entry(SNAPSHOTS, sequence, f"@{sequence}", at, body)
        position = self._place(noted, pack_id(noted.id), pack(body)).position
        number = self._number(taken.stream)
        self.snapshot.append((number, taken.sequence, taken.schema, position, pack_text(data)))

    def _number(self, stream: str) -> int:
        numbers = self.memory.streams
        found = numbers.get(stream)
        if found is None:
            rows = self.ask("SELECT number FROM stream WHERE name = ?", (stream,))
            found = rows[0][0] if rows else self._new_number(stream)
            numbers[stream] = found
        return found

    def _new_number(self, stream: str) -> int:
        if not self.memory.next_stream:
            ((last,),) = self.ask("SELECT coalesce(max(number), 0) FROM stream", ())
            self.memory.next_stream = last + 1
        number = self.memory.next_stream
        self.memory.next_stream += 1
        self.stream.append((number, stream))
        return number

    def finish(self) -> dict[str, list[Row]]:
        """Every row, by table, in the order in which they are to be written."""
        time = max(now(), self.before.time)
        self.head = Head(self.frontier.size, self.frontier.root(), time)
        return {
            "stream": self.stream,
            "entry": self.entry,
            "node": self.node,
            "mark": self.mark,
            "snapshot": self.snapshot,
            "head": [self.head],
        }

    def remembered(self) -> Memory:
        """What is known now that the transaction is durable."""
        memory = self.memory
        memory.head, memory.frontier = self.head, self.frontier
        memory.tips |= self.tips
        return memory


def snapshot_body(stream: str, sequence: int, schema: int, data: bytes) -> bytes:
    """What the log says about a snapshot."""
    digest = sha256(data).hexdigest()
    return canonical({"digest": digest, "schema": schema, "sequence": sequence, "stream": stream})


def _caught_up(memory: Memory, head: Head, ask: Ask) -> Memory:
    """A memory of the database as it is now; what the head does not vouch for stops the writer."""
    if memory.head is not None and 0 <= head.size - memory.head.size <= READ_ON_MAX:
        fresh = _read_on(memory, head, ask)
        if fresh.frontier.size == head.size and fresh.frontier.root() == head.root:
            return fresh
    fresh = Memory()
    fresh.head, fresh.frontier = head, Tree(ask).frontier(head.size)
    beyond = ask("SELECT count(*) FROM entry WHERE position >= ?", (head.size,))[0][0]
    if beyond or fresh.frontier.root() != head.root:
        raise Damaged(TREE, head.size, "the head contradicts the entries; nothing more is written")
    return fresh


def _read_on(memory: Memory, head: Head, ask: Ask) -> Memory:
    """What other processes appended meanwhile, in one question."""
    fresh = Memory()
    fresh.head, fresh.frontier = head, memory.frontier.copy()
    fresh.tips, fresh.streams = dict(memory.tips), dict(memory.streams)
    for name, number, sequence, leaf in ask(
        "SELECT stream.name, stream.number, entry.sequence, entry.leaf FROM entry"
        " JOIN stream ON stream.number = entry.stream WHERE position >= ? ORDER BY position",
        (fresh.frontier.size,),
    ):
        fresh.frontier.append(leaf)
        fresh.tips[name], fresh.streams[name] = (sequence, leaf), number
    return fresh


def asking(connection: Connection) -> Ask:
    """Ask on this connection."""
    return lambda statement, values: fetch(connection, statement, values)


def fetch(
    connection: Connection, statement: str, values: Sequence[object]
) -> list[tuple[object, ...]]:
    """The answer as plain tuples: an audit reads millions of them."""
    if connection.dialect.name == "postgresql":
        statement = statement.replace("?", "%s")
    found = connection.exec_driver_sql(statement, tuple(values))
    assert found.cursor is not None
    rows = list(found.cursor.fetchall())
    found.close()
    return rows


def read_tip(ask: Ask, stream: str) -> Tip:
    """The last sequence and leaf of a stream; (0, NO_LEAF) before its first entry."""
    found = ask(
        "SELECT sequence, leaf FROM entry WHERE stream = (SELECT number FROM stream WHERE name = ?)"
        " ORDER BY sequence DESC LIMIT 1",
        (stream,),
    )
    return (found[0][0], found[0][1]) if found else (0, NO_LEAF)


def _refused(append: Append, error: SQLAlchemyError) -> LedgerError:
    said, first = reason(error), append.entries[0]
    if "entry_id" in said or "entry.id" in said:
        return RepeatedCommand(first.stream, first.id)
    if isinstance(error, IntegrityError):
        return Conflict(first.stream, first.sequence - 1, first.sequence)
    return StoreFailed(f"{first.stream}: the database refused an entry: {said}")
