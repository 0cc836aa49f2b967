"""How far each clause is shown to be kept: enforced, recorded, defined, or still open.

Two records say so. `proofs.csv` (written by `make proofs`) has the tests that claim a clause.
`caught.csv` (written by `make mutants`) has what became of rules that were broken on purpose: only
a clause whose violation was caught by a test that claims it counts as enforced. What a clause asks
for at all, its *nature*, is data: `natures.toml`.
"""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from typing import Any, Literal, TypeAlias

import msgspec

from croupier.rulebook.clauses import Clause, clauses
from croupier.rulebook.document_files import About, RuleDocument, document, folder
from croupier.rulebook.duties import duties

Nature: TypeAlias = Literal["enforced", "recorded", "defined", "drawn"]
Standing: TypeAlias = Literal["enforced", "recorded", "defined", "open"]
STANDINGS: tuple[Standing, ...] = ("enforced", "recorded", "defined", "open")
CITATION = "citation "  # a rule that is only cited wrongly is still kept


class Coverage(msgspec.Struct, frozen=True):
    """The clauses of one game by what is shown of them.

    *Enforced*: a violation is caught. *Recorded*: the act is logged under its clause, there is
    nothing to enforce. *Defined*: a definition or a permission. *Open*: not shown yet.
    """

    game: str
    enforced: tuple[Clause, ...]
    recorded: tuple[Clause, ...]
    defined: tuple[Clause, ...]
    open: tuple[Clause, ...]

    def of(self, standing: Standing) -> tuple[Clause, ...]:
        """The clauses that stand so."""
        found: tuple[Clause, ...] = getattr(self, standing)
        return found


class _Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of `natures.toml`; what it does not ask for fits every clause."""

    nature: Nature
    why: str
    kinds: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    duties: tuple[str, ...] = ()  # acts of every table; their names may go on behind a dot
    clauses: dict[str, str] = {}

    def fits(self, clause: Clause) -> bool:
        if self.clauses:
            return clause.id in self.clauses.get(clause.game, "").split()
        if self.duties:
            return any(
                clause.id in cited and (name + ".").startswith(tuple(f"{d}." for d in self.duties))
                for name, cited in duties(clause.game).items()
            )
        by_kind = not self.kinds or clause.kind in self.kinds
        return by_kind and (not self.proofs or clause.proof in self.proofs)


@cache
def _rules() -> tuple[_Rule, ...]:
    path = folder("croupier") / "rulebook" / "data" / "natures.toml"
    listed: Any = tomllib.loads(path.read_text("utf-8"))["rule"]
    return msgspec.convert(listed, tuple[_Rule, ...])


def nature(clause: Clause) -> Nature:
    """What a clause asks for: the first rule that fits decides."""
    return next(rule.nature for rule in _rules() if rule.fits(clause))


@cache
def _rows(book: RuleDocument, file: str) -> tuple[dict[str, str], ...]:
    return tuple(csv.DictReader(book.text(file).splitlines())) if file else ()


@cache
def _proofs(book: RuleDocument) -> dict[str, tuple[str, ...]]:
    rows = _rows(book, book.proofs)
    return {row["clause"]: tuple(row["tests"].split()) for row in rows if row["game"] == book.game}


def proofs(about: About) -> dict[str, tuple[str, ...]]:
    """The tests that claim each clause of a game, by its id."""
    return _proofs(document(about))


@cache
def _caught(book: RuleDocument, *, citations: bool) -> frozenset[str]:
    return frozenset(
        clause
        for row in _rows(book, book.caught)
        if row["group"] == book.game and row["mutant"].startswith(CITATION) == citations
        for clause in row["clauses"].split()
    )


def standing(book: RuleDocument, clause: Clause) -> Standing:
    """What is shown of one clause; evidence goes before what the clause was thought to ask for."""
    if clause.id in _caught(book, citations=False):
        return "enforced"
    kind = nature(clause)
    if kind == "defined":
        return "defined"
    if kind == "recorded" and clause.id in _caught(book, citations=True):
        return "recorded"
    return "open"


def coverage(about: About) -> Coverage:
    """The game's clauses by what is shown of them, in the order of its document."""
    book = document(about)
    found: dict[Standing, list[Clause]] = {name: [] for name in STANDINGS}
    for clause in clauses(book):
        found[standing(book, clause)].append(clause)
    return Coverage(book.game, *(tuple(found[name]) for name in STANDINGS))
