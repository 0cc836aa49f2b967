"""Mutants of citations: a duty cites the clauses of another duty."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from croupier.rulebook import duties
from tools.mutation.mutant import Mutant, by_game, our_games


def citations() -> Iterator[Mutant]:
    """Each duty of each game cites the clauses of the next duty."""
    for game in our_games():
        index = duties(game.document)
        names = list(index)
        for number, duty in enumerate(names):
            after = (*names[number + 1 :], *names[:number])
            others = (index[name] for name in after)
            swapped = next(other for other in others if not set(other) & set(index[duty]))
            yield Mutant(
                kind="citation",
                name=f"{game.key} {duty}",
                place=f"croupier/{game.document.duties} {duty}",
                clauses=by_game((game.key, clause) for clause in index[duty]),
                apply=partial(index.__setitem__, duty, swapped),
            )
