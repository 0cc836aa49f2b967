"""The retry loop of optimistic concurrency control."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from croupier.ledger.errors import Conflict, StoreFailed

ATTEMPTS_MAX = 100

T = TypeVar("T")


def retry_on_conflict(
    attempt: Callable[[int], T],
    stream: str,
    *,
    attempts: int = ATTEMPTS_MAX,
    on_conflict: Callable[[Conflict], None] = lambda conflict: None,
) -> T:
    """Call `attempt` until it commits, and return its result.

    An attempt reads the current state, decides and appends. `Conflict` means that another writer
    appended first: the decision is stale and has to be made again. `attempt` gets its number,
    counting from 0; `on_conflict` runs between attempts, to read what was appended. After
    `attempts` conflicts in a row StoreFailed is raised, naming `stream`.
    """
    for number in range(attempts):
        try:
            return attempt(number)
        except Conflict as conflict:
            on_conflict(conflict)
    raise StoreFailed(f"{stream}: other writers appended first {attempts} times in a row")
