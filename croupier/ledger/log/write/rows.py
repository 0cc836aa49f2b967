"""Rows of one transaction: entries, tree nodes, index terms, snapshots and the tree head."""

from __future__ import annotations

from hashlib import sha256

from croupier.ledger.errors import Conflict, Damaged, LedgerError, StoreFailed
from croupier.ledger.log.append import Append
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.compression import (
    LATEST_DICTIONARY,
    compress,
    compress_snapshot,
    encode_id,
)
from croupier.ledger.log.database.database import Row
from croupier.ledger.log.entry import Entry, Snapshot, StoredEntry, entry_leaf_hash
from croupier.ledger.log.transparency.stored_tree import (
    TREE,
    Frontier,
    Query,
    StoredTree,
    StreamTip,
    TreeHead,
    read_stream_tip,
)

TABLES = ("stream", "entry", "node", "mark", "snapshot", "head")
SNAPSHOT_STREAM = "@snapshots"  # records which snapshots were taken


class HeadCache:
    """Cached tree head, frontier and stream tips; valid until another writer commits."""

    def __init__(self) -> None:
        self.head: TreeHead | None = None
        self.frontier = Frontier()
        self.tips: dict[str, StreamTip] = {}
        self.streams: dict[str, int] = {}


class TransactionRows:
    """The rows of one transaction, collected append by append."""

    def __init__(self, cache: HeadCache, before: TreeHead, query: Query, time: int) -> None:
        self.query = query
        self.time = time
        self.before = before
        self.cache = cache if cache.head == before else _read_cache(before, query)
        self.frontier = self.cache.frontier.copy()
        self.tips: dict[str, StreamTip] = {}
        # By table, in the order in which they must be inserted.
        self.rows: dict[str, list[Row]] = {table: [] for table in TABLES}
        self.latest = 0  # time of the latest command
        self.accepts_clock = False  # whether an entry accepts any length of time since `before`
        self.head = self.before

    def admit(self, append: Append) -> LedgerError | None:
        """Add an append if it follows what is stored; return the error if it does not."""
        if append.accepts_clock_after not in (None, self.before.time):
            return StoreFailed("another commit came first; read the clock again")
        entries = append.sequenced(self.tip)
        expected: dict[str, int] = {}
        for stream, sequence in append.unchanged:
            if self.tip(stream)[0] != sequence:
                return Conflict(stream, sequence, self.tip(stream)[0])
        for entry in entries:
            stream = entry.stream
            last = expected[stream] if stream in expected else self.tip(stream)[0]
            if entry.sequence != last + 1:
                return Conflict(stream, entry.sequence - 1, last)
            expected[stream] = entry.sequence
        self.accepts_clock |= append.accepts_clock_after is not None
        append.stored = [
            self._add_entry(entry, *encoded)
            for entry, encoded in zip(entries, append.encoded, strict=True)
        ]
        if append.index_terms:
            stored = {(s.entry.stream, s.entry.sequence): s for s in append.stored}
            for term in append.index_terms:
                self.add_index_term(stored[term.stream, term.sequence], term.word, term.number)
        for snapshot in append.snapshots:
            # A snapshot is dated by the entry that follows it.
            following = (snapshot.stream, snapshot.sequence + 1)
            times = [entry.at for entry in entries if (entry.stream, entry.sequence) == following]
            self._add_snapshot(snapshot, *(times or [entries[0].at]))
        return None

    def add_index_term(self, stored: StoredEntry, word: str, number: int) -> None:
        """Add an index term of an entry of this transaction."""
        row = (stored.position, word, number, self._number(stored.entry.stream))
        self.rows["mark"].append(row)

    def tip(self, stream: str) -> StreamTip:
        """The tip of a stream, including the rows of this transaction."""
        tip = self.tips.get(stream) or self.cache.tips.get(stream)
        if tip is None:
            tip = self.tips[stream] = read_stream_tip(self.query, stream)
        return tip

    def _add_entry(self, entry: Entry, id: bytes, packed: bytes) -> StoredEntry:
        stream, sequence, _, at, _ = entry
        self.latest = max(self.latest, at)
        previous = self.tip(stream)[1]
        leaf = entry_leaf_hash(entry, self.time, previous)
        position = self.frontier.size
        if completed := self.frontier.append(leaf):
            self.rows["node"] += completed
        number = self._number(stream)
        self.rows["entry"].append(
            (position, sequence, at, self.time, number, LATEST_DICTIONARY, id, leaf, packed)
        )
        self.tips[stream] = (sequence, leaf)
        return StoredEntry(entry, position, self.time, previous, leaf)

    def _add_snapshot(self, taken: Snapshot, at: int) -> None:
        """Add a snapshot and an entry that records it, so that forged snapshots are detected."""
        data = taken.text.encode()
        body = snapshot_body(taken.stream, taken.sequence, taken.schema, data)
        sequence = self.tip(SNAPSHOT_STREAM)[0] + 1
        entry = Entry(SNAPSHOT_STREAM, sequence, f"@{sequence}", at, body)
        position = self._add_entry(entry, encode_id(entry.id), compress(body)).position
        number = self._number(taken.stream)
        self.rows["snapshot"].append(
            (number, taken.sequence, taken.schema, position, compress_snapshot(data))
        )

    def _number(self, stream: str) -> int:
        numbers = self.cache.streams
        if stream not in numbers:
            rows = self.query("SELECT number FROM stream WHERE name = ?", (stream,))
            if rows:
                numbers[stream] = rows[0][0]
            else:
                ((last,),) = self.query("SELECT coalesce(max(number), 0) FROM stream", ())
                numbers[stream] = last + len(self.rows["stream"]) + 1
                self.rows["stream"].append((numbers[stream], stream))
        return numbers[stream]

    def finish(self) -> dict[str, list[Row]]:
        """All rows by table, with the tree head."""
        self.head = TreeHead(self.frontier.size, self.frontier.root(), self.time)
        self.rows["head"] = [self.head]
        return self.rows

    def updated_cache(self) -> HeadCache:
        """The cache after the transaction has been committed."""
        cache = self.cache
        cache.head, cache.frontier = self.head, self.frontier
        cache.tips |= self.tips
        return cache


def snapshot_body(stream: str, sequence: int, schema: int, data: bytes) -> bytes:
    """The body of the entry that records a snapshot."""
    digest = sha256(data).hexdigest()
    return encode_canonical(
        {"digest": digest, "schema": schema, "sequence": sequence, "stream": stream}
    )


def _read_cache(head: TreeHead, query: Query) -> HeadCache:
    """A cache of the current database; Damaged if the entries do not match the tree head."""
    cache = HeadCache()
    cache.head, cache.frontier = head, StoredTree(query).frontier(head.size)
    beyond = query("SELECT count(*) FROM entry WHERE position >= ?", (head.size,))[0][0]
    if beyond or cache.frontier.root() != head.root:
        problem = "the tree head contradicts the entries; nothing more is written"
        raise Damaged(TREE, head.size, problem)
    return cache
