"""One table as a pure, event-sourced state machine: no clock, no randomness, no I/O.

Wrap one of the `commands` in an `Envelope`: `Table.decide` returns `events` or raises Refusal,
`Table.evolve` applies them, and `Table.do` is both. `view` and `shown` redact a table and an event
for a viewer; `steps` lists what the viewer may do now. `core.codec` reads and writes JSON.
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
from croupier.table.core.steps import Step
from croupier.table.core.titles import Title, title_of
from croupier.table.core.views import Viewer, shown, steps, view, viewer_of
from croupier.table.drivers.shoe import Shoe, next_dealer_command
from croupier.table.drivers.shuffler import shuffle_deck
from croupier.table.parts.chips.piles import ExchangeField, count_worth, fewest_chips
from croupier.table.parts.corrections import CORRECTABLE, CORRECTORS
from croupier.table.parts.house_binding import BALANCE
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits
from croupier.table.parts.payouts import Payout, all_thresholds, needs_document, payout_of
from croupier.table.parts.round.box_payer import BoxPayer
from croupier.table.parts.round.settlement import settling_seat
from croupier.table.parts.round.settlement_explanations import reasons
from croupier.table.parts.round.state import ASIDE, Box, Due, Round
from croupier.table.table import FindHouse, Table

__all__ = [
    "ASIDE",
    "BALANCE",
    "CORRECTABLE",
    "CORRECTORS",
    "ROLES",
    "Account",
    "Audience",
    "Book",
    "Box",
    "BoxPayer",
    "Command",
    "Deadline",
    "Due",
    "Envelope",
    "Event",
    "ExchangeField",
    "FindHouse",
    "MeterText",
    "NewLimits",
    "OutsideLimits",
    "Payout",
    "Role",
    "Round",
    "Service",
    "Shoe",
    "Step",
    "Table",
    "Title",
    "Unbalanced",
    "Viewer",
    "all_thresholds",
    "commands",
    "count_worth",
    "epoch_ms",
    "events",
    "fewest_chips",
    "kind_of",
    "needs_document",
    "next_dealer_command",
    "payout_of",
    "reasons",
    "settling_seat",
    "shown",
    "shuffle_deck",
    "steps",
    "title_of",
    "validate_envelope",
    "view",
    "viewer_of",
]
