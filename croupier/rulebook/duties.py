"""Where each document commands a duty that every table has: the same act, five clause ids.

The table asks by the duty's name ("no_more_bets", "burn.flop"); a name may end in a dealing method
and a variant of it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def duties(game: str) -> dict[str, tuple[str, ...]]:
    """The clauses of each duty of a game, the one that commands it first."""
    path = resources.files("croupier.rulebook") / "data" / "duties" / f"{game}.toml"
    index = tomllib.loads(path.read_text("utf-8"))
    return {duty: tuple(clauses.split()) for duty, clauses in index.items()}
