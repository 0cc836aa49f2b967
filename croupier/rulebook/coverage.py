"""What is shown of each clause: enforced, recorded, defined, or open.

Each game's `coverage.csv` has one row per clause with its standing and the tests that claim it,
written by `make proofs` and `make mutants` (`tools/clause_coverage.py` says how a standing is
found). What a clause asks for at all, its *nature*, is data: `natures.toml`.
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


class Coverage(msgspec.Struct, frozen=True):
    """The clauses of one game by what is shown of them.

    *Enforced*: a test notices when the rule is broken. *Recorded*: the act is logged under its
    clause, there is nothing to enforce. *Defined*: a definition or a permission. *Open*: not shown.
    """

    game: str
    enforced: tuple[Clause, ...]
    recorded: tuple[Clause, ...]
    defined: tuple[Clause, ...]
    open: tuple[Clause, ...]

    def of(self, standing: Standing) -> tuple[Clause, ...]:
        """The clauses with this standing."""
        result: tuple[Clause, ...] = getattr(self, standing)
        return result


class _NatureRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of `natures.toml`; a condition that is left out fits every clause."""

    nature: Nature
    why: str
    kinds: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    duties: tuple[str, ...] = ()  # duty names, or the part of a name before a dot
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
def _nature_rules() -> tuple[_NatureRule, ...]:
    path = folder("croupier") / "rulebook" / "data" / "natures.toml"
    rules: Any = tomllib.loads(path.read_text("utf-8"))["rule"]
    return msgspec.convert(rules, tuple[_NatureRule, ...])


def nature(clause: Clause) -> Nature:
    """What a clause asks for: the first rule that fits decides."""
    return next(rule.nature for rule in _nature_rules() if rule.fits(clause))


@cache
def _rows(book: RuleDocument) -> dict[str, dict[str, str]]:
    if not book.path(book.coverage).is_file():
        return {}
    return {row["clause"]: row for row in csv.DictReader(book.text(book.coverage).splitlines())}


def proofs(about: About) -> dict[str, tuple[str, ...]]:
    """The tests that claim each clause of a game, by clause id."""
    rows = _rows(document(about))
    return {clause: tuple(row["tests"].split()) for clause, row in rows.items() if row["tests"]}


def standing(about: About, clause: Clause) -> Standing:
    """What is shown of one clause."""
    row = _rows(document(about)).get(clause.id)
    return msgspec.convert(row["standing"], Standing) if row else "open"


def coverage(about: About) -> Coverage:
    """The game's clauses by their standing, in the order of its document."""
    book = document(about)
    by_standing: dict[str, list[Clause]] = {name: [] for name in STANDINGS}
    for clause in clauses(book):
        by_standing[standing(book, clause)].append(clause)
    return Coverage(book.game, *(tuple(by_standing[name]) for name in STANDINGS))
