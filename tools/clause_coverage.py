"""Writes the `coverage.csv` of each game: one row per clause with its standing and its tests.

A clause is enforced only if a test that claims it caught a mutant of its rule
(`tests/rulebook/caught.csv`, written by `make mutants`); a claim alone proves nothing. An act that
is only logged is recorded if a test caught a wrong citation.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from croupier.rulebook import Clause, RuleDocument, clauses, nature
from croupier.rulebook.coverage import Standing
from tests.support.paths import ROOT

CAUGHT = ROOT / "tests" / "rulebook" / "caught.csv"
CITATION = "citation "  # mutants of this kind break only the citation
HEADER = ("clause", "standing", "tests")
Claims = Mapping[tuple[str, str], Iterable[str]]  # the tests by game and clause


def caught_clauses(game: str, *, citations: bool) -> set[str]:
    """Clauses of which a test caught a violation, or a wrong citation."""
    with CAUGHT.open(newline="", encoding="utf-8") as file:
        return {
            clause
            for row in csv.DictReader(file)
            if row["group"] == game and row["mutant"].startswith(CITATION) == citations
            for clause in row["clauses"].split()
        }


def standings(book: RuleDocument) -> dict[str, Standing]:
    """The standing of every clause; results of mutants take precedence over its nature."""
    broken = caught_clauses(book.game, citations=False)
    miscited = caught_clauses(book.game, citations=True)

    def standing(clause: Clause) -> Standing:
        if clause.id in broken:
            return "enforced"
        kind = nature(clause)
        if kind == "defined":
            return "defined"
        return "recorded" if kind == "recorded" and clause.id in miscited else "open"

    return {clause.id: standing(clause) for clause in clauses(book)}


def write(book: RuleDocument, path: Path, claims: Claims) -> None:
    """Write the coverage of one game to a file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for clause, standing in standings(book).items():
            tests = " ".join(sorted(claims.get((book.game, clause), ())))
            writer.writerow((clause, standing, tests))
