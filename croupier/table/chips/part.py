"""Chips as a part of the table."""

from __future__ import annotations

from croupier.table.chips import players, rounds, slip_offers
from croupier.table.chips.state import EVOLVE
from croupier.table.parts import WITH_SEATS, Part
from croupier.table.round import record as played

PART = Part(
    name="chips",
    services=WITH_SEATS,
    acts=players.ACTS + slip_offers.ACTS,
    after={
        played.PlaceWagers: rounds.after_placing,
        played.Decide: rounds.after_deciding,
        played.Settle: rounds.after_settling,
    },
    evolve=EVOLVE,
)
