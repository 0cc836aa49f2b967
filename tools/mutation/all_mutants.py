"""All mutants there are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from tools.mutation.citations import citations
from tools.mutation.figures import figures
from tools.mutation.layouts import layouts
from tools.mutation.mutant import Mutant
from tools.mutation.outcomes import issues, outcomes
from tools.mutation.refusals import Observed, refusals
from tools.mutation.roles import roles
from tools.mutation.round_rules import rounds
from tools.mutation.steps import steps

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
