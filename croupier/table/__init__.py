"""One table, pure: envelopes in, events out. No clock, no randomness, no I/O."""

from __future__ import annotations

from croupier.table.people import Account, Role
from croupier.table.record import Command, Envelope, Event
from croupier.table.round.state import Box, Due, Round
from croupier.table.steps import Step
from croupier.table.table import Table

__all__ = [
    "Account",
    "Box",
    "Command",
    "Due",
    "Envelope",
    "Event",
    "Role",
    "Round",
    "Step",
    "Table",
]
