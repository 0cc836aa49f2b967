"""What one transaction writes: entries in their places, hashes, marks, snapshots, the head."""

from __future__ import annotations

from hashlib import sha256

from croupier.clock import now_ms
from croupier.ledger.errors import Conflict, Damaged, Fenced, LedgerError
from croupier.ledger.log.append import Append, Fence
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.compression import (
    LATEST_DICTIONARY,
    compress,
    compress_snapshot,
    encode_id,
)
from croupier.ledger.log.database.connection import Row
from croupier.ledger.log.entry import Entry, Snapshot, StoredEntry, entry_leaf_hash
from croupier.ledger.log.transparency.merkle import Frontier
from croupier.ledger.log.transparency.stored_tree import (
    TREE,
    Query,
    StoredTree,
    StreamTip,
    TreeHead,
    read_tip,
)

CATCH_UP_MAX = 5_000  # entries of others that are read on from; after more, everything is read anew
SNAPSHOT_STREAM = "@snapshots"  # the stream that says which snapshots were taken


class HeadCache:
    """What the writer knows of the database as long as nobody else has written since."""

    def __init__(self) -> None:
        self.head: TreeHead | None = None
        self.frontier = Frontier()
        self.tips: dict[str, StreamTip] = {}
        self.streams: dict[str, int] = {}
        self.next_stream = 0  # unknown


class TransactionRows:
    """The rows of one transaction, gathered append by append."""

    def __init__(self, memory: HeadCache, before: TreeHead, ask: Query) -> None:
        self.ask = ask
        self.before = before
        self.memory = memory if memory.head == before else _caught_up(memory, before, ask)
        self.frontier = self.memory.frontier.copy()
        self.tips: dict[str, StreamTip] = {}
        self.stream: list[Row] = []
        self.entry: list[Row] = []
        self.node: list[Row] = []
        self.mark: list[Row] = []
        self.snapshot: list[Row] = []
        self.head = self.before
        self._answers: dict[tuple[object, ...], set[tuple[object, ...]]] = {}

    def admit(self, append: Append) -> LedgerError | None:
        """Take an append if it follows what is stored, else say why not."""
        if append.fence is not None and not self._within(append.fence):
            return Fenced(append.entries[0].stream)
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
        for taken in append.snapshots:
            # It is said to be of the time of the entry that follows it.
            behind = (taken.stream, taken.sequence + 1)
            times = [each.at for each in given if (each.stream, each.sequence) == behind]
            self._note_snapshot(taken, *(times or [given[0].at]))
        return None

    def _within(self, fence: Fence) -> bool:
        """Whether the row of a fence is there; each question is asked once for a transaction."""
        asked = (fence.question, fence.values)
        if asked not in self._answers:
            self._answers[asked] = {tuple(row) for row in self.ask(*asked)}
        return fence.row in self._answers[asked]

    def _note_marks(self, append: Append) -> None:
        places = {(s.entry.stream, s.entry.sequence): s.position for s in append.stored}
        for mark in append.marks:
            position = places[mark.stream, mark.sequence]
            self.mark.append((position, mark.word, mark.number, self._number(mark.stream)))

    def tip(self, stream: str) -> StreamTip:
        """Where a stream has come to, this transaction included."""
        found = self.tips.get(stream) or self.memory.tips.get(stream)
        if found is None:
            found = self.tips[stream] = read_tip(self.ask, stream)
        return found

    def _place(self, each: Entry, id: bytes, packed: bytes) -> StoredEntry:
        stream, sequence, _, at, _ = each
        previous = self.tip(stream)[1]
        leaf = entry_leaf_hash(each, previous)
        position = self.frontier.size
        if completed := self.frontier.append(leaf):
            self.node += completed
        number = self.memory.streams.get(stream) or self._number(stream)
        self.entry.append((position, sequence, at, number, LATEST_DICTIONARY, id, leaf, packed))
        self.tips[stream] = (sequence, leaf)
        return StoredEntry(each, position, previous, leaf)

    def _note_snapshot(self, taken: Snapshot, at: int) -> None:
        """The log says which snapshots were taken, so that none can be slipped in beside it."""
        data = taken.text.encode()
        body = snapshot_body(taken.stream, taken.sequence, taken.schema, data)
        sequence = self.tip(SNAPSHOT_STREAM)[0] + 1
        noted = Entry(SNAPSHOT_STREAM, sequence, f"@{sequence}", at, body)
        position = self._place(noted, encode_id(noted.id), compress(body)).position
        number = self._number(taken.stream)
        self.snapshot.append(
            (number, taken.sequence, taken.schema, position, compress_snapshot(data))
        )

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
        time = max(now_ms(), self.before.time)
        self.head = TreeHead(self.frontier.size, self.frontier.root(), time)
        return {
            "stream": self.stream,
            "entry": self.entry,
            "node": self.node,
            "mark": self.mark,
            "snapshot": self.snapshot,
            "head": [self.head],
        }

    def remembered(self) -> HeadCache:
        """What is known now that the transaction is durable."""
        memory = self.memory
        memory.head, memory.frontier = self.head, self.frontier
        memory.tips |= self.tips
        return memory


def snapshot_body(stream: str, sequence: int, schema: int, data: bytes) -> bytes:
    """What the log says about a snapshot."""
    digest = sha256(data).hexdigest()
    return encode_canonical(
        {"digest": digest, "schema": schema, "sequence": sequence, "stream": stream}
    )


def _caught_up(memory: HeadCache, head: TreeHead, ask: Query) -> HeadCache:
    """A memory of the database as it is now; what the head does not vouch for stops the writer."""
    if memory.head is not None and 0 <= head.size - memory.head.size <= CATCH_UP_MAX:
        fresh = _read_on(memory, head, ask)
        if fresh.frontier.size == head.size and fresh.frontier.root() == head.root:
            return fresh
    fresh = HeadCache()
    fresh.head, fresh.frontier = head, StoredTree(ask).frontier(head.size)
    beyond = ask("SELECT count(*) FROM entry WHERE position >= ?", (head.size,))[0][0]
    if beyond or fresh.frontier.root() != head.root:
        raise Damaged(TREE, head.size, "the head contradicts the entries; nothing more is written")
    return fresh


def _read_on(memory: HeadCache, head: TreeHead, ask: Query) -> HeadCache:
    """What other processes appended meanwhile, in one question."""
    fresh = HeadCache()
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
