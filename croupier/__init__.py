"""Croupier runs, proves and documents five regulated casino poker table games.

    >>> import croupier
    >>> house = croupier.example("top_five")
    >>> table = croupier.Table(house)

Names are imported when they are first used, so that the command line starts at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.games import CATALOGUE as CATALOGUE
    from croupier.games import GAMES as GAMES
    from croupier.games import House as House
    from croupier.submission import build as build
    from croupier.submission import example as example
    from croupier.submission import load as load
    from croupier.table.commands import DealCards as DealCards
    from croupier.table.commands import Decide as Decide
    from croupier.table.commands import NoMoreBets as NoMoreBets
    from croupier.table.commands import PlaceWagers as PlaceWagers
    from croupier.table.commands import Settle as Settle
    from croupier.table.commands import ShowStreet as ShowStreet
    from croupier.table.shoe import Shoe as Shoe
    from croupier.table.table import Table as Table

_WHERE = {
    "CATALOGUE": "croupier.games",
    "GAMES": "croupier.games",
    "House": "croupier.games",
    "build": "croupier.submission",
    "example": "croupier.submission",
    "load": "croupier.submission",
    "DealCards": "croupier.table.commands",
    "Decide": "croupier.table.commands",
    "NoMoreBets": "croupier.table.commands",
    "PlaceWagers": "croupier.table.commands",
    "Settle": "croupier.table.commands",
    "ShowStreet": "croupier.table.commands",
    "Shoe": "croupier.table.shoe",
    "Table": "croupier.table.table",
}

__version__ = "0.1.0"
__all__ = [*sorted(_WHERE), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
