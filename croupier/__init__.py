"""Croupier runs, proves and documents regulated casino poker table games.

    >>> import croupier
    >>> house = croupier.example("top_five")
    >>> table = croupier.Table(house)

Names are imported when they are first used, so that the command line starts at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.errors import BadCards as BadCards
    from croupier.errors import BadInput as BadInput
    from croupier.errors import BadScenario as BadScenario
    from croupier.errors import BadSubmission as BadSubmission
    from croupier.errors import BadTerms as BadTerms
    from croupier.errors import CroupierError as CroupierError
    from croupier.errors import Refusal as Refusal
    from croupier.errors import Unknown as Unknown
    from croupier.errors import UnknownClause as UnknownClause
    from croupier.errors import UnknownGame as UnknownGame
    from croupier.errors import UnknownReading as UnknownReading
    from croupier.games import CATALOGUE as CATALOGUE
    from croupier.games import GAMES as GAMES
    from croupier.games import Game as Game
    from croupier.games import House as House
    from croupier.games import find as find
    from croupier.ledger import Ledger as Ledger
    from croupier.ledger import LedgerError as LedgerError
    from croupier.study import advise as advise
    from croupier.study import analyze as analyze
    from croupier.study import analyze_game as analyze_game
    from croupier.study import solve as solve
    from croupier.submission import build as build
    from croupier.submission import draft as draft
    from croupier.submission import example as example
    from croupier.submission import load as load
    from croupier.table import Account as Account
    from croupier.table import Envelope as Envelope
    from croupier.table import Round as Round
    from croupier.table import Shoe as Shoe
    from croupier.table import Table as Table
    from croupier.table import shown as shown
    from croupier.table import steps as steps
    from croupier.table import view as view
    from croupier.table import viewer_of as viewer_of
    from croupier.table.commands import DealCards as DealCards
    from croupier.table.commands import Decide as Decide
    from croupier.table.commands import NoMoreBets as NoMoreBets
    from croupier.table.commands import PlaceWagers as PlaceWagers
    from croupier.table.commands import Settle as Settle
    from croupier.table.commands import Showdown as Showdown
    from croupier.table.commands import ShowStreet as ShowStreet

# Public names by the room that has them.
_ROOMS = {
    "errors": (
        "BadCards",
        "BadInput",
        "BadScenario",
        "BadSubmission",
        "BadTerms",
        "CroupierError",
        "Refusal",
        "Unknown",
        "UnknownClause",
        "UnknownGame",
        "UnknownReading",
    ),
    "games": ("CATALOGUE", "GAMES", "Game", "House", "find"),
    "ledger": ("Ledger", "LedgerError"),
    "study": ("advise", "analyze", "analyze_game", "solve"),
    "submission": ("build", "draft", "example", "load"),
    "table": (
        "Account",
        "Envelope",
        "Round",
        "Shoe",
        "Table",
        "shown",
        "steps",
        "view",
        "viewer_of",
    ),
    "table.commands": (
        "DealCards",
        "Decide",
        "NoMoreBets",
        "PlaceWagers",
        "Settle",
        "ShowStreet",
        "Showdown",
    ),
}
_WHERE = {name: f"croupier.{room}" for room, names in _ROOMS.items() for name in names}

__version__ = "0.1.0"
__all__ = [*sorted(_WHERE), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'croupier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
