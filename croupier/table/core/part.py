"""A part: one subject of a table, with its commands, what it asks of others, and what it remembers.

A table is made of parts. Each part is one module (or folder): its state, commands, events, rules
and steps. Where one subject has a say in another's command, it does not reach into it: `before`
may refuse and names the duties fulfilled, `after` sees the events the command leads to and may
refuse or add to them. A part that is switched off asks for nothing and remembers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from croupier.table.core.fields import FieldType
from croupier.table.core.messages import Command, Event
from croupier.table.core.roles import Account, Role

if TYPE_CHECKING:
    from croupier.table.table import Table

# How much of a casino stands around the rounds: nothing; seats and chips of a practice table
# without staff; everything that a floor has.
Service: TypeAlias = Literal["rounds", "practice", "attended"]
SERVICES: tuple[Service, ...] = ("rounds", "practice", "attended")
EVERYWHERE: tuple[Service, ...] = SERVICES
WITH_SEATS: tuple[Service, ...] = ("practice", "attended")
ATTENDED: tuple[Service, ...] = ("attended",)

Urgency: TypeAlias = Literal["may", "due", "overdue"]
Decide: TypeAlias = Callable[["Table", Any, Account, int], list[Event]]
Before: TypeAlias = Callable[["Table", Any, Account, int], tuple[str, ...]]
After: TypeAlias = Callable[["Table", Any, Account, int, list[Event]], list[Event]]
Evolve: TypeAlias = Callable[["Table", Any], None]


class ActionTemplate(msgspec.Struct, frozen=True, kw_only=True):
    """A command that could be given now, with what may be filled in.

    Offers are guesses: a step says of each whether it would be accepted, and why not.
    """

    command: Command
    forms: dict[str, FieldType] = {}
    due: Urgency = "may"
    why: str = ""
    who: tuple[Account, ...] | None = None  # these people, instead of all of the act's roles
    open_to: tuple[Role, ...] = ()  # anybody of these roles, also strangers
    except_for: tuple[str, ...] = ()


def offers_nothing(table: Table, at: int) -> Iterable[ActionTemplate]:
    """For commands that no screen proposes."""
    return ()


class CommandSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of command: who may give it, how it is decided, and when it is offered."""

    command: type[Command]
    roles: tuple[Role, ...]
    duty: str  # the clause of the document that names the right person
    law: str = ""  # the regulation or the reading that does, where the document does not
    duty_of: Callable[[Any], str] | None = None  # the duty, where it depends on what is asked for
    law_of: Callable[[Table, Any], str] | None = None  # the law, where it depends on what is so
    decide: Decide
    offers: Callable[[Table, int], Iterable[ActionTemplate]] = offers_nothing
    strangers: bool = False  # no post at the table is needed
    personal: bool = False  # the account matters, not only the role: two people must be two
    like: type[Command] | None = None  # other parts have the same say in it as in this command


class Deadline(msgspec.Struct, frozen=True):
    """A moment at which something changes by itself: nobody has to ask again before it."""

    at: int
    what: str
    clause: str


Deadlines: TypeAlias = Callable[["Table"], Iterable[Deadline]]


def no_deadlines(table: Table) -> Iterable[Deadline]:
    """For subjects that know no clock."""
    return ()


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One subject."""

    name: str
    services: tuple[Service, ...]  # where it is switched on
    acts: tuple[CommandSpec, ...] = ()
    before: Mapping[type[Command], Before] = {}
    after: Mapping[type[Command], After] = {}
    evolve: Mapping[type[Event], Evolve] = {}
    deadlines: Deadlines = no_deadlines
