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
from croupier.table.parts.chips.fills_and_credits import describe_chips
from croupier.table.parts.chips.piles import ExchangeField, count_worth, fewest_chips
from croupier.table.parts.chips.round_hooks import missing_chips
from croupier.table.parts.corrections import CORRECTABLE, CORRECTORS, approval_key
from croupier.table.parts.disabling import DISABLE_CLAUSE, DisableOrder
from croupier.table.parts.house_binding import BALANCE
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits
from croupier.table.parts.payouts import Payout, all_thresholds, is_taxable, payout_of
from croupier.table.parts.round.resolution import BoxPayer, reasons
from croupier.table.parts.round.settlement import seats_to_settle
from croupier.table.parts.round.state import ASIDE, Box, Due, Round
from croupier.table.parts.round.turn_order import may_settle, next_turn, one_by_one
from croupier.table.table import FindHouse, Table

__all__ = [
    "ASIDE",
    "BALANCE",
    "CORRECTABLE",
    "CORRECTORS",
    "DISABLE_CLAUSE",
    "ROLES",
    "Account",
    "Audience",
    "Book",
    "Box",
    "BoxPayer",
    "Command",
    "Deadline",
    "DisableOrder",
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
    "approval_key",
    "commands",
    "count_worth",
    "describe_chips",
    "epoch_ms",
    "events",
    "fewest_chips",
    "is_taxable",
    "kind_of",
    "may_settle",
    "missing_chips",
    "next_dealer_command",
    "next_turn",
    "one_by_one",
    "payout_of",
    "reasons",
    "seats_to_settle",
    "shown",
    "shuffle_deck",
    "steps",
    "title_of",
    "validate_envelope",
    "view",
    "viewer_of",
]
