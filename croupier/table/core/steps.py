"""What may happen next, who may do it, what is left open, and which clause says so.

A step is a command as a form. It says what somebody has to fill in and never what the right answer
is: no count and no card is proposed. A step that cannot be taken now says why.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents
from croupier.table.core.fields import (
    WHOLE,
    Cards,
    ChipsField,
    CountField,
    Counts,
    FieldType,
    OneCard,
    TextField,
)
from croupier.table.core.messages import Command, kind_of
from croupier.table.core.part import ActionTemplate, CommandSpec, Service, Urgency, offers_nothing
from croupier.table.core.roles import STAFF, VISITORS, Account, Role
from croupier.table.core.step_cache import FOLLOW_CHIPS, are_kept, own_of, read_by, refilled
from croupier.table.core.titles import words_of
from croupier.table.parts.round.messages import Settle, SettleSeat, Showdown, TurnHand

if TYPE_CHECKING:
    from croupier.table.core.views import StepView
    from croupier.table.table import Table

STRANGER = "somebody new"
NEVER_PROPOSED = (CountField, Counts, ChipsField, Cards, OneCard)
ORDER = {"overdue": 0, "due": 1, "may": 2}
MOST_KEPT = 200  # that are kept at one table; then all are worked out anew
HIDES = (Showdown, TurnHand, SettleSeat, Settle)  # what they lead to depends on hidden cards


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One command that could be given now.

    `who` are the people who may give it; `open_to` are roles of which anybody may, except those
    named. `fields` says what may be filled in, `fixed` what is settled already. `blocked` is why
    it cannot be given although the moment would be right; nothing if it can.
    """

    kind: str
    title: str
    sentence: str
    command: type[Command]
    fixed: dict[str, Any]
    fields: dict[str, FieldType]
    who: tuple[Account, ...]
    open_to: tuple[Role, ...] = ()
    except_for: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    due: Urgency = "may"
    why: str = ""
    blocked: str = ""

    @property
    def seat(self) -> int | None:
        """The seat it is about, if it is about one."""
        seat = self.fixed.get("seat")
        return seat if type(seat) is int else None

    def filled(self, **values: Any) -> Command:
        """The command with these values in its open fields, the others as they are proposed."""
        if WHOLE in self.fields:
            whole: Command = values[WHOLE] if WHOLE in values else self.fields[WHOLE].example()
            return whole
        proposed = {
            name: form.example() for name, form in self.fields.items() if name not in values
        }
        return self.command(**{**self.fixed, **proposed, **values})

    def asks_for(self) -> tuple[str, ...]:
        """The fields that nobody proposes a value for."""
        return tuple(n for n, form in self.fields.items() if isinstance(form, NEVER_PROPOSED))

    def actor(self) -> Account:
        """Somebody who may give it."""
        return self.who[0] if self.who else stranger(self.open_to[0], self.except_for)

    def admits(self, command: Command, by: Account) -> bool:
        """Whether a command is this step, given by one of its people."""
        if self.blocked or type(command) is not self.command or not self.is_for(by):
            return False
        whole = self.fields.get(WHOLE)
        if whole is not None:
            return whole.admits(command)
        return all(
            self.fields[name].admits(getattr(command, name))
            if name in self.fields
            else getattr(command, name) == self.fixed[name]
            for name in command.__struct_fields__
        )

    def is_for(self, by: Account) -> bool:
        """Whether this person may give the command."""
        return by in self.who or (by.role in self.open_to and by.id not in self.except_for)

    def __str__(self) -> str:
        people = ", ".join(map(str, self.who)) or f"any {' or '.join(self.open_to)}"
        why = f": {self.why}" if self.why else ""
        stopped = f" (not now: {self.blocked})" if self.blocked else ""
        return f"{self.due:<7} {self.kind} by {people}{why}{stopped} [{' '.join(self.clauses)}]"


Whose = tuple[type[Command], Account, Hashable]  # with what they depend on


