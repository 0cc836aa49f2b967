"""Registers decks as a part of the table."""

from __future__ import annotations

from croupier.table.core.part import ATTENDED, Part
from croupier.table.parts.decks import lifecycle, one_deck, round_hooks, shuffling, stub
from croupier.table.parts.decks.apply import EVOLVE

PART = Part(
    subject="Decks",
    services=ATTENDED,
    commands=(
        *lifecycle.COMMAND_SPECS,
        *one_deck.COMMAND_SPECS,
        *shuffling.COMMAND_SPECS,
        *stub.COMMAND_SPECS,
    ),
    before=round_hooks.BEFORE,
    evolve=EVOLVE,
    deadlines=lifecycle.deadlines,
)
