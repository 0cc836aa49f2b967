"""Chips as a part of the table."""

from __future__ import annotations

from croupier.table.core.part import WITH_SEATS, Part
from croupier.table.parts.chips import buy_in, fill_actions, round_hooks
from croupier.table.parts.chips.state import EVOLVE
from croupier.table.parts.round import messages as played

PART = Part(
    name="chips",
    services=WITH_SEATS,
    commands=buy_in.COMMANDS + fill_actions.COMMANDS,
    after={
        played.PlaceWagers: round_hooks.after_placing,
        played.Decide: round_hooks.after_deciding,
        played.Settle: round_hooks.after_settling,
    },
    evolve=EVOLVE,
)
