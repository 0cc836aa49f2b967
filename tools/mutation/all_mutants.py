"""All mutants."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from tools.mutation.citations import citations
from tools.mutation.equipment import equipment
from tools.mutation.figures import figures
from tools.mutation.layouts import layouts
from tools.mutation.mutant import Mutant
from tools.mutation.order_of_acts import order_of_acts
from tools.mutation.outcomes import issues, outcomes
from tools.mutation.refusals import Observed, refusals
from tools.mutation.roles import roles
from tools.mutation.round_rules import rounds
from tools.mutation.steps import steps

KINDS = ("refusal", "role", "figure", "step", "outcome", "layout", "issue", "citation")
# Observed only while a submission is validated, so they cannot be listed without running tests.
OBSERVED_ONLY = ("issue",)


class Observations(msgspec.Struct):
    """What was cited while the tests ran: refusals by line, issues of submissions."""

    refusals: Observed = {}
    issues: Observed = {}


def every(seen: Observations) -> Iterator[Mutant]:
    """All mutants, given the observations of the baseline run."""
    yield from refusals(seen.refusals)
    yield from roles()
    yield from figures()
    yield from steps()
    yield from outcomes()
    yield from rounds()
    yield from equipment()
    yield from order_of_acts()
    yield from layouts()
    yield from issues(seen.issues)
    yield from citations()


@cache
def names() -> frozenset[str]:
    """The ids of all mutants that can be listed without running tests."""
    return frozenset(mutant.id for mutant in every(Observations()))
