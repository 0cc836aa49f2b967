"""What every event around the rounds has, and the few that belong to no subject."""

from __future__ import annotations

from croupier.table.events import Event
from croupier.table.life.people import Person


class LifeEvent(Event, frozen=True, kw_only=True):
    """The root of what happens around the rounds."""

    at: int
    by: Person


class Acted(LifeEvent, frozen=True, kw_only=True, tag="acted"):
    """Somebody took a step of the round; the round events that follow come from it."""

    command: str


class ConductNoted(LifeEvent, frozen=True, kw_only=True, tag="conduct_noted"):
    """Somebody's note on a duty that software cannot see."""

    duty: str
    about: str
    text: str


class HoldPlaced(LifeEvent, frozen=True, kw_only=True, tag="hold_placed"):
    """The record of a round is kept for a dispute."""

    round: int
    reason: str
