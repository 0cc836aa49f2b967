"""Every registered violation is refused under its clause and changes nothing."""

from __future__ import annotations

import pytest

from tests.clauses.attended.violations import (
    card_violations,
    regulation_violations,
    round_violations,
)
from tests.clauses.attended.violations.violation import VIOLATIONS, Violation

assert (
    card_violations and round_violations and regulation_violations
)  # importing them registers their violations


def marked(case: Violation) -> object:
    """A violation as a parameter that claims its clause."""
    law = case.clause[:1].isalpha()
    mark = pytest.mark.upholds(case.clause) if law else pytest.mark.proves(case.game, case.clause)
    return pytest.param(case, id=f"{case.name}-{case.game}", marks=mark)


@pytest.mark.parametrize("case", [marked(case) for case in VIOLATIONS])
def test_a_violation_is_refused(case: Violation) -> None:
    """The refusal cites the clause against the violation."""
    floor, command, by = case.do(case.game)
    floor.refused(command, by, case.clause)
