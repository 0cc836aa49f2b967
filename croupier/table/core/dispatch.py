"""Dispatch of commands and events: the parts of a table, and the routes and handlers they add."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table.core.accounting import POSTING_RULES, Book, Legs
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import SERVICES, After, Before, CommandSpec, Evolve, Part, Service
from croupier.table.core.roles import Role
from croupier.table.parts import (
    conduct,
    corrections,
    deck_commitment,
    devices,
    disabling,
    disputes,
    electronic_credits,
    house_binding,
    investigations,
    limit_changes,
    shift,
    staffing,
    table_clock,
)
from croupier.table.parts.chips import chip_journal as _  # noqa: F401  (registers posting rules)
from croupier.table.parts.chips import part as chips
from croupier.table.parts.decks import part as decks
from croupier.table.parts.payouts import part as payouts
from croupier.table.parts.progressive import part as progressive
from croupier.table.parts.round import irregularity_evidence
from croupier.table.parts.round import part as played
from croupier.table.parts.seats import part as seats

if TYPE_CHECKING:
    from croupier.table.table import Table

# In the order of a shift; the hooks of one command run in this order.
PARTS: tuple[Part, ...] = (
    house_binding.PART,
    disabling.PART,
    corrections.PART,
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
    """How one kind of command is decided in one service: its specification and its hooks."""

    spec: CommandSpec
    before: tuple[Before, ...]
    after: tuple[After, ...]


def _command_routes(service: Service) -> dict[type[Command], CommandRoute]:
    active = [part for part in PARTS if service in part.services]
    routes = {}
    for owner, spec in ((part, spec) for part in active for spec in part.commands):
        kind = spec.like or spec.command
        routes[spec.command] = CommandRoute(
            msgspec.structs.replace(
                spec, roles=_roles(spec, service), subject=spec.subject or owner.subject
            ),
            tuple(part.before[kind] for part in active if kind in part.before),
            tuple(part.after[kind] for part in active if kind in part.after),
        )
    return routes


def _roles(spec: CommandSpec, service: Service) -> tuple[Role, ...]:
    """The roles that may give a command; the system acts for people whom a service leaves out."""
    left_out = service == "rounds" or (service == "practice" and "dealer" in spec.roles)
    return (*spec.roles, "system") if left_out and "system" not in spec.roles else spec.roles


def _posting_handler(legs_of: Callable[[Book, Any], Legs]) -> Evolve:
    """Return an event handler that does what `Book.post` does, without its lookup by type."""

    def post(table: Table, event: Event) -> None:
        book = table.book
        book.move(legs_of(book, event))

    return post


def _event_handlers(service: Service) -> dict[type[Event], tuple[Evolve, ...]]:
    # Money moves first, then the round changes: the other parts read both.
    parts = sorted(PARTS, key=lambda part: part is not played.PART)
    handlers: dict[type[Event], tuple[Evolve, ...]] = {
        kind: (_posting_handler(legs_of),) for kind, legs_of in POSTING_RULES.items()
    }
    for part in parts:
        for kind, evolve in part.evolve.items() if service in part.services else ():
            handlers[kind] = (*handlers.get(kind, ()), evolve)
    return handlers


COMMAND_ROUTES = {service: _command_routes(service) for service in SERVICES}
EVENT_HANDLERS = {service: _event_handlers(service) for service in SERVICES}
