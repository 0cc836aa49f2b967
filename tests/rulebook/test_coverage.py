"""The coverage files are current: they list every claim, and only tests that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from croupier.games import catalogue
from croupier.rulebook import clauses, coverage, proofs
from croupier.rulebook.coverage import STANDINGS, _nature_rules, standing
from tests.conftest import CLAIMED
from tests.support.paths import ROOT
from tools.clause_coverage import standings

GAMES = tuple(game.key for game in catalogue())


def test_every_claim_is_recorded(request: pytest.FixtureRequest) -> None:
    """coverage.csv lists every clause that a collected test claims."""
    claimed = request.config.stash[CLAIMED]
    missing = {
        (game, clause)
        for (game, clause), tests in claimed.items()
        if game in GAMES and not tests <= set(proofs(game).get(clause, ()))
    }

    assert set() == missing, "run `make proofs`"


def test_every_recorded_test_exists() -> None:
    """coverage.csv lists only existing tests."""
    for by_clause in map(proofs, GAMES):
        for test in (test for tests in by_clause.values() for test in tests):
            file, _, name = test.partition("::")
            text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
            assert f"def {name.rpartition('::')[2]}(" in text, f"{test}: run `make proofs`"


def test_only_known_clauses_are_proved() -> None:
    """A claim names a clause of the documents."""
    for game in GAMES:
        assert set(proofs(game)) <= {clause.id for clause in clauses(game)}


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_claimed(game: str) -> None:
    """Every clause is claimed by a test."""
    expected = {clause.id for clause in clauses(game)}

    assert expected <= set(proofs(game))


def test_standings_follow_from_the_evidence() -> None:
    """coverage.csv agrees with the mutation results."""
    for game in catalogue():
        recorded = {clause.id: standing(game.key, clause) for clause in clauses(game.key)}

        assert standings(game.document) == recorded, "run `make proofs`"


def test_every_clause_has_its_nature() -> None:
    """Every clause has one standing, and the nature rules name only existing clauses."""
    for game in GAMES:
        known = coverage(game)
        parts = [known.of(standing) for standing in STANDINGS]
        assert sorted(map(str, clauses(game))) == sorted(str(c) for part in parts for c in part)
    for rule in _nature_rules():
        for game, listed in rule.clauses.items():
            assert set(listed.split()) <= {clause.id for clause in clauses(game)}, rule.why


HELPER = "tests/support/rounds.py"  # has `refuses`, which compares the clause


def test_every_refusal_that_a_test_expects_names_its_clause() -> None:
    """Tests use `refuses(clause)` or `Floor.refused(..., clause)`, never `raises(Refusal)`."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name != HELPER and path != Path(__file__):
            assert "raises(Refusal" not in path.read_text("utf-8"), f"{name}: use `refuses`"


ASSERTING = ("refused", "refuses", "raises", "check")


def asserts(file: str, name: str) -> bool:
    """Return whether a test, or a function of its file that it calls, has an assertion."""
    functions = {
        node.name: node
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    pending, seen = [name], set[str]()
    while pending:
        function = functions.get(pending.pop())
        for node in ast.walk(function) if function is not None else ():
            if isinstance(node, ast.Assert):
                return True
            called = getattr(node, "func", None)
            callee = getattr(called, "attr", getattr(called, "id", ""))
            if callee in ASSERTING or callee.startswith("assert_"):
                return True
            if callee in functions and callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return False


def test_every_test_that_claims_a_clause_asserts_something() -> None:
    """A test that only plays a round cites many clauses without proving them."""
    claiming = {test for game in GAMES for tests in proofs(game).values() for test in tests}
    silent = {
        test for test in claiming if not asserts(*test.split("::")[:: len(test.split("::")) - 1])
    }

    assert set() == silent
