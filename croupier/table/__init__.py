"""One table, pure: envelopes in, events out. No clock, no randomness, no I/O.

`commands` and `events` list everything that may be said and may have happened; `wire` writes them
as JSON; `views` says who sees what.
"""

from __future__ import annotations

from croupier.table import commands, events
from croupier.table.core.accounting import Book, Unbalanced
from croupier.table.core.messages import (
    Audience,
    Command,
    Envelope,
    Event,
    MeterText,
    epoch_ms,
    kind_of,
    validate_envelope,
)
from croupier.table.core.part import Deadline, Service
from croupier.table.core.roles import ROLES, Account, Role
from croupier.table.core.steps import KnownSteps, Step, specs_for_role, step_order
from croupier.table.core.titles import Title, title_of
from croupier.table.core.views import Viewer, shown, steps, view, viewer_of
from croupier.table.drivers.shoe import Shoe, next_dealer_command
from croupier.table.drivers.shuffler import shuffle_deck
from croupier.table.parts.chips.piles import Exchange, fewest, fewest_of
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits
from croupier.table.parts.round.payout import Cashier
from croupier.table.parts.round.reasons import reasons
from croupier.table.parts.round.settlement import turn_of
from croupier.table.parts.round.state import ASIDE, Box, Due, Round
from croupier.table.table import FindHouse, Table

__all__ = [
    "ASIDE",
    "ROLES",
    "Account",
    "Audience",
    "Book",
    "Box",
    "Cashier",
    "Command",
    "Deadline",
    "Due",
    "Envelope",
    "Event",
    "Exchange",
    "FindHouse",
    "KnownSteps",
    "MeterText",
    "NewLimits",
    "OutsideLimits",
    "Role",
    "Round",
    "Service",
    "Shoe",
    "Step",
    "Table",
    "Title",
    "Unbalanced",
    "Viewer",
    "commands",
    "epoch_ms",
    "events",
    "fewest",
    "fewest_of",
    "kind_of",
    "next_dealer_command",
    "reasons",
    "shown",
    "shuffle_deck",
    "specs_for_role",
    "step_order",
    "steps",
    "title_of",
    "turn_of",
    "validate_envelope",
    "view",
    "viewer_of",
]
