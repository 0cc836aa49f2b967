"""The record of broken rules is current: every mutant was judged, and what caught it still exists.

`make mutants MUTANTS=--new` judges those that no run has seen; `make mutants` judges all anew.
"""

from __future__ import annotations

import pytest

from croupier.rulebook import coverage
from croupier.rulebook.coverage import STANDINGS
from tests.support.paths import ROOT
from tools.mutation import results
from tools.mutation.all_mutants import OBSERVED_ONLY, names
from tools.mutation.mutant import our_games

pytestmark = pytest.mark.xdist_group("mutants")  # listed once


def test_every_mutant_was_judged() -> None:
    """A new refusal, role, figure, step or duty is in the record, or excused with a reason."""
    judged = {one.mutant for one in results.read()}
    excused = results.survivors()
    new = {
        name
        for name in names() - judged
        if not any(survivor.excuses(name, "*") for survivor in excused)
    }

    assert set() == new, "run `make mutants MUTANTS=--new`"


def test_no_mutant_of_the_record_is_gone() -> None:
    """A rule that was changed is broken anew."""
    there = names()
    gone = {
        one.mutant
        for one in results.read()
        if one.mutant not in there and one.mutant.split()[0] not in OBSERVED_ONLY
    }

    assert set() == gone, "run `make mutants`"


def test_every_excuse_is_needed() -> None:
    """It names a mutant that there is, and says why nobody needs to notice it."""
    there = names()
    for survivor in results.survivors():
        if survivor.mutant.split()[0] not in OBSERVED_ONLY:
            assert any(survivor.excuses(name, "*") for name in there), survivor.mutant
        assert len(survivor.reason) > 20, survivor.mutant


def test_what_caught_a_mutant_still_exists() -> None:
    """A test that was renamed or removed catches nothing."""
    for test in {one.test for one in results.read()}:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
        assert f"def {name}(" in text, f"{test}: run `make mutants`"


def test_no_clause_is_open() -> None:
    """Each of the 1,465 clauses is enforced, recorded or defined, and not only cited."""
    found = [coverage(game.key) for game in our_games()]

    assert [] == [str(clause) for each in found for clause in each.open]
    assert 1465 == sum(len(each.of(standing)) for each in found for standing in STANDINGS)
