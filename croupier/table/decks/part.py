"""Decks: received, inspected, spread, shuffled, cut, loaded, counted, pulled (chapters 3 to 5)."""

from __future__ import annotations

from croupier.table.decks import guards, preparing, shuffling, stub
from croupier.table.decks.evolving import EVOLVE
from croupier.table.parts import ATTENDED, Part

PART = Part(
    name="decks",
    services=ATTENDED,
    acts=(*preparing.ACTS, *shuffling.ACTS, *stub.ACTS),
    before=guards.BEFORE,
    evolve=EVOLVE,
    deadlines=preparing.deadlines,
)
