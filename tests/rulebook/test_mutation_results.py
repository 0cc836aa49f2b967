"""The mutation results are current: every mutant was run, and the tests that caught it exist.

`make mutants MUTANTS=--new` runs new mutants; `make mutants` runs all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from croupier.rulebook import coverage
from croupier.rulebook.coverage import STANDINGS
from tests.support.paths import ROOT
from tools.mutation import equipment, figures, order_of_acts, results
from tools.mutation.all_mutants import OBSERVED_ONLY, names
from tools.mutation.mutant import Mutant, our_games

pytestmark = pytest.mark.xdist_group("mutants")  # listed once


def test_every_mutant_was_judged() -> None:
    """Every mutant has a result, or is excused with a reason."""
    judged = {result.mutant for result in results.read()}
    excused = results.survivors()
    new = {
        name
        for name in names() - judged
        if not any(survivor.matches(name, "*") for survivor in excused)
    }

    assert set() == new, "run `make mutants MUTANTS=--new`"


@pytest.mark.parametrize(
    ("module", "table", "row", "mutants"),
    [
        (equipment, "CONDITIONS", ("table/parts/decks/stub.py", "gone", ()), equipment.equipment),
        (
            equipment,
            "LISTS",
            ("table/parts/decks/stub.py", "count", "gone", ()),
            equipment.equipment,
        ),
        (figures, "IN_FUNCTIONS", ("table/parts/decks/stub.py", "count", 52, ()), figures.numbers),
        (order_of_acts, "SURVIVED", ("gone", ()), order_of_acts.order_of_acts),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_without_a_mutant_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    table: str,
    row: tuple[object, ...],
    mutants: Callable[[], Iterator[Mutant]],
) -> None:
    """A row that names a function or node that is elsewhere by now is never skipped."""
    monkeypatch.setattr(module, table, (row,))

    with pytest.raises(LookupError, match=r"croupier/table/parts/\S+: nothing in `(gone|count)`"):
        list(mutants())


def test_no_mutant_of_the_record_is_gone() -> None:
    """Every result belongs to a mutant that still exists."""
    current = names()
    gone = {
        result.mutant
        for result in results.read()
        if result.mutant not in current and result.mutant.split()[0] not in OBSERVED_ONLY
    }

    assert set() == gone, "run `make mutants`"


def test_every_excuse_is_needed() -> None:
    """Every excuse names an existing mutant and has a reason."""
    current = names()
    for survivor in results.survivors():
        if survivor.mutant.split()[0] not in OBSERVED_ONLY:
            assert any(survivor.matches(name, "*") for name in current), survivor.mutant
        assert len(survivor.reason) > 20, survivor.mutant


def test_what_caught_a_mutant_still_exists() -> None:
    """The results name only existing tests."""
    for test in {result.test for result in results.read()}:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
        assert f"def {name}(" in text, f"{test}: run `make mutants`"


def test_no_clause_is_open() -> None:
    """Each of the 1,465 clauses is enforced, recorded or defined."""
    covered = [coverage(game.key) for game in our_games()]

    assert [] == [str(clause) for game in covered for clause in game.open]
    assert 1465 == sum(len(game.of(standing)) for game in covered for standing in STANDINGS)