class KnownSteps:
    """What was worked out before: offers of this moment, and steps until what they read changes."""

    def __init__(self) -> None:
        self.offers: dict[type[Command], tuple[ActionTemplate, ...]] = {}
        self._steps: dict[Whose, tuple[Step, ...]] = {}
        self._chips: dict[Whose, Cents] = {}  # that their forms speak of
        self._house: object = None  # under which they were worked out

    def move_on(self, table: Table) -> None:
        """Another moment."""
        self.offers = {}
        if table.house is not self._house or len(self._steps) > MOST_KEPT:
            self._house, self._steps, self._chips = table.house, {}, {}

    def every_step(
        self, table: Table, acts: Iterable[CommandSpec], near: Account, at: int
    ) -> Iterator[tuple[Step, ...]]:
        """The steps of each kind of command that could be for an account."""
        own = own_of(table, near.id) if are_kept(table, near) else None
        for act in acts:
            read = read_by(table, act.command, own) if own is not None else None
            yield self.steps_near(table, act, near, at, read)

    def steps_near(
        self, table: Table, act: CommandSpec, near: Account, at: int, read: Hashable
    ) -> tuple[Step, ...]:
        """The steps of one kind of command that could be for an account, by what they read."""
        whose = (act.command, near, read)
        found = self._steps.get(whose) if read is not None else None
        if found is not None:
            return self._refilled(table, whose, found)
        if act.command not in self.offers:
            self.offers[act.command] = tuple(act.offers(table, at))
        found = tuple(steps_near(table, act, near, at, self.offers[act.command]))
        if read is not None:
            self._steps[whose] = found
            self._chips[whose] = table.book.rack(near.id)
        return found

    def _refilled(self, table: Table, whose: Whose, found: tuple[Step, ...]) -> tuple[Step, ...]:
        """Steps that were kept, with the chips of now filled in where they say how many."""
        kind, near, _ = whose
        if kind not in FOLLOW_CHIPS or not found:
            return found
        chips = table.book.rack(near.id)
        if chips != self._chips[whose]:
            found = tuple(
                msgspec.structs.replace(step, fields=refilled(step.fields, chips)) for step in found
            )
            self._steps[whose], self._chips[whose] = found, chips
        return found


def all_steps(
    table: Table, at: int, near: Account | None = None, known: KnownSteps | None = None
) -> tuple[Step, ...]:
    """Every step, the most urgent first, in the order of a shift; what is blocked comes last.

    `near` somebody, only those that could be for that account: most others are not worked out.
    `known` keeps what was worked out, for those who ask next.
    """
    if table.bound is None:  # all that can happen is done at a desk: it is bound to a House
        return ()
    if near is None:
        found = [step for act in table.acts() for step in steps_of(table, act, at)]
    else:
        kept = KnownSteps() if known is None else known
        acts = acts_near(table, near.role)
        found = [step for steps in kept.every_step(table, acts, near, at) for step in steps]
    return tuple(sorted(found, key=place_of))


def place_of(step: Step | StepView) -> tuple[bool, int]:
    """Where a step stands among others: the most urgent first, what is blocked last."""
    return bool(step.blocked), ORDER[step.due]


def next_steps(table: Table, at: int) -> tuple[Step, ...]:
    """Every step that would be accepted."""
    return tuple(step for step in all_steps(table, at) if not step.blocked)


def steps_of(table: Table, act: CommandSpec, at: int) -> Iterator[Step]:
    """The steps of one kind of command."""
    for offer in act.offers(table, at):
        yield step_of(table, act, offer, at)


_acts_near: dict[tuple[Service, Role], tuple[CommandSpec, ...]] = {}  # the same at every such table


def acts_near(table: Table, role: Role) -> tuple[CommandSpec, ...]:
    """The commands that could be offered to a role."""
    found = _acts_near.get((table.service, role))
    if found is None:
        stands_in = role == "system" and not table.attended
        found = tuple(
            act
            for act in table.acts()
            if act.offers is not offers_nothing
            and (role in act.roles or (stands_in and "dealer" in act.roles))
        )
        _acts_near[table.service, role] = found
    return found


