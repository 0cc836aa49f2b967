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
    checked,
    kind_of,
    milliseconds,
)
from croupier.table.core.part import Deadline, Service
from croupier.table.core.roles import ROLES, Account, Role
from croupier.table.core.steps import KnownSteps, Step, acts_near, place_of
from croupier.table.core.titles import Title, words_of
from croupier.table.core.views import Viewer, shown, steps, view, viewer_of
from croupier.table.drivers.shoe import Shoe, next_of_dealer
from croupier.table.drivers.shuffler import shuffled
from croupier.table.parts.chips.piles import ExchangeField, count_worth, fewest_chips
from croupier.table.parts.limit_changes import NewLimits, OutsideLimits
from croupier.table.parts.round.box_payer import BoxPayer
from croupier.table.parts.round.reasons import reasons
from croupier.table.parts.round.settlement import settling_seat
from croupier.table.parts.round.state import ASIDE, Box, Due, Round
from croupier.table.table import FindHouse, Table

__all__ = [
    "ASIDE",
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
    "acts_near",
    "checked",
    "commands",
    "count_worth",
    "events",
    "fewest_chips",
    "kind_of",
    "milliseconds",
    "next_of_dealer",
    "place_of",
    "reasons",
    "settling_seat",
    "shown",
    "shuffled",
    "steps",
    "view",
    "viewer_of",
    "words_of",
]
