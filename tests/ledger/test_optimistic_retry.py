"""The retry loop: again after every conflict, until it commits or gives up."""

from __future__ import annotations

import pytest

from croupier.ledger import Conflict, StoreFailed
from croupier.ledger.optimistic_retry import retry_on_conflict


def test_an_attempt_is_repeated_after_a_conflict() -> None:
    """`on_conflict` runs between the attempts, which are numbered."""
    conflicts: list[Conflict] = []

    def attempt(number: int) -> str:
        if number < 2:
            raise Conflict("table:A", number, number + 1)
        return f"attempt {number}"

    assert "attempt 2" == retry_on_conflict(attempt, "table:A", on_conflict=conflicts.append)
    assert ["table:A", "table:A"] == [conflict.stream for conflict in conflicts]


def test_it_gives_up_after_the_last_attempt() -> None:
    """Other errors are not repeated at all."""
    attempts: list[int] = []

    def attempt(number: int) -> None:
        attempts.append(number)
        raise Conflict("office", 1, 2) if number < 9 else KeyError

    with pytest.raises(StoreFailed, match="office: other writers appended first 3 times in a row"):
        retry_on_conflict(attempt, "office", attempts=3)
    assert [0, 1, 2] == attempts
    with pytest.raises(KeyError):
        retry_on_conflict(attempt, "office")
    assert 9 == attempts[-1]
