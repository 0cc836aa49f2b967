"""Whether a log is whole: every entry, every hash, every head, and the database around them.

It is checked as it stood at one head, while others go on appending. What no check of a database
alone can see, an older copy, a cut tail, a rewrite from end to end, a kept checkpoint shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice

import msgspec

from croupier.ledger.errors import Damaged, LedgerError, NotFound, StoreFailed, place, printable
from croupier.ledger.log import compression
from croupier.ledger.log.database import schema_check, sqlite_wal
from croupier.ledger.log.database.url import Address, Place, parse
from croupier.ledger.log.entry import Stored
from croupier.ledger.log.reader import FAR
from croupier.ledger.log.store import Store
from croupier.ledger.log.transfer.loader import Marks
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.merkle import LEVEL_STEP, Frontier
from croupier.ledger.log.transparency.stored_tree import TREE, Head

PROBLEMS_MAX = 50  # more of them help nobody
DATABASE = "@database"
_PAGE, _STRETCH = 20_000, 2_000

Progress = Callable[[int], None]  # told how many entries have been checked so far


class LogProblem(msgspec.Struct, frozen=True, order=True):
    """Something that is wrong, and with which entry; sequence 0 is the stream as a whole."""

    stream: str
    sequence: int
    what: str

    def __str__(self) -> str:
        return f"{place(self.stream, self.sequence)}: {self.what}"


class LogVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of a log found, and up to where it looked."""

    head: Head
    problems: tuple[LogProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        if self.ok:
            return f"verified: {self.head.size:,} entries, root {self.head.root.hex()}"
        return "\n".join(["NOT verified", *map(str, self.problems)])


def verify(
    place: Place,
    *,
    marks: Marks | None = None,
    kept: Checkpoint | None = None,
    progress: Progress | None = None,
) -> LogVerdict:
    """Check a database that is only read; whatever is wrong with it is said, not raised.

    `marks` derives what entries are found by, to be compared with what is stored; `kept` is a
    checkpoint that the log must extend.
    """
    address = parse(place)
    found: list[LogProblem] = list(check_file(address))
    try:
        with Store(address, create=False, readonly=True, damaged=True) as store:
            return check(store, marks=marks, kept=kept, progress=progress, found=found)
    except (StoreFailed, NotFound) as error:
        if isinstance(error, NotFound) and not found:
            raise
        return LogVerdict(
            head=Head(0, bytes(32), 0), problems=(*found, LogProblem(DATABASE, 0, str(error)))
        )


def check_file(address: Address) -> Iterator[LogProblem]:
    """The file of an SQLite ledger as it lies there; nothing for a file that does not exist."""
    file = address.file
    if file is None or not file.is_file():
        return
    try:
        for what in sqlite_wal.problems(file):
            yield LogProblem(DATABASE, 0, what)
    except OSError as error:
        yield LogProblem(DATABASE, 0, f"{printable(str(file))} cannot be read: {error.strerror}")


def check(
    store: Store,
    *,
    head: Head | None = None,
    marks: Marks | None = None,
    kept: Checkpoint | None = None,
    progress: Progress | None = None,
    found: list[LogProblem] | None = None,
    entries: bool = True,
) -> LogVerdict:
    """Check an open store as it stands now, or as it stood at a head.

    `entries=False` leaves out the reading of every body, for callers that read them anyhow.
    """
    problems = found if found is not None else []
    upto = head if head is not None else Head(0, bytes(32), 0)
    parts: list[Callable[[], Iterator[LogProblem]]] = [
        lambda: check_database(store),
        lambda: check_tree(store, upto),
        lambda: check_houses(store),
        lambda: check_snapshots(store),
    ]
    if entries:
        parts.insert(2, lambda: check_entries(store, upto.size, marks, progress))
    if kept is not None:
        known = kept
        parts.append(lambda: check_kept(store, known))
    try:
        if head is None:
            upto = store.head()
        for part in parts:
            problems += islice(_careful(part), PROBLEMS_MAX)
    except LedgerError as error:
        problems.append(LogProblem(DATABASE, 0, str(error)))
    return LogVerdict(head=upto, problems=tuple(sorted(set(problems)))[:PROBLEMS_MAX])


def _careful(part: Callable[[], Iterator[LogProblem]]) -> Iterator[LogProblem]:
    """A check that cannot go on says so, and the others go on."""
    try:
        yield from part()
    except Damaged as error:
        yield LogProblem(error.stream, error.sequence, error.problem)
    except LedgerError as error:
        yield LogProblem(DATABASE, 0, str(error))
    except (TypeError, ValueError, AttributeError) as error:
        yield LogProblem(DATABASE, 0, f"holds what does not belong there: {printable(str(error))}")


def check_database(store: Store) -> Iterator[LogProblem]:
    """The database's own check, its structure, and the dictionaries that entries need."""
    if store.dialect == "sqlite":
        for (told,) in store.ask("PRAGMA integrity_check(20)"):
            if told != "ok":
                yield LogProblem(DATABASE, 0, f"SQLite finds: {printable(str(told))}")
    for what in schema_check.problems(store):
        yield LogProblem(DATABASE, 0, what)
    for number, data in store.ask("SELECT number, data FROM dictionary"):
        if not 1 <= number <= compression.NEWEST or data != compression.dictionary(number):
            yield LogProblem(
                DATABASE, 0, f"dictionary {number} is not the one that Croupier came with"
            )


def check_tree(store: Store, head: Head) -> Iterator[LogProblem]:
    """Leaves, kept subtrees and heads against one another, and every stream without a gap."""
    statement = "SELECT (SELECT max(position) FROM entry), (SELECT max(size) FROM head)"
    last, size = store.ask(statement)[0]  # at one moment, though others are writing
    if (last if last is not None else -1) + 1 != (size or 0):
        yield LogProblem(TREE, 0, f"the entries go up to {last}, the newest head stands for {size}")
    frontier, nodes = Frontier(), dict[tuple[int, int], bytes]()
    sequences: dict[int, int] = {}
    heads = store.heads(until=head.size)
    following: Head | None = next(heads, None)
    time = 0
    for position, stream, sequence, leaf in _leaves(store, head.size):
        if position != frontier.size:
            yield LogProblem(TREE, 0, f"the entry at position {frontier.size} is missing")
            return
        if sequence != sequences.get(stream, 0) + 1:
            yield LogProblem(
                TREE, 0, f"the entry at position {position} is out of its stream's order"
            )
        sequences[stream] = sequence
        for level, number, node in frontier.append(leaf):
            nodes[level, number] = node
        if following is not None and following.size == frontier.size:
            if following.root != frontier.root():
                yield LogProblem(
                    TREE, 0, f"head {following.size} contradicts the entries before it"
                )
                return
            if following.time < time:
                yield LogProblem(TREE, 0, f"head {following.size} is older than the one before it")
            time = following.time
            following = next(heads, None)
    if frontier.size != head.size or following is not None:
        yield LogProblem(TREE, 0, f"{frontier.size} entries are there, the head names {head.size}")
    yield from _check_nodes(store, nodes, head.size)


def _leaves(store: Store, size: int) -> Iterator[tuple[int, int, int, bytes]]:
    start = 0
    while start < size:
        page = store.ask(
            "SELECT position, stream, sequence, leaf FROM entry"
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
    stored = {(level, number): node for level, number, node in store.ask("SELECT * FROM node")}
    now = store.head().size
    for level, number in sorted(nodes.keys() | stored.keys()):
        if size < (number + 1) << level <= now and level % LEVEL_STEP == 0:
            continue  # completed since
        if nodes.get((level, number)) != stored.get((level, number)):
            told = f"the kept hash of level {level}, number {number}, is wrong"
            yield LogProblem(TREE, 0, told)


def check_entries(
    store: Store, size: int, marks: Marks | None = None, progress: Progress | None = None
) -> Iterator[LogProblem]:
    """Every body, by its hash; a damaged one is named and the rest is read on."""
    start = 0
    while start < size:
        try:
            end = min(start + _STRETCH, size)
            found = store.marks(start, end) if marks is not None else {}
            for stored in store.scan(start, end):
                if marks is not None:
                    yield from check_marks(found.get(stored.position, set()), stored, marks)
                start = stored.position + 1
        except Damaged as error:
            yield LogProblem(error.stream, error.sequence, error.problem)
            start += 1
        if progress:
            progress(start)
    if marks is not None:
        for position in store.marks(size, FAR):
            if position >= store.head().size:
                yield LogProblem(TREE, 0, f"a mark leads to position {position}, beyond the log")


def check_marks(
    found: set[tuple[str, str, int]], stored: Stored, marks: Marks
) -> Iterator[LogProblem]:
    """An entry is found by what its body says, and by nothing else."""
    right = {(stored.entry.stream, word, number) for word, number in marks(stored)}
    if found != right:
        what = f"is found by {sorted(map(str, found))}, should be by {sorted(map(str, right))}"
        yield LogProblem(stored.entry.stream, stored.entry.sequence, printable(what))


def check_houses(store: Store) -> Iterator[LogProblem]:
    """Every House has the digest of its terms."""
    for digest, text in store.houses().items():
        if sha256(text.encode()).hexdigest() != digest:
            told = "the stored terms do not have this digest"
            yield LogProblem(f"house:{digest[:12]}", 0, told)


def check_snapshots(store: Store) -> Iterator[LogProblem]:
    """Every snapshot is one that the log says was taken; others are never used, but are named."""
    for stream, sequence, problem in store.odd_snapshots():
        yield LogProblem(stream, sequence, problem)


def check_kept(store: Store, kept: Checkpoint) -> Iterator[LogProblem]:
    """The log extends a kept checkpoint."""
    problem = store.tree.extends(kept.size, kept.root)
    if problem:
        yield LogProblem(TREE, 0, f"the record does not extend the kept checkpoint: {problem}")
