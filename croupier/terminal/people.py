"""Who sits and who deals at the terminal's table, and what the screen calls them."""

from __future__ import annotations

from croupier.table import Account

YOU = Account("you", "player")
# The machine that deals where nobody serves the table.
DEALER = Account("dealer", "system")
COMPANIONS = tuple(
    Account.named(name, "player") for name in ("Ada", "Blaise", "Emilie", "Pierre", "Sofia")
)


def name_of(player: str) -> str:
    """An account's id as a name."""
    return player.capitalize()
