"""Integrity check of a log: hashes, tree heads, and the database that holds them.

The log is checked at one tree head, while others may keep appending. The database alone cannot
reveal an older copy, a truncated tail or a complete rewrite; a saved checkpoint can.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

import msgspec

from croupier.ledger.errors import Damaged, LedgerError, place, printable
from croupier.ledger.log import compression
from croupier.ledger.log.database import schema_check
from croupier.ledger.log.database.seal import read_seal
from croupier.ledger.log.store import Store
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.stored_tree import LEVEL_STEP, TREE, Frontier, TreeHead

PROBLEMS_MAX = 50  # reported at most
DATABASE = "@database"  # pseudo stream that problems of the database are reported under


class LogProblem(msgspec.Struct, frozen=True, order=True):
    """A problem with an entry; sequence 0 means the stream as a whole."""

    stream: str
    sequence: int
    what: str

    def __str__(self) -> str:
        return f"{place(self.stream, self.sequence)}: {self.what}"


def check(
    store: Store, head: TreeHead, checkpoint: Checkpoint | None = None
) -> Iterator[LogProblem]:
    """Check a store at a tree head, and that it extends a checkpoint.

    Entries are checked where they are read: `Store.read` and `Store.scan` verify their hashes.
    """
    for stream, found in (
        (DATABASE, _check_seal(store)),
        (DATABASE, _check_database(store)),
        (TREE, _check_tree(store, head)),
        (TREE, _check_houses(store)),
        (TREE, (LogProblem(*snapshot) for snapshot in store.unverified_snapshots())),
        (TREE, _check_extends(store, checkpoint)),
    ):
        yield from islice(_as_problems(stream, found), PROBLEMS_MAX)


def _as_problems(stream: str, found: Iterator[str | LogProblem]) -> Iterator[LogProblem]:
    """Problems as they are found; an error ends a check, but not those after it."""
    try:
        for problem in found:
            yield LogProblem(stream, 0, problem) if isinstance(problem, str) else problem
    except Damaged as error:
        yield LogProblem(error.stream, error.sequence, error.problem)
    except LedgerError as error:
        yield LogProblem(DATABASE, 0, str(error))
    except (TypeError, ValueError, AttributeError) as error:
        yield LogProblem(DATABASE, 0, f"has a value of the wrong type: {printable(str(error))}")


def _check_seal(store: Store) -> Iterator[str]:
    """An SQLite file still has every commit that its seal confirms."""
    sealed = read_seal(store.address.file) if store.address.file is not None else None
    if sealed and (problem := store.tree.extension_problem(sealed.size, sealed.root)):
        yield f"does not have what its seal confirms: {problem}"


def _check_database(store: Store) -> Iterator[str]:
    """SQLite's own integrity, the schema, and the compression dictionaries."""
    if store.dialect == "sqlite":
        for (message,) in store.query("PRAGMA integrity_check(20)"):
            if message != "ok":
                yield f"SQLite reports: {printable(str(message))}"
    yield from schema_check.find_drift(store)
    known = range(1, compression.LATEST_DICTIONARY + 1)
    for number, data in store.query("SELECT number, data FROM dictionary"):
        if number not in known or data != compression.load_dictionary(number):
            yield f"dictionary {number} differs from the one that ships with Croupier"


def _check_tree(store: Store, head: TreeHead) -> Iterator[str | LogProblem]:
    """Leaf hashes, stored nodes and tree heads agree, and streams have no gaps."""
    statement = "SELECT (SELECT max(position) FROM entry), (SELECT max(size) FROM head)"
    last, size = store.query(statement)[0]  # one statement, since others may be writing
    if (last if last is not None else -1) + 1 != (size or 0):
        yield f"the last entry is at {last}, the latest tree head has size {size}"
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
    leaves = "SELECT position, stream, sequence, time, leaf FROM entry"
    for position, stream, sequence, time, leaf in store.paged(leaves, "position", -1, head.size):
        if position != frontier.size:
            yield f"the entry at position {frontier.size} is missing"
            return
        if sequence != sequences.get(stream, 0) + 1:
            yield f"the entry at position {position} is out of order in its stream"
        sequences[stream] = sequence
        for level, number, node in frontier.append(leaf):
            nodes[level, number] = node
        if position == last_size and time <= committed:
            yield f"the commit after tree head {position} is not later than it"
        if position != last_size and time != committed:
            yield f"the tree head of size {position} is missing"
        committed = time
        if following is not None and following.size == frontier.size:
            if following.root != frontier.root():
                yield f"tree head {following.size} contradicts the entries before it"
                return
            if following.time != time:
                yield f"tree head {following.size} has another time than its entries"
            last_size = following.size
            following = next(heads, None)
    if frontier.size != head.size or following is not None:
        yield f"there are {frontier.size} entries, the tree head has size {head.size}"
    yield from _check_nodes(store, nodes, head.size)


def _check_nodes(store: Store, nodes: dict[tuple[int, int], bytes], size: int) -> Iterator[str]:
    stored = {(level, number): node for level, number, node in store.query("SELECT * FROM node")}
    now = store.head().size
    for level, number in sorted(nodes.keys() | stored.keys()):
        end = (number + 1) << level if 0 <= level < 63 else 0
        if size < end <= now and level % LEVEL_STEP == 0:
            continue  # completed after this head
        if nodes.get((level, number)) != stored.get((level, number)):
            yield f"the stored hash of level {level}, number {number}, is wrong"


def _check_houses(store: Store) -> Iterator[LogProblem]:
    """Every stored House has the digest of its terms."""
    for digest, text in store.houses().items():
        if sha256(text.encode()).hexdigest() != digest:
            problem = "the stored terms do not have this digest"
            yield LogProblem(f"house:{digest[:12]}", 0, problem)


def _check_extends(store: Store, checkpoint: Checkpoint | None) -> Iterator[str]:
    """The log extends a checkpoint."""
    problem = checkpoint and store.tree.extension_problem(checkpoint.size, checkpoint.root)
    if problem:
        yield f"the record does not extend the checkpoint: {problem}"
