"""Who sits and who deals at the terminal's table, and what the screen calls them."""

from __future__ import annotations

from croupier.table import Account
from croupier.table.drivers.bots import COMPANIONS

__all__ = ["COMPANIONS", "DEALER", "YOU", "name_of"]

YOU = Account("you", "player")
# The machine that deals where nobody serves the table.
DEALER = Account("dealer", "system")


def name_of(player: str) -> str:
    """An account's id as a name."""
    return player.capitalize()
