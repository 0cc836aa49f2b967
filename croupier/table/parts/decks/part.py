"""Decks: received, inspected, spread, shuffled, cut, loaded, counted, pulled (chapters 3 to 5)."""

from __future__ import annotations

from croupier.table.core.part import ATTENDED, Part
from croupier.table.parts.decks import lifecycle, round_hooks, shuffling, stub
from croupier.table.parts.decks.apply import EVOLVE

PART = Part(
    name="decks",
    services=ATTENDED,
    commands=(*lifecycle.COMMANDS, *shuffling.COMMANDS, *stub.COMMANDS),
    before=round_hooks.BEFORE,
    evolve=EVOLVE,
    deadlines=lifecycle.deadlines,
)
