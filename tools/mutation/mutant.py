"""`Mutant`: one rule broken in one place, and the clauses it concerns in each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

import msgspec

from croupier.games import Game, catalogue
from croupier.rulebook import clauses, duties

LAW = "law"  # the group of regulations and readings, which are in no game's document

Clauses = Mapping[str, frozenset[str]]


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """One way to break a rule. `name` is stable when lines move; `place` is for display."""

    kind: str
    name: str
    place: str
    clauses: Clauses  # by game or LAW; the tests that claim them are run
    # The (group, clause) pairs that count as enforced if it is caught; None for all of `clauses`.
    breaks: frozenset[tuple[str, str]] | None = None
    apply: Callable[[], None]
    hint: str = ""  # tests with this in their name run first

    @property
    def id(self) -> str:
        """The unique id."""
        return f"{self.kind} {self.name}"


def our_games() -> tuple[Game, ...]:
    """The games of Croupier, without those of other packages."""
    return tuple(game for game in catalogue() if game.document.package.startswith("croupier."))


def known(game: Game) -> frozenset[str]:
    """The ids of a game's clauses."""
    return frozenset(clause.id for clause in clauses(game.key))


def cited(game: Game, duty: str) -> frozenset[str]:
    """All clauses of a duty in a game, for any dealing method and variant."""
    index = duties(game.document)
    names = [name for name in index if name == duty or name.startswith(f"{duty}.")]
    exact = [name for name in names if name == duty or is_method(name[len(duty) + 1 :])]
    return frozenset(clause for name in exact for clause in index[name])


def commanded(game: Game, duty: str) -> frozenset[str]:
    """The first clause of a duty, which refusals cite, for any dealing method and variant."""
    index = duties(game.document)
    exact = [
        name
        for name in index
        if name == duty or (name.startswith(f"{duty}.") and is_method(name[len(duty) + 1 :]))
    ]
    return frozenset(index[name][0] for name in exact)


def is_method(rest: str) -> bool:
    """Whether the suffix of a duty is a dealing method, perhaps with a variant."""
    return rest.split(".")[0] in ("manual_shoe", "hand", "automated_shoe")


@cache
def _documents() -> dict[str, frozenset[str]]:
    return {game.key: known(game) for game in our_games()}


def by_game(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Clauses by game from (game, clause) pairs; clauses of no document are under LAW."""
    documents = _documents()
    groups: dict[str, set[str]] = {}
    for game, clause in pairs:
        group = game if clause in documents.get(game, ()) else LAW
        groups.setdefault(group, set()).add(clause)
    return {group: frozenset(ids) for group, ids in sorted(groups.items())}


def of_duties(names: Iterable[str], *, every: bool = False) -> list[tuple[str, str]]:
    """The (game, clause) pairs of duties in all games: the first clause of each, or all."""
    select = cited if every else commanded
    return [
        (game.key, clause)
        for game in our_games()
        for name in names
        for clause in select(game, name)
    ]
