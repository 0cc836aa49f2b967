"""Where each document commands a duty that every table has: one act, a clause id in each of them.

The table asks by the duty's name ("no_more_bets", "burn.flop"); a name may end in a dealing method
and a variant of it.
"""

from __future__ import annotations

import tomllib
from functools import cache

from croupier.rulebook.document_files import About, RuleDocument, document


def duties(about: About) -> dict[str, tuple[str, ...]]:
    """The clauses of each duty of a game, the one that commands it first."""
    return _duties(document(about))


@cache
def _duties(book: RuleDocument) -> dict[str, tuple[str, ...]]:
    index = tomllib.loads(book.text(book.duties))
    return {duty: tuple(clauses.split()) for duty, clauses in index.items()}
