"""Seats as a part of the table."""

from __future__ import annotations

from croupier.table.core.part import WITH_SEATS, Part
from croupier.table.parts.round import messages as played
from croupier.table.parts.seats import round_hooks, rulings, seating
from croupier.table.parts.seats.state import EVOLVE

PART = Part(
    name="seats",
    services=WITH_SEATS,
    commands=seating.COMMANDS + rulings.COMMANDS,
    before={
        played.PlaceWagers: round_hooks.before_placing,
        played.Decide: round_hooks.before_deciding,
    },
    after={played.PlaceWagers: round_hooks.after_placing},
    evolve=EVOLVE,
)
