"""Registry of installed games, by key and edition.

A package offers its games through entry points of the group `croupier.games`, named `key.edition`;
Croupier's own games do the same. A game is imported only when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from croupier.errors import UnknownGame
from croupier.games.game import Game

GROUP = "croupier.games"


def installed_games() -> dict[str, dict[int, EntryPoint]]:
    """The entry point of every game, by key and edition; nothing is imported."""
    entries: dict[str, dict[int, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        key, _, edition = entry.name.rpartition(".")
        assert key and edition.isdecimal(), f"{entry.name}: expected an entry named key.edition"
        entries.setdefault(key, {})[int(edition)] = entry
    assert entries, f"no entry points {GROUP}: reinstall Croupier, `pip install -e .`"
    return entries


@cache
def _installed() -> dict[str, dict[int, EntryPoint]]:
    return installed_games()


def refresh() -> None:
    """Look again for installed games, for a package installed while Croupier is running."""
    _installed.cache_clear()
    _load.cache_clear()
    catalogue.cache_clear()


@cache
def _load(key: str, edition: int) -> Game:
    game = _installed()[key][edition].load()
    assert isinstance(game, Game), f"{key}.{edition} is not a Game: {game!r}"
    assert (game.key, game.edition) == (key, edition), f"{key}.{edition} loads {game!r}"
    return game


@cache
def catalogue() -> tuple[Game, ...]:
    """The newest edition of every game, in menu order."""
    games = (_load(key, max(editions)) for key, editions in _installed().items())
    return tuple(sorted(games, key=lambda game: (game.menu_place, game.title)))


def editions(key: str) -> tuple[int, ...]:
    """The installed editions of a game, oldest first."""
    return tuple(sorted(_installed().get(key, ())))


def find(name: str, edition: int | None = None) -> Game:
    """A game by its key, title, alias or the beginning of one of these; the newest edition.

    Case, punctuation and spaces do not matter: "Run 'Em Twice" is `run_em_twice`, and so is "run".
    The whole name of one game wins over the beginning of another. Raises `UnknownGame`.
    """
    key = name if name in _installed() else _find_key(name)
    known = editions(key)
    if edition is not None and edition not in known:
        raise UnknownGame(f"{key}, edition {edition}", (f"edition {each}" for each in known))
    return _load(key, known[-1] if edition is None else edition)


def _find_key(name: str) -> str:
    wanted = _letters(name)
    names = {game.key: (game.key, game.title, *game.aliases) for game in catalogue()}
    # The first word names a game best: "texas" is not Ultimate Texas Hold'Em.
    matches = [key for key, known in names.items() if wanted in map(_letters, known)]
    for begins in (_first_word_begins, _any_word_begins):
        matches = matches or [key for key, known in names.items() if begins(wanted, known)]
    if len(matches) == 1 and wanted:
        return matches[0]
    raise UnknownGame(name, matches or names)


def _first_word_begins(wanted: str, names: Iterable[str]) -> bool:
    return any(_letters(name).startswith(wanted) for name in names)


def _any_word_begins(wanted: str, names: Iterable[str]) -> bool:
    split = [name.replace("_", " ").split() for name in names]
    later = ("".join(words[at:]) for words in split for at in range(1, len(words)))
    return _first_word_begins(wanted, later)


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
