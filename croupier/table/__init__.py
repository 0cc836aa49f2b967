"""One table, pure: envelopes in, events out. No clock, no randomness, no I/O.

`commands` and `events` list everything that may be said and may have happened; `wire` writes them
as JSON; `views` says who sees what.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from croupier.table import (
    binding,
    book,
    commands,
    committed,
    events,
    forms,
    payouts,
    people,
    snapshots,
    views,
    walk,
    wire,
)
from croupier.table.book import Book, Unbalanced
from croupier.table.chips.piles import Exchange, fewest, fewest_of
from croupier.table.committed import shuffled
from croupier.table.limits import NewLimits, OutsideLimits
from croupier.table.parts import Deadline, Service
from croupier.table.people import ROLES, Account, Role
from croupier.table.reasons import reasons
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
from croupier.table.round import envy, pools
from croupier.table.round.payout import Cashier
from croupier.table.round.settlement import turn_of
from croupier.table.round.state import ASIDE, Box, Due, Round
from croupier.table.shoe import Shoe, next_of_dealer
from croupier.table.stepping import KnownSteps, Step, acts_near, place_of
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
    "Unbalanced",
    "Viewer",
    "Words",
    "acts_near",
    "binding",
    "book",
    "checked",
    "commands",
    "committed",
    "companions",
    "envy",
    "events",
    "fewest",
    "fewest_of",
    "forms",
    "kind_of",
    "milliseconds",
    "next_of_dealer",
    "payouts",
    "people",
    "place_of",
    "pools",
    "reasons",
    "replay",
    "scenario",
    "shown",
    "shuffled",
    "snapshots",
    "steps",
    "turn_of",
    "view",
    "viewer_of",
    "views",
    "walk",
    "wire",
    "words_of",
]


def __getattr__(name: str) -> Any:
    if name in ("companions", "replay", "scenario"):  # imported when asked for
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
