"""Registers chips as a part of the table."""

from __future__ import annotations

from croupier.table.core.part import WITH_SEATS, Part
from croupier.table.parts.chips import buy_in, fill_actions, round_hooks
from croupier.table.parts.chips.state import EVOLVE
from croupier.table.parts.round import messages as round_msg

PART = Part(
    subject="Chips, fills and credits",
    services=WITH_SEATS,
    commands=buy_in.COMMAND_SPECS + fill_actions.COMMAND_SPECS,
    after={
        round_msg.PlaceWagers: round_hooks.after_placing,
        round_msg.Decide: round_hooks.after_deciding,
        round_msg.Settle: round_hooks.after_settling,
    },
    evolve=EVOLVE,
)
