"""Which parts a table is made of, and how each command and event goes through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table.core.accounting import ENTRIES, Book, Entries
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import SERVICES, After, Before, CommandSpec, Evolve, Part, Service
from croupier.table.parts import (
    conduct,
    deck_commitment,
    devices,
    disputes,
    electronic_credits,
    house_binding,
    investigations,
    limit_changes,
    shift,
    staffing,
    table_clock,
)
from croupier.table.parts.chips import chip_journal as _chips_entries  # noqa: F401  (its events move money)
from croupier.table.parts.chips import part as chips
from croupier.table.parts.decks import part as decks
from croupier.table.parts.payouts import part as payouts
from croupier.table.parts.progressive import part as progressive
from croupier.table.parts.round import irregularity_evidence
from croupier.table.parts.round import part as played
from croupier.table.parts.seats import part as seats

if TYPE_CHECKING:
    from croupier.table.table import Table

# In the order of a shift; where several parts have a say in one command they speak in this order.
PARTS: tuple[Part, ...] = (
    house_binding.PART,
    staffing.PART,
    table_clock.PART,
    shift.PART,
    devices.PART,
    seats.PART,
    decks.PART,
    progressive.PART,
    payouts.PART,
    conduct.PART,
    disputes.PART,
    investigations.PART,
    limit_changes.PART,
    irregularity_evidence.PART,
    played.PART,
    chips.PART,
    electronic_credits.PART,
    deck_commitment.PART,
)


class CommandRoute(msgspec.Struct, frozen=True):
    """How one kind of command is decided in one service."""

    act: CommandSpec
    before: tuple[Before, ...]
    after: tuple[After, ...]


def _plans(service: Service) -> dict[type[Command], CommandRoute]:
    on = [part for part in PARTS if service in part.services]
    plans = {}
    for act in (act for part in on for act in part.acts):
        kind = act.like or act.command
        plans[act.command] = CommandRoute(
            act,
            tuple(part.before[kind] for part in on if kind in part.before),
            tuple(part.after[kind] for part in on if kind in part.after),
        )
    return plans


def _posting(legs_of: Callable[[Book, Any], Entries]) -> Evolve:
    """What `Book.post` does for one kind of event, which is then known already."""

    def post(table: Table, event: Event) -> None:
        book = table.book
        book.move(legs_of(book, event))

    return post


def _evolving(service: Service) -> dict[type[Event], tuple[Evolve, ...]]:
    # Money moves first, then the round: the other parts look at what it has become.
    on = sorted(PARTS, key=lambda part: part is not played.PART)
    found: dict[type[Event], tuple[Evolve, ...]] = {
        kind: (_posting(legs_of),) for kind, legs_of in ENTRIES.items()
    }
    for part in on:
        for kind, evolve in part.evolve.items() if service in part.services else ():
            found[kind] = (*found.get(kind, ()), evolve)
    return found


PLANS = {service: _plans(service) for service in SERVICES}
EVOLVING = {service: _evolving(service) for service in SERVICES}
