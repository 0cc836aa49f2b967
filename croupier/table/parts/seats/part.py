"""Registers seats as a part of the table."""

from __future__ import annotations

from croupier.table.core.part import WITH_SEATS, Part
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.seats import round_hooks, rulings, seating
from croupier.table.parts.seats.state import EVOLVE

PART = Part(
    subject="Players and seats",
    services=WITH_SEATS,
    commands=seating.COMMAND_SPECS + rulings.COMMAND_SPECS,
    before={
        round_msg.PlaceWagers: round_hooks.before_placing,
        round_msg.Decide: round_hooks.before_deciding,
    },
    after={round_msg.PlaceWagers: round_hooks.after_placing},
    evolve=EVOLVE,
)
