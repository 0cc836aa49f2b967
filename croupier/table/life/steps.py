"""What may happen next, who may do it, what is left open, and which clause says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Refusal
from croupier.table.commands import Command, Settle
from croupier.table.events import Event, RoundClosed
from croupier.table.life.acts import Act, Offer, Urgency
from croupier.table.life.events import LifeEvent
from croupier.table.life.forms import WHOLE, Form, Text
from croupier.table.life.people import STAFF, SYSTEM, Person, Role
from croupier.table.life.register import ACTS

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

STRANGER = "somebody new"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One command that would be accepted now.

    `who` are the people who may give it; `open_to` are roles of which anybody may, except those
    named. `parameters` says what may be filled in; everything else is as in the example.
    """

    kind: str
    command: Command
    roles: tuple[Role, ...]
    who: tuple[Person, ...]
    open_to: tuple[Role, ...] = ()
    except_for: tuple[str, ...] = ()
    seat: int | None = None
    parameters: dict[str, Form] = {}
    clauses: tuple[str, ...] = ()
    due: Urgency = "may"
    why: str = ""

    def example(self) -> Command:
        """A legal command."""
        return self.command

    def actor(self) -> Person:
        """Somebody who may give it."""
        return self.who[0] if self.who else stranger(self.open_to[0], self.except_for)

    def admits(self, command: Command, by: Person) -> bool:
        """Whether a command is this step, given by one of its people."""
        if type(command) is not type(self.command) or not self.is_for(by):
            return False
        whole = self.parameters.get(WHOLE)
        if whole is not None:
            return whole.admits(command)
        return all(
            self.parameters[name].admits(getattr(command, name))
            if name in self.parameters
            else getattr(command, name) == getattr(self.command, name)
            for name in command.__struct_fields__
        )

    def is_for(self, by: Person) -> bool:
        """Whether this person may give the command."""
        return by in self.who or (by.role in self.open_to and by.name not in self.except_for)

    def __str__(self) -> str:
        people = ", ".join(map(str, self.who)) or f"any {' or '.join(self.open_to)}"
        cited = " ".join(self.clauses)
        why = f": {self.why}" if self.why else ""
        return f"{self.due:<7} {self.kind} by {people}{why} [{cited}]"


def next_steps(live: LiveTable, at: int) -> tuple[Step, ...]:
    """Every offer that is accepted, the most urgent first, otherwise in the order of a shift."""
    found = [step for act in ACTS.values() for step in steps_of(live, act, at)]
    order = {"overdue": 0, "due": 1, "may": 2}
    return tuple(sorted(found, key=lambda step: order[step.due]))


def steps_of(live: LiveTable, act: Act, at: int) -> Iterator[Step]:
    """The steps of one kind of command."""
    for offer in act.offers(live, at):
        step = accepted(live, act, offer, at)
        if step is not None:
            yield step


def people_for(live: LiveTable, act: Act) -> list[Person]:
    """Those on a post whose role may give the command, and the machines."""
    return [
        Person(name, role)
        for name, role in live.life.posts.items()
        if role in act.roles and role in STAFF
    ]


def accepted(live: LiveTable, act: Act, offer: Offer, at: int) -> Step | None:
    """The step behind an offer, with the people for whom it is accepted."""
    named = offer.who if offer.who is not None else tuple(people_for(live, act))
    clauses: tuple[str, ...] = ()
    who = []
    asked: dict[Role, tuple[str, ...] | None] = {}  # one answer for all of a role
    for person in named if not offer.open_to else ():
        if act.personal or person.role not in asked:
            asked[person.role] = cited_by(live, offer.command, person, at)
        cited = asked[person.role]
        if cited is not None:
            clauses = clauses or cited
            who.append(person)
    machines: tuple[Role, ...] = ("system",) if "system" in act.roles else ()
    open_to = tuple(
        role
        for role in (*offer.open_to, *(machines if offer.who is None else ()))
        if cited_by(live, offer.command, stranger(role, offer.except_for), at) is not None
    )
    if not who and not open_to:
        return None
    if not clauses:
        anybody = stranger(open_to[0], offer.except_for)
        clauses = cited_by(live, offer.command, anybody, at) or ()
    return Step(
        kind=str(type(offer.command).__struct_config__.tag),
        command=offer.command,
        roles=tuple(dict.fromkeys((*(person.role for person in who), *open_to))),
        who=tuple(who),
        open_to=open_to,
        except_for=offer.except_for,
        seat=getattr(offer.command, "seat", None),
        parameters=offer.forms,
        clauses=clauses,
        due=offer.due,
        why=offer.why,
    )


def stranger(role: Role, known: tuple[str, ...]) -> Person:
    """Somebody of a role who is not among those known at the table."""
    return SYSTEM if role == "system" else Person(Text(STRANGER, known).example(), role)


def cited_by(live: LiveTable, command: Command, by: Person, at: int) -> tuple[str, ...] | None:
    """The clauses of what a command would lead to; None if it is refused."""
    try:
        events = live.consider(command, by, at)
    except Refusal:
        return None
    # What a settlement would say of hidden hands is nobody's to read before it happens.
    told = [event for event in events if not isinstance(command, Settle) or is_open(event)]
    return tuple(dict.fromkeys(clause for event in told for clause in event.clauses))


def is_open(event: Event) -> bool:
    """Whether an event tells nothing of a hand."""
    return isinstance(event, LifeEvent | RoundClosed)
