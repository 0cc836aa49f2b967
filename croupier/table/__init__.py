"""One table, pure: envelopes in, events out. No clock, no randomness, no I/O.

`commands` and `events` list everything that may be said and may have happened; `wire` writes them
as JSON; `views` says who sees what.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from croupier.table import book, commands, events, payouts, snapshots, views, walk, wire
from croupier.table.book import Book, Unbalanced
from croupier.table.parts import Deadline, Service
from croupier.table.people import ROLES, Account, Role
from croupier.table.record import (
    Audience,
    Command,
    Envelope,
    Event,
    MeterText,
    checked,
    kind_of,
    milliseconds,
)
from croupier.table.round.payout import Cashier
from croupier.table.round.state import ASIDE, Box, Due, Round
from croupier.table.shoe import Shoe, shuffled
from croupier.table.steps import Step
from croupier.table.table import FindHouse, Table
from croupier.table.views import Viewer, shown, steps, view, viewer_of
from croupier.table.words import Words, words_of

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
    "book",
    "checked",
    "commands",
    "events",
    "kind_of",
    "milliseconds",
    "payouts",
    "replay",
    "scenario",
    "shown",
    "shuffled",
    "snapshots",
    "steps",
    "view",
    "viewer_of",
    "views",
    "walk",
    "wire",
    "words_of",
]


def __getattr__(name: str) -> Any:
    if name in ("replay", "scenario"):  # imported when asked for: they read files
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
