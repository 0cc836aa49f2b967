"""Registry of installed games, by key and edition.

A package offers its games through entry points of the group `croupier.games`, named `key.edition`;
Croupier's own games do the same. A game is imported only when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from croupier.errors import UnknownGame
from croupier.games.game import Game

GROUP = "croupier.games"


def installed_games() -> dict[str, dict[int, EntryPoint]]:
    """The entry points of all installed games, by key and edition; imports no game."""
    entries: dict[str, dict[int, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        key, _, edition = entry.name.rpartition(".")
        assert key and edition.isdecimal(), f"{entry.name}: expected an entry named key.edition"
        entries.setdefault(key, {})[int(edition)] = entry
    assert entries, f"no entry points {GROUP}; reinstall Croupier with `pip install -e .`"
    return entries


@cache
def _cached_entry_points() -> dict[str, dict[int, EntryPoint]]:
    return installed_games()


def refresh() -> None:
    """Clear the caches, for a package installed while Croupier is running."""
    _cached_entry_points.cache_clear()
    _load.cache_clear()
    catalogue.cache_clear()


@cache
def _load(key: str, edition: int) -> Game:
    game = _cached_entry_points()[key][edition].load()
    assert isinstance(game, Game), f"{key}.{edition} is not a Game: {game!r}"
    assert (game.key, game.edition) == (key, edition), f"{key}.{edition} loads {game!r}"
    return game


@cache
def catalogue() -> tuple[Game, ...]:
    """The newest edition of every game, in menu order."""
    games = (_load(key, max(editions)) for key, editions in _cached_entry_points().items())
    return tuple(sorted(games, key=lambda game: (game.menu_place, game.title)))


def editions(key: str) -> tuple[int, ...]:
    """The installed editions of a game, oldest first."""
    return tuple(sorted(_cached_entry_points().get(key, ())))


def find(name: str, edition: int | None = None) -> Game:
    """The game with this key, title, alias or prefix of one; the newest edition by default.

    Case, punctuation and spaces are ignored: "Run 'Em Twice" is `run_em_twice`, and so is "run". A
    full name takes precedence over a prefix. Raises `UnknownGame`.

        >>> find("ultimate").title
        "Ultimate Texas Hold'Em Poker"
    """
    key = name if name in _cached_entry_points() else _find_key(name)
    known = editions(key)
    if edition is not None and edition not in known:
        raise UnknownGame(f"{key}, edition {edition}", (f"edition {number}" for number in known))
    return _load(key, known[-1] if edition is None else edition)


def _find_key(name: str) -> str:
    query = _normalize(name)
    names = {game.key: (game.key, game.title, *game.aliases) for game in catalogue()}
    # A prefix of the first word wins over one of a later word: "texas" is not Ultimate Texas
    # Hold'Em.
    matches = [key for key, known in names.items() if query in map(_normalize, known)]
    for is_match in (_is_prefix, _is_prefix_of_later_word):
        matches = matches or [key for key, known in names.items() if is_match(query, known)]
    if len(matches) == 1 and query:
        return matches[0]
    raise UnknownGame(name, matches or _similar_keys(query, names) or names)


def _similar_keys(query: str, names: dict[str, tuple[str, ...]]) -> list[str]:
    """The keys of games with a name, or a first word of one, that the query may misspell."""
    spellings = {
        _normalize(spelling): key
        for key, known in names.items()
        for name in known
        for spelling in (name, name.replace("_", " ").split()[0])
    }
    close = get_close_matches(query, spellings)
    return list(dict.fromkeys(spellings[spelling] for spelling in close))


def _is_prefix(query: str, names: Iterable[str]) -> bool:
    return any(_normalize(name).startswith(query) for name in names)


def _is_prefix_of_later_word(query: str, names: Iterable[str]) -> bool:
    split = [name.replace("_", " ").split() for name in names]
    later = ("".join(words[at:]) for words in split for at in range(1, len(words)))
    return _is_prefix(query, later)


def _normalize(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
