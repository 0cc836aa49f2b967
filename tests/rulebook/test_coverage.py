"""The record of proofs is current: every claim is in it, and it names only tests that exist."""

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
    """What the collected tests claim stands in proofs.csv; `make proofs` writes it."""
    claimed = request.config.stash[CLAIMED]
    missing = {
        (game, clause)
        for (game, clause), tests in claimed.items()
        if game in GAMES and not tests <= set(proofs(game).get(clause, ()))
    }

    assert set() == missing, "run `make proofs`"


def test_every_recorded_test_exists() -> None:
    """A test that was renamed or removed proves nothing; `make proofs` drops it."""
    for found in map(proofs, GAMES):
        for test in (test for tests in found.values() for test in tests):
            file, _, name = test.partition("::")
            text = (ROOT / file).read_text("utf-8") if (ROOT / file).exists() else ""
            assert f"def {name.rpartition('::')[2]}(" in text, f"{test}: run `make proofs`"


def test_only_known_clauses_are_proved() -> None:
    """A claim names a clause of the documents."""
    for game in GAMES:
        assert set(proofs(game)) <= {clause.id for clause in clauses(game)}


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_claimed(game: str) -> None:
    """All that software can enforce, record or draw."""
    asked = {clause.id for clause in clauses(game)}

    assert asked <= set(proofs(game))


def test_standings_follow_from_the_evidence() -> None:
    """`coverage.csv` has what the mutation results show, clause by clause."""
    for game in catalogue():
        recorded = {clause.id: standing(game.key, clause) for clause in clauses(game.key)}

        assert standings(game.document) == recorded, "run `make proofs`"


def test_every_clause_has_its_nature() -> None:
    """Each is of one, and the rules name only clauses that there are."""
    for game in GAMES:
        known = coverage(game)
        parts = [known.of(standing) for standing in STANDINGS]
        assert sorted(map(str, clauses(game))) == sorted(str(c) for part in parts for c in part)
    for rule in _nature_rules():
        for game, listed in rule.clauses.items():
            assert set(listed.split()) <= {clause.id for clause in clauses(game)}, rule.why


HELPER = "tests/support/rounds.py"  # has `refuses`, which compares the clause


def test_every_refusal_that_a_test_expects_names_its_clause() -> None:
    """`refuses(clause)` or `Floor.refused(..., clause)`: nobody is content with some refusal."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        shown = path.relative_to(ROOT).as_posix()
        if shown != HELPER and path != Path(__file__):
            assert "raises(Refusal" not in path.read_text("utf-8"), f"{shown}: use `refuses`"


ASSERTING = ("refused", "refuses", "raises", "check")


def asserts(file: str, name: str) -> bool:
    """Whether a test, or a function of its file that it calls, says what must be true."""
    functions = {
        node.name: node
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    waiting, seen = [name], set[str]()
    while waiting:
        here = functions.get(waiting.pop())
        for node in ast.walk(here) if here is not None else ():
            if isinstance(node, ast.Assert):
                return True
            called = getattr(node, "func", None)
            word = getattr(called, "attr", getattr(called, "id", ""))
            if word in ASSERTING or word.startswith("assert_"):
                return True
            if word in functions and word not in seen:
                seen.add(word)
                waiting.append(word)
    return False


def test_whoever_claims_a_clause_asserts_something() -> None:
    """A driver that only plays on cites clauses by the hundred; that is no claim."""
    found = {test for game in GAMES for tests in proofs(game).values() for test in tests}
    silent = {
        test for test in found if not asserts(*test.split("::")[:: len(test.split("::")) - 1])
    }

    assert set() == silent
