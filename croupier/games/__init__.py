"""The catalogue: every game Croupier deals."""

from __future__ import annotations

from croupier.errors import UnknownGame
from croupier.games.game import Game
from croupier.games.house import House, Limits, Meter
from croupier.games.jackpot_holdem import JACKPOT_HOLDEM
from croupier.games.run_em_twice import RUN_EM_TWICE
from croupier.games.texas_holdem_bonus import TEXAS_HOLDEM_BONUS
from croupier.games.top_five import TOP_FIVE
from croupier.games.ultimate_texas_holdem import ULTIMATE_TEXAS_HOLDEM

CATALOGUE: tuple[Game, ...] = (
    TEXAS_HOLDEM_BONUS,
    TOP_FIVE,
    ULTIMATE_TEXAS_HOLDEM,
    JACKPOT_HOLDEM,
    RUN_EM_TWICE,
)
GAMES: dict[str, Game] = {game.key: game for game in CATALOGUE}

__all__ = ["CATALOGUE", "GAMES", "Game", "House", "Limits", "Meter", "find"]


def find(name: str) -> Game:
    """A game by its key or title, in any case, spaces and dashes read as underscores."""
    wanted = "".join(letter for letter in name.lower() if letter.isalnum())
    for game in CATALOGUE:
        for known in (game.key, game.title):
            if wanted == "".join(letter for letter in known.lower() if letter.isalnum()):
                return game
    raise UnknownGame(name, GAMES)
