"""Integrity check of a log: entries, hashes, tree heads, and the database that holds them.

The log is checked at one tree head, while others may keep appending. The database alone cannot
reveal an older copy, a truncated tail or a complete rewrite; a saved checkpoint can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice

import msgspec

from croupier.ledger.errors import Damaged, LedgerError, StoreFailed, place, printable
from croupier.ledger.log import compression
from croupier.ledger.log.database import schema_check
from croupier.ledger.log.database.seal import read_seal
from croupier.ledger.log.database.url import DatabaseLocation, parse_location
from croupier.ledger.log.entry import StoredEntry
from croupier.ledger.log.reader import UNBOUNDED
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer.loader import IndexFunction, Progress
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.merkle import LEVEL_STEP, Frontier
from croupier.ledger.log.transparency.stored_tree import TREE, TreeHead

PROBLEMS_MAX = 50  # reported at most
DATABASE = "@database"  # pseudo stream that problems of the database are reported under
_PAGE, _RANGE = 20_000, 2_000


class LogProblem(msgspec.Struct, frozen=True, order=True):
    """A problem with an entry; sequence 0 means the stream as a whole."""

    stream: str
    sequence: int
    what: str

    def __str__(self) -> str:
        return f"{place(self.stream, self.sequence)}: {self.what}"


class LogVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check, and the tree head up to which the log was checked."""

    head: TreeHead
    problems: tuple[LogProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no problems."""
        return not self.problems

    def __str__(self) -> str:
        if self.ok:
            return f"verified: {self.head.size:,} entries, root {self.head.root.hex()}"
        return "\n".join(["NOT verified", *map(str, self.problems)])


def verify(
    location: DatabaseLocation,
    *,
    index_terms: IndexFunction | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> LogVerdict:
    """Check a database without writing to it; problems are returned, not raised.

    `index_terms` derives the terms of an entry, to be compared with those stored; `checkpoint` is
    one that the log must extend. NotFound if there is no database.
    """
    address = parse_location(location)
    try:
        with Store(address, create=False, readonly=True, damaged=True) as store:
            return check(store, index_terms=index_terms, checkpoint=checkpoint, progress=progress)
    except StoreFailed as error:
        problem = LogProblem(DATABASE, 0, str(error))
        return LogVerdict(head=TreeHead(0, bytes(32), 0), problems=(problem,))


def check(
    store: Store,
    *,
    head: TreeHead | None = None,
    index_terms: IndexFunction | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
    problems: list[LogProblem] | None = None,
    entries: bool = True,
) -> LogVerdict:
    """Check an open store at its latest tree head, or at an earlier one.

    `problems` are those already known, which the verdict includes. `entries=False` skips reading
    the bodies, for callers that read them anyway.
    """
    problems = problems if problems is not None else []
    upto = head if head is not None else TreeHead(0, bytes(32), 0)
    checks: list[Callable[[], Iterator[LogProblem]]] = [
        lambda: check_seal(store),
        lambda: check_database(store),
        lambda: check_tree(store, upto),
        lambda: check_houses(store),
        lambda: check_snapshots(store),
    ]
    if entries:
        checks.insert(2, lambda: check_entries(store, upto.size, index_terms, progress))
    if checkpoint is not None:
        trusted = checkpoint
        checks.append(lambda: check_extends_checkpoint(store, trusted))
    try:
        if head is None:
            upto = store.head()
        for run_check in checks:
            problems += islice(_errors_as_problems(run_check), PROBLEMS_MAX)
    except LedgerError as error:
        problems.append(LogProblem(DATABASE, 0, str(error)))
    return LogVerdict(head=upto, problems=tuple(sorted(set(problems)))[:PROBLEMS_MAX])


def _errors_as_problems(
    run_check: Callable[[], Iterator[LogProblem]],
) -> Iterator[LogProblem]:
    """Run a check; an error ends it and becomes a problem, so that the other checks still run."""
    try:
        yield from run_check()
    except Damaged as error:
        yield LogProblem(error.stream, error.sequence, error.problem)
    except LedgerError as error:
        yield LogProblem(DATABASE, 0, str(error))
    except (TypeError, ValueError, AttributeError) as error:
        yield LogProblem(DATABASE, 0, f"has a value of the wrong type: {printable(str(error))}")


def check_seal(store: Store) -> Iterator[LogProblem]:
    """Check that an SQLite file still has every commit that its seal confirms."""
    sealed = read_seal(store.address.file) if store.address.file is not None else None
    problem = store.tree.extension_problem(sealed.size, sealed.root) if sealed else ""
    if problem:
        yield LogProblem(DATABASE, 0, f"does not have what its seal confirms: {problem}")


def check_database(store: Store) -> Iterator[LogProblem]:
    """Check SQLite's own integrity, the schema, and the compression dictionaries."""
    if store.dialect == "sqlite":
        for (message,) in store.query("PRAGMA integrity_check(20)"):
            if message != "ok":
                yield LogProblem(DATABASE, 0, f"SQLite reports: {printable(str(message))}")
    for drift in schema_check.find_drift(store):
        yield LogProblem(DATABASE, 0, drift)
    for number, data in store.query("SELECT number, data FROM dictionary"):
        if not 1 <= number <= compression.LATEST_DICTIONARY or data != compression.load_dictionary(
            number
        ):
            yield LogProblem(
                DATABASE, 0, f"dictionary {number} differs from the one that ships with Croupier"
            )


def check_tree(store: Store, head: TreeHead) -> Iterator[LogProblem]:
    """Check leaf hashes, stored nodes and tree heads against each other, and streams for gaps."""
    statement = "SELECT (SELECT max(position) FROM entry), (SELECT max(size) FROM head)"
    last, size = store.query(statement)[0]  # one statement, since others may be writing
    if (last if last is not None else -1) + 1 != (size or 0):
        yield LogProblem(
            TREE, 0, f"the last entry is at {last}, the latest tree head has size {size}"
        )
    for (name,) in store.query(
        "SELECT name FROM stream"
        " WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.stream = stream.number)"
    ):
        yield LogProblem(str(name), 0, "is a stream without entries")
    frontier, nodes = Frontier(), dict[tuple[int, int], bytes]()
    sequences: dict[int, int] = {}
    heads = store.heads(until=head.size)
    following: TreeHead | None = next(heads, None)
    committed, last_size = 0, 0  # time of the last commit, size of the last tree head
    for position, stream, sequence, time, leaf in _leaves(store, head.size):
        if position != frontier.size:
            yield LogProblem(TREE, 0, f"the entry at position {frontier.size} is missing")
            return
        if sequence != sequences.get(stream, 0) + 1:
            yield LogProblem(
                TREE, 0, f"the entry at position {position} is out of order in its stream"
            )
        sequences[stream] = sequence
        for level, number, node in frontier.append(leaf):
            nodes[level, number] = node
        if position == last_size and time <= committed:
            yield LogProblem(TREE, 0, f"the commit after tree head {position} is not later than it")
        if position != last_size and time != committed:
            yield LogProblem(TREE, 0, f"the tree head of size {position} is missing")
        committed = time
        if following is not None and following.size == frontier.size:
            if following.root != frontier.root():
                yield LogProblem(
                    TREE, 0, f"tree head {following.size} contradicts the entries before it"
                )
                return
            if following.time != time:
                yield LogProblem(
                    TREE, 0, f"tree head {following.size} has another time than its entries"
                )
            last_size = following.size
            following = next(heads, None)
    if frontier.size != head.size or following is not None:
        yield LogProblem(
            TREE, 0, f"there are {frontier.size} entries, the tree head has size {head.size}"
        )
    yield from _check_nodes(store, nodes, head.size)


def _leaves(store: Store, size: int) -> Iterator[tuple[int, int, int, int, bytes]]:
    start = 0
    while start < size:
        page = store.query(
            "SELECT position, stream, sequence, time, leaf FROM entry"
            f" WHERE position >= ? AND position < ? ORDER BY position LIMIT {_PAGE}",
            (start, size),
        )
        yield from page
        if len(page) < _PAGE:
            return
        start = page[-1][0] + 1


def _check_nodes(
    store: Store, nodes: dict[tuple[int, int], bytes], size: int
) -> Iterator[LogProblem]:
    stored = {(level, number): node for level, number, node in store.query("SELECT * FROM node")}
    now = store.head().size
    for level, number in sorted(nodes.keys() | stored.keys()):
        end = (number + 1) << level if 0 <= level < 63 else 0
        if size < end <= now and level % LEVEL_STEP == 0:
            continue  # completed after this head
        if nodes.get((level, number)) != stored.get((level, number)):
            problem = f"the stored hash of level {level}, number {number}, is wrong"
            yield LogProblem(TREE, 0, problem)


def check_entries(
    store: Store,
    size: int,
    index_terms: IndexFunction | None = None,
    progress: Progress | None = None,
) -> Iterator[LogProblem]:
    """Verify the hash of every entry; continues after a damaged one."""
    start = 0
    while start < size:
        try:
            end = min(start + _RANGE, size)
            actual = store.index_terms(start, end) if index_terms is not None else {}
            for stored in store.scan(start, end):
                if index_terms is not None:
                    terms = actual.get(stored.position, set())
                    yield from check_index_terms(terms, stored, index_terms)
                start = stored.position + 1
        except Damaged as error:
            yield LogProblem(error.stream, error.sequence, error.problem)
            start += 1
        if progress:
            progress(start)
    if index_terms is not None:
        for position in store.index_terms(size, UNBOUNDED):
            if position >= store.head().size:
                problem = f"an index term refers to position {position}, beyond the log"
                yield LogProblem(TREE, 0, problem)


def check_index_terms(
    actual: set[tuple[str, str, int]], stored: StoredEntry, index_terms: IndexFunction
) -> Iterator[LogProblem]:
    """Check that an entry has exactly the index terms that follow from its body."""
    stream, sequence = stored.entry.stream, stored.entry.sequence
    expected = {(stream, word, number) for word, number in index_terms(stored)}
    if actual != expected:
        problem = f"has index terms {_listed(actual)}, expected {_listed(expected)}"
        yield LogProblem(stream, sequence, printable(problem))


def _listed(terms: set[tuple[str, str, int]]) -> list[str]:
    return sorted(map(str, terms))


def check_houses(store: Store) -> Iterator[LogProblem]:
    """Check that every stored House has the digest of its terms."""
    for digest, text in store.houses().items():
        if sha256(text.encode()).hexdigest() != digest:
            problem = "the stored terms do not have this digest"
            yield LogProblem(f"house:{digest[:12]}", 0, problem)


def check_snapshots(store: Store) -> Iterator[LogProblem]:
    """Report snapshots that the log does not record; they are never used."""
    for stream, sequence, problem in store.unverified_snapshots():
        yield LogProblem(stream, sequence, problem)


def check_extends_checkpoint(store: Store, checkpoint: Checkpoint) -> Iterator[LogProblem]:
    """Check that the log extends a checkpoint."""
    problem = store.tree.extension_problem(checkpoint.size, checkpoint.root)
    if problem:
        yield LogProblem(TREE, 0, f"the record does not extend the checkpoint: {problem}")
