"""One table, pure: envelopes in, events out. No clock, no randomness, no I/O.

`commands` and `events` list everything that may be said and may have happened; `wire` writes them
as JSON; `views` says who sees what.
"""

from __future__ import annotations

from croupier.table import commands, events, views, wire
from croupier.table.book import Book, Unbalanced
from croupier.table.parts import Deadline, Service
from croupier.table.people import Account, Role
from croupier.table.record import Command, Envelope, Event, MeterText, kind_of, milliseconds
from croupier.table.round.payout import Cashier
from croupier.table.round.state import Box, Due, Round
from croupier.table.shoe import Shoe
from croupier.table.steps import Step
from croupier.table.table import FindHouse, Table
from croupier.table.views import Viewer, shown, steps, view, viewer_of
from croupier.table.words import Words, words_of

__all__ = [
    "Account",
    "Book",
    "Box",
    "Cashier",
    "Command",
    "Deadline",
    "Due",
    "Envelope",
    "Event",
    "FindHouse",
    "MeterText",
    "Role",
    "Round",
    "Service",
    "Shoe",
    "Step",
    "Table",
    "Unbalanced",
    "Viewer",
    "Words",
    "commands",
    "events",
    "kind_of",
    "milliseconds",
    "shown",
    "steps",
    "view",
    "viewer_of",
    "views",
    "wire",
    "words_of",
]
