"""All mutants there are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from tests.mutants.citations import citations
from tests.mutants.figures import figures
from tests.mutants.layouts import layouts
from tests.mutants.mutant import Mutant
from tests.mutants.outcomes import issues, outcomes
from tests.mutants.refusals import Observed, refusals
from tests.mutants.roles import roles
from tests.mutants.rounds import rounds
from tests.mutants.steps import steps

KINDS = ("refusal", "role", "figure", "step", "outcome", "layout", "issue", "citation")
# Seen only while a submission is examined, so nobody can list them without running the tests.
OBSERVED_ONLY = ("issue",)


class Seen(msgspec.Struct):
    """What the tests made the rules say: refusals by their line, issues of submissions."""

    refusals: Observed = {}
    issues: Observed = {}


def every(seen: Seen) -> Iterator[Mutant]:
    """Each once."""
    yield from refusals(seen.refusals)
    yield from roles()
    yield from figures()
    yield from steps()
    yield from outcomes()
    yield from rounds()
    yield from layouts()
    yield from issues(seen.issues)
    yield from citations()


@cache
def names() -> frozenset[str]:
    """The ids of all mutants that can be listed without running anything."""
    return frozenset(mutant.id for mutant in every(Seen()))
