"""Writes the `coverage.csv` of each game: a row per clause with standing, tests and functions.

A clause is enforced only if a test that claims it caught a mutant of its rule
(`tests/rulebook/caught.csv`, written by `make mutants`); a claim alone proves nothing. Of a clause
with several requirements (`tools/mutation/requirements.toml`), a mutant of each must be caught. A
definition is never enforced. An act that is only logged is recorded if a test caught a wrong
citation.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import msgspec

from croupier.games import DEALING_METHODS
from croupier.rulebook import Clause, RuleDocument, clauses, duties, nature
from croupier.rulebook.coverage import Standing
from tests.support.paths import ROOT

CAUGHT = ROOT / "tests" / "rulebook" / "caught.csv"
REQUIREMENTS = ROOT / "tools" / "mutation" / "requirements.toml"
CITATION = "citation "  # mutants of this kind break only the citation
HEADER = ("clause", "standing", "tests", "functions")
Claims = Mapping[tuple[str, str], Iterable[str]]  # the tests by game and clause
Citations = Iterable[tuple[str, str, str]]  # game, clause and the function that cites it


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of several requirements of a clause, and the mutants that break it."""

    duty: str  # its first clause, with any dealing method
    what: str
    mutant: str  # a pattern
    game: str = "*"  # a pattern

    def clauses(self, book: RuleDocument) -> set[str]:
        """The clauses of a document that have this requirement."""
        index = duties(book) if fnmatchcase(book.game, self.game) else {}
        names = (self.duty, *(f"{self.duty}.{method}" for method in DEALING_METHODS))
        return {index[name][0] for name in names if name in index}


@cache
def requirements() -> tuple[Requirement, ...]:
    """The requirements of clauses that have more than one."""
    listed = tomllib.loads(REQUIREMENTS.read_text("utf-8"))["requirement"]
    return msgspec.convert(listed, tuple[Requirement, ...])


def caught_mutants(game: str, *, citations: bool) -> dict[str, set[str]]:
    """The mutants that a test caught, by clause: of the rules, or of the citations."""
    caught: dict[str, set[str]] = {}
    with CAUGHT.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["group"] == game and row["mutant"].startswith(CITATION) == citations:
                for clause in row["clauses"].split():
                    caught.setdefault(clause, set()).add(row["mutant"])
    return caught


def unbroken(book: RuleDocument) -> dict[str, list[Requirement]]:
    """The requirements of which no mutant was caught, by clause."""
    caught = caught_mutants(book.game, citations=False)
    missing: dict[str, list[Requirement]] = {}
    for requirement in requirements():
        for clause in requirement.clauses(book):
            mutants = caught.get(clause, ())
            if not any(fnmatchcase(mutant, requirement.mutant) for mutant in mutants):
                missing.setdefault(clause, []).append(requirement)
    return missing


def standings(book: RuleDocument) -> dict[str, Standing]:
    """The standing of every clause; results of mutants take precedence over its nature."""
    broken = caught_mutants(book.game, citations=False).keys() - unbroken(book)
    miscited = caught_mutants(book.game, citations=True)

    def standing(clause: Clause) -> Standing:
        kind = nature(clause)
        if clause.id in broken and clause.kind != "definition":
            return "enforced"
        if kind == "defined":
            return "defined"
        return "recorded" if kind == "recorded" and clause.id in miscited else "open"

    return {clause.id: standing(clause) for clause in clauses(book)}


def write(book: RuleDocument, path: Path, claims: Claims, citations: Citations) -> None:
    """Write the coverage of one game to a file."""
    functions: dict[str, list[str]] = {}
    for game, clause, function in sorted(citations):
        if game == book.game:
            functions.setdefault(clause, []).append(function)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for clause, standing in standings(book).items():
            tests = sorted(claims.get((book.game, clause), ()))
            row = (clause, standing, " ".join(tests), " ".join(functions.get(clause, ())))
            writer.writerow(row)
