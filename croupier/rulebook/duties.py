"""Duties: the procedures that every table has, with the clauses that require them.

The table looks a duty up by name ("no_more_bets", "burn.flop"); a name may end in a dealing method
and a variant of it.
"""

from __future__ import annotations

import tomllib
from functools import cache

from croupier.rulebook.rule_document import DocumentRef, RuleDocument, find_document


def duties(game: DocumentRef) -> dict[str, tuple[str, ...]]:
    """Return the clause ids of each duty of a game, the clause that requires it first."""
    return _duties(find_document(game))


@cache
def _duties(document: RuleDocument) -> dict[str, tuple[str, ...]]:
    index = tomllib.loads(document.text(document.duties))
    return {duty: tuple(clauses.split()) for duty, clauses in index.items()}
