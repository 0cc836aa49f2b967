"""Seats as a part of the table."""

from __future__ import annotations

from croupier.table.parts import WITH_SEATS, Part
from croupier.table.round import record as played
from croupier.table.seats import places, rounds, rulings
from croupier.table.seats.state import EVOLVE

PART = Part(
    name="seats",
    services=WITH_SEATS,
    acts=places.ACTS + rulings.ACTS,
    before={
        played.PlaceWagers: rounds.before_placing,
        played.Decide: rounds.before_deciding,
    },
    after={played.PlaceWagers: rounds.after_placing},
    evolve=EVOLVE,
)
