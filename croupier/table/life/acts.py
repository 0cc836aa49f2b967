"""An act: one kind of command, who may give it, how it is decided, and when it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.life.forms import Form
from croupier.table.life.people import Person, Role

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

Urgency: TypeAlias = Literal["may", "due", "overdue"]


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A command that could be given now, with what may be filled in.

    Offers are guesses: the list of steps keeps those that `decide` accepts.
    """

    command: Command
    forms: dict[str, Form] = {}
    due: Urgency = "may"
    why: str = ""
    who: tuple[Person, ...] | None = None  # these people, instead of all of the act's roles
    open_to: tuple[Role, ...] = ()  # anybody of these roles, also strangers
    except_for: tuple[str, ...] = ()


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of command."""

    command: type[Command]
    roles: tuple[Role, ...]
    duty: str  # whose clause a refusal for the wrong person cites
    decide: Callable[[LiveTable, Any, Person, int], list[Event]]
    offers: Callable[[LiveTable, int], Iterable[Offer]] = lambda live, at: ()
    strangers: bool = False  # no post at the table is needed
    personal: bool = False  # the name matters, not only the role: two people must be two
