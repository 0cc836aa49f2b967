"""A check of a log without tables: what an audit checks of the log, and the hash of every entry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from croupier.ledger.errors import Damaged, LedgerError, StoreFailed
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.database.url import DatabaseLocation
from croupier.ledger.log.transparency.check import DATABASE, PROBLEMS_MAX, LogProblem, check
from croupier.ledger.log.transparency.checkpoint import Checkpoint


class LogVerdict(NamedTuple):
    """The problems of a log, and the tree head up to which it was checked."""

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


def check_log(store: Store, checkpoint: Checkpoint | None = None) -> LogVerdict:
    """Check an open store at its latest tree head."""
    head = TreeHead(0, bytes(32), 0)
    problems: list[LogProblem] = []
    try:
        head = store.head()
        problems += check(store, head, checkpoint)
        problems += islice(damaged_entries(store, head.size), PROBLEMS_MAX)
    except LedgerError as error:
        problems.append(LogProblem(DATABASE, 0, str(error)))
    return LogVerdict(head, tuple(sorted(set(problems))))


def damaged_entries(store: Store, size: int) -> Iterator[LogProblem]:
    """Read every entry; continues after a damaged one."""
    start = 0
    while start < size:
        try:
            for stored in store.scan(start, size):
                start = stored.position + 1
        except Damaged as error:
            yield LogProblem(error.stream, error.sequence, error.problem)
            start += 1


def verify(location: DatabaseLocation, checkpoint: Checkpoint | None = None) -> LogVerdict:
    """Check a database without writing to it."""
    try:
        with Store(location, create=False, readonly=True, damaged=True) as store:
            return check_log(store, checkpoint)
    except StoreFailed as error:
        return LogVerdict(TreeHead(0, bytes(32), 0), (LogProblem(DATABASE, 0, str(error)),))
