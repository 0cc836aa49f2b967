"""Every game that is installed, by key and edition.

A package offers its games through the entry points of the group `croupier.games`; ours do so too.
An entry is named `key.edition`, so that a game is imported only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from croupier.errors import UnknownGame
from croupier.games.game import Game
from croupier.games.registry_entered import entered, object_at


def installed() -> dict[str, dict[int, str]]:
    """Where every game is, by key and edition; nothing is imported."""
    found: dict[str, dict[int, str]] = {}
    for name, place in entered().items():
        key, _, edition = name.rpartition(".")
        assert key and edition.isdecimal(), f"{name}: a game is entered as key.edition"
        found.setdefault(key, {})[int(edition)] = place
    assert found, "no entry points of croupier.games: install Croupier anew, `pip install -e .`"
    return found


@cache
def _installed() -> dict[str, dict[int, str]]:
    return installed()


def refresh() -> None:
    """Look again for what is installed: for a package that came while Croupier was running."""
    _installed.cache_clear()
    _loaded.cache_clear()
    catalogue.cache_clear()


@cache
def _loaded(key: str, edition: int) -> Game:
    game = object_at(_installed()[key][edition])
    assert isinstance(game, Game), f"{key}.{edition} is not a game: {game!r}"
    brought = f"{game.key}.{game.edition}"
    assert brought == f"{key}.{edition}", f"{key}.{edition} brings {brought}"
    return game


@cache
def catalogue() -> tuple[Game, ...]:
    """The newest edition of every game, in the order of a menu."""
    games = (_loaded(key, max(editions)) for key, editions in _installed().items())
    return tuple(sorted(games, key=lambda game: (game.menu_place, game.title)))


def editions(key: str) -> tuple[int, ...]:
    """The editions of a game that are installed, oldest first."""
    return tuple(sorted(_installed().get(key, ())))


def find(name: str, edition: int | None = None) -> Game:
    """A game by its key, its title, an alias or how one of these begins; the newest edition.

    Case, signs and spaces do not matter: "Run 'Em Twice" is `run_em_twice`, and so is "run". The
    whole name of one game wins over the beginning of another.
    """
    key = name if name in _installed() else _key_of(name)
    known = editions(key)
    if edition is not None and edition not in known:
        raise UnknownGame(f"{key}, edition {edition}", (f"edition {each}" for each in known))
    return _loaded(key, known[-1] if edition is None else edition)


def _key_of(name: str) -> str:
    wanted = _letters(name)
    names = {game.key: (game.key, game.title, *game.aliases) for game in catalogue()}
    # The first word names a game best: "texas" is not Ultimate Texas Hold'Em.
    found = [key for key, known in names.items() if wanted in map(_letters, known)]
    for begins in (_first_word, _any_word):
        found = found or [key for key, known in names.items() if begins(wanted, known)]
    if len(found) == 1 and wanted:
        return found[0]
    raise UnknownGame(name, found or names)


def _first_word(wanted: str, names: Iterable[str]) -> bool:
    return any(_letters(name).startswith(wanted) for name in names)


def _any_word(wanted: str, names: Iterable[str]) -> bool:
    parts = [name.replace("_", " ").split() for name in names]
    later = ("".join(words[at:]) for words in parts for at in range(1, len(words)))
    return _first_word(wanted, later)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())
