"""A mutant: one rule broken in one place, and the clauses that speak of it in each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

import msgspec

from croupier.games import Game, catalogue
from croupier.rulebook import clauses, duties

LAW = "law"  # the group of what no game's document says: the regulation, and readings

Clauses = Mapping[str, frozenset[str]]


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """One way to break a rule. `name` stays the same when lines move; `place` is for readers."""

    kind: str
    name: str
    place: str
    clauses: Clauses  # by game, or under LAW: whose tests are asked
    # The clauses that it breaks itself, where tests of others are asked too: only these are
    # enforced if it is caught. None stands for all of them.
    breaks: frozenset[tuple[str, str]] | None = None
    apply: Callable[[], None]
    hint: str = ""  # tests with this in their name are asked first

    @property
    def id(self) -> str:
        """What tells it from all others."""
        return f"{self.kind} {self.name}"


def our_games() -> tuple[Game, ...]:
    """The games that come with Croupier; another package proves its own."""
    return tuple(game for game in catalogue() if game.document.package.startswith("croupier."))


def known(game: Game) -> frozenset[str]:
    """The ids of a game's clauses."""
    return frozenset(clause.id for clause in clauses(game.key))


def cited(game: Game, duty: str) -> frozenset[str]:
    """What a duty can cite in a game, by any dealing method and variant."""
    index = duties(game.document)
    names = [name for name in index if name == duty or name.startswith(f"{duty}.")]
    exact = [name for name in names if name == duty or is_method(name[len(duty) + 1 :])]
    return frozenset(clause for name in exact for clause in index[name])


def commanded(game: Game, duty: str) -> frozenset[str]:
    """The one clause that a refusal for a duty cites, by any dealing method and variant."""
    index = duties(game.document)
    exact = [
        name
        for name in index
        if name == duty or (name.startswith(f"{duty}.") and is_method(name[len(duty) + 1 :]))
    ]
    return frozenset(index[name][0] for name in exact)


def is_method(rest: str) -> bool:
    """Whether the end of a duty's name is a dealing method, perhaps with a variant."""
    return rest.split(".")[0] in ("manual_shoe", "hand", "automated_shoe")


@cache
def _documents() -> dict[str, frozenset[str]]:
    return {game.key: known(game) for game in our_games()}


def by_game(found: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """(game, clause) pairs as clauses by game; what no document says goes under LAW."""
    documents = _documents()
    groups: dict[str, set[str]] = {}
    for game, clause in found:
        group = game if clause in documents.get(game, ()) else LAW
        groups.setdefault(group, set()).add(clause)
    return {group: frozenset(ids) for group, ids in sorted(groups.items())}


def of_duties(names: Iterable[str], *, every: bool = False) -> list[tuple[str, str]]:
    """The (game, clause) pairs of duties in every game; the first clause of each, or all."""
    ask = cited if every else commanded
    return [
        (game.key, clause) for game in our_games() for name in names for clause in ask(game, name)
    ]
