"""The accounts of a random shift."""

from __future__ import annotations

from croupier.table import Account
from tests.support.shifts.invalid_commands import PLAYERS

SYSTEM, MAX, CORA = (
    Account("system", "system"),
    Account("max", "pit_manager"),
    Account("cora", "cage"),
)
CAST = (
    Account("dee", "dealer"),
    Account("dov", "dealer"),
    Account("flo", "floorperson"),
    MAX,
    Account("mia", "pit_manager"),
    Account("dee", "floorperson"),  # the same person in another role
    Account("ada", "dealer"),
    Account("eye", "surveillance"),
    Account("cal", "cage"),
    Account("sid", "security"),
    CORA,
    SYSTEM,
    *(Account(name, "player") for name in PLAYERS),
)