def steps_near(
    table: Table, act: CommandSpec, near: Account, at: int, offers: Iterable[ActionTemplate]
) -> Iterator[Step]:
    """Those of the offers that could be for an account, as steps."""
    for offer in offers:
        named = offer.who if offer.who is not None else people_for(table, act)
        if near in named or (
            near.role in (*offer.open_to, *machines_for(table, act, offer))
            and near.id not in offer.except_for
        ):
            yield step_of(table, act, offer, at)


def machines_for(table: Table, act: CommandSpec, offer: ActionTemplate) -> tuple[Role, ...]:
    """Roles without a post that may take an offer which names nobody."""
    if offer.who is not None:
        return ()
    stands_in = not table.attended and "dealer" in act.roles
    machines: tuple[Role, ...] = ("system",) if "system" in act.roles or stands_in else ()
    if not offer.open_to:
        machines += tuple(role for role in act.roles if role in VISITORS)
    return machines


def people_for(table: Table, act: CommandSpec) -> list[Account]:
    """Those on a post whose role may give the command."""
    return [
        Account(name, role)
        for name, role in table.posts.here.items()
        if role in act.roles and role in STAFF
    ]


def step_of(table: Table, act: CommandSpec, offer: ActionTemplate, at: int) -> Step:
    """The step behind an offer: for those who may take it, or with what stands in its way."""
    named = offer.who if offer.who is not None else tuple(people_for(table, act))
    machines = machines_for(table, act, offer)
    trial = Trial(table, offer.command, at)
    asked: dict[Role, bool] = {}  # one answer for all of a role
    who = []
    for person in named if not offer.open_to else ():
        if act.personal or person.role not in asked:
            asked[person.role] = trial.accepted(person)
        if asked[person.role]:
            who.append(person)
    anybody = (*offer.open_to, *machines)
    open_to = tuple(role for role in anybody if trial.accepted(stranger(role, offer.except_for)))
    refusals = trial.refusals
    blocked = "" if who or open_to else (str(refusals[0]) if refusals else "nobody is here")
    fields = offer.command.__struct_fields__
    words = words_of(type(offer.command))
    return Step(
        kind=kind_of(offer.command),
        title=words.title,
        sentence=words.sentence,
        command=type(offer.command),
        fixed={name: getattr(offer.command, name) for name in fields if name not in offer.forms},
        fields=offer.forms,
        who=tuple(who) if not blocked else tuple(named),
        open_to=open_to if not blocked else anybody,
        except_for=offer.except_for,
        clauses=cited(table, act, offer, trial),
        due=offer.due,
        why=offer.why,
        blocked=blocked,
    )


def stranger(role: Role, known: tuple[str, ...]) -> Account:
    """Somebody of a role who is not among those known at the table."""
    name = "system" if role == "system" else TextField(STRANGER, known).example()
    return Account(name, role)


class Trial:
    """A command tried for several people: who would be accepted, why not, and what is cited."""

    def __init__(self, table: Table, command: Command, at: int) -> None:
        self.table, self.command, self.at = table, command, at
        self.refusals: list[Refusal] = []
        self.clauses: tuple[str, ...] = ()

    def accepted(self, by: Account) -> bool:
        """Whether the command would be accepted; why not is kept."""
        try:
            events = self.table.decide_command(self.command, by, self.at)
        except Refusal as refusal:
            self.refusals.append(refusal)
            return False
        self.clauses = tuple(dict.fromkeys(c for event in events for c in event.clauses))
        return True


def cited(table: Table, act: CommandSpec, offer: ActionTemplate, trial: Trial) -> tuple[str, ...]:
    """The clauses of a step: those of what it leads to, unless that depends on what is hidden.

    What a count or a card leads to is not known before it is there, and what a showdown or a
    settlement would say of hands that lie face down is nobody's to read before it happens.
    """
    open_ended = any(isinstance(form, NEVER_PROPOSED) for form in offer.forms.values())
    if open_ended or isinstance(offer.command, HIDES) or not trial.clauses:
        return table.who_says(act, offer.command)
    return trial.clauses
