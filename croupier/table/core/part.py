"""A part: one subject of a table, with its state, commands, events, rules and steps.

A table is composed of parts; each part is one module or folder. A part hooks into the commands
of other parts: a `before` hook may refuse the command, and returns the duties that it
fulfills; an `after` hook sees the events of the command and may refuse it or add events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from croupier.table.core.fields import FieldType
from croupier.table.core.messages import Command, Event
from croupier.table.core.roles import Account, Role

if TYPE_CHECKING:
    from croupier.table.table import Table

# What is modeled around the rounds: nothing; seats and chips without staff; a complete table with
# staff, equipment and chips.
Service: TypeAlias = Literal["rounds", "practice", "attended"]
SERVICES: tuple[Service, ...] = ("rounds", "practice", "attended")
EVERYWHERE: tuple[Service, ...] = SERVICES
WITH_SEATS: tuple[Service, ...] = ("practice", "attended")
ATTENDED: tuple[Service, ...] = ("attended",)

IRREGULARITIES = "Irregularities"  # the subject of what goes wrong, in several parts

Urgency: TypeAlias = Literal["may", "due", "overdue"]
Decide: TypeAlias = Callable[["Table", Any, Account, int], list[Event]]
Before: TypeAlias = Callable[["Table", Any, Account, int], tuple[str, ...]]
After: TypeAlias = Callable[["Table", Any, Account, int, list[Event]], list[Event]]
Consequence: TypeAlias = Callable[["Table", Sequence[Event]], str]
Evolve: TypeAlias = Callable[["Table", Any], None]


class ActionTemplate(msgspec.Struct, frozen=True, kw_only=True):
    """A command that could be given now, with the input fields to fill in.

    A template is a candidate: only a trial of the command tells whether it would be accepted.
    `who` limits it to these accounts (default: every account with one of the command's roles);
    `open_to` lets any account of these roles give it, except the ids in `except_for`.
    """

    command: Command
    fields: dict[str, FieldType] = {}
    due: Urgency = "may"
    why: str = ""
    title: str = ""  # of the step, if it depends on more than the command
    who: tuple[Account, ...] | None = None
    open_to: tuple[Role, ...] = ()
    except_for: tuple[str, ...] = ()


def offers_nothing(table: Table, at: int) -> Iterable[ActionTemplate]:
    """Offer no steps: the command is not proposed on any screen."""
    return ()


class OfferToPlayers(msgspec.Struct, frozen=True):
    """Offers a command to each seated player: `offer(table, seat, player)` yields the templates."""

    offer: Callable[[Table, int, str], Iterable[ActionTemplate]]

    def __call__(self, table: Table, at: int) -> Iterable[ActionTemplate]:
        """Offer it to every player."""
        for seat, player in sorted(table.seats.taken.items()):
            yield from self.offer(table, seat, player)

    def to(self, table: Table, player: str) -> Iterable[ActionTemplate]:
        """Offer it to one player."""
        seat = table.seats.seat_of(player)
        return () if seat is None else self.offer(table, seat, player)


class CommandSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of command: who may give it, how it is decided, and when it is offered."""

    command: type[Command]
    roles: tuple[Role, ...]
    duty: str  # the duty in the rules whose clause says who gives the command
    law: str = ""  # the regulation or interpretation that says so, if the rules do not
    duty_of: Callable[[Any], str] | None = None  # the duty, if it depends on the command
    law_of: Callable[[Table, Any], str] | None = None  # the law, if it depends on the table
    decide: Decide
    offers: Callable[[Table, int], Iterable[ActionTemplate]] = offers_nothing
    needs_no_post: bool = False  # staff need no assignment at the table
    per_account: bool = False  # the decision depends on the account, not only on its role
    in_person: Callable[[Table], bool] = lambda table: False  # where staff may not enter it
    consequence: Consequence | None = None  # of the events in words, shown before it is confirmed
    like: type[Command] | None = None  # use the hooks of this command
    subject: str = ""  # the heading that screens list it under; default: that of its part


class Deadline(msgspec.Struct, frozen=True):
    """A time at which the available steps change without a command."""

    at: int
    what: str
    clause: str


Deadlines: TypeAlias = Callable[["Table"], Iterable[Deadline]]


def no_deadlines(table: Table) -> Iterable[Deadline]:
    """Return no deadlines."""
    return ()


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One subject of a table: its commands, its hooks into other commands, its event handlers."""

    subject: str  # the heading of its commands on screens; several parts may share it
    services: tuple[Service, ...]  # the services in which it is active
    commands: tuple[CommandSpec, ...] = ()
    before: Mapping[type[Command], Before] = {}
    after: Mapping[type[Command], After] = {}
    evolve: Mapping[type[Event], Evolve] = {}
    deadlines: Deadlines = no_deadlines
