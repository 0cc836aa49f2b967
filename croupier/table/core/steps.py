"""Steps: the commands available now, who may give them, and their input fields.

A step never reveals the right answer: counts and cards are not proposed. A step that is blocked
says why. Each step cites the clauses behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import Refusal
from croupier.table.core.fields import (
    WHOLE_COMMAND,
    CardField,
    CardsField,
    ChipsField,
    CountField,
    CountsField,
    FieldType,
    TextField,
)
from croupier.table.core.messages import Command, Event, kind_of
from croupier.table.core.part import (
    ActionTemplate,
    CommandSpec,
    OfferToPlayers,
    Service,
    Urgency,
    offers_nothing,
)
from croupier.table.core.roles import STAFF, VISITORS, Account, Role
from croupier.table.core.titles import step_title, title_of
from croupier.table.parts.round.messages import Settle, SettleSeat, Showdown, TurnHand

if TYPE_CHECKING:
    from croupier.table.core.views import StepView
    from croupier.table.table import Table

NEWCOMER = "new player"
NEVER_PROPOSED = (CountField, CountsField, ChipsField, CardsField, CardField)
URGENCY_ORDER = {"overdue": 0, "due": 1, "may": 2}
REVEALS_CARDS = (Showdown, TurnHand, SettleSeat, Settle)  # their events depend on hidden cards


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One command that is available now.

    `who` are the accounts that may give it; any account of a role in `open_to` may too, except the
    ids in `except_for`. `fields` are the input fields, `fixed` the values already determined.
    `blocked` is the reason why the command would be refused now, or empty.
    """

    kind: str
    subject: str  # the heading that screens list it under
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
    in_person: bool = False  # staff may not enter it for a player
    consequence: str = ""  # what follows, shown before it is confirmed

    @property
    def seat(self) -> int | None:
        """The seat the step is about, if any."""
        seat = self.fixed.get("seat")
        return seat if type(seat) is int else None

    def filled(self, **values: Any) -> Command:
        """Return the command with these field values, and examples for the other fields."""
        if WHOLE_COMMAND in self.fields:
            if WHOLE_COMMAND in values:
                command: Command = values[WHOLE_COMMAND]
            else:
                command = self.fields[WHOLE_COMMAND].example()
            return command
        examples = {
            name: field.example() for name, field in self.fields.items() if name not in values
        }
        return self.command(**{**self.fixed, **examples, **values})

    def asks_for(self) -> tuple[str, ...]:
        """Return the names of the fields that are never prefilled."""
        return tuple(n for n, field in self.fields.items() if isinstance(field, NEVER_PROPOSED))

    def actor(self) -> Account:
        """Return an account that may give the command."""
        return self.who[0] if self.who else newcomer(self.open_to[0], self.except_for)

    def admits(self, command: Command, by: Account) -> bool:
        """Whether a command by this account is an accepted form of this step."""
        if self.blocked or type(command) is not self.command or not self.is_for(by):
            return False
        whole = self.fields.get(WHOLE_COMMAND)
        if whole is not None:
            return whole.admits(command)
        return all(
            self.fields[name].admits(getattr(command, name))
            if name in self.fields
            else getattr(command, name) == self.fixed[name]
            for name in command.__struct_fields__
        )

    def is_for(self, by: Account) -> bool:
        """Whether this account may give the command."""
        return by in self.who or (by.role in self.open_to and by.id not in self.except_for)

    def __str__(self) -> str:
        actors = ", ".join(map(str, self.who)) or f"any {' or '.join(self.open_to)}"
        why = f": {self.why}" if self.why else ""
        blocked = f" (not now: {self.blocked})" if self.blocked else ""
        return f"{self.due:<7} {self.kind} by {actors}{why}{blocked} [{' '.join(self.clauses)}]"


def all_steps(table: Table, at: int = 0, account: Account | None = None) -> tuple[Step, ...]:
    """Return the steps, most urgent first and otherwise in the order of a shift; blocked ones last.

    With `account`, only steps that could be for that account: the others are not evaluated.
    """
    if table.bound is None:  # a table is bound to a House by a command that no screen proposes
        return ()
    if account is None:
        steps = [step for spec in table.command_specs() for step in steps_of(table, spec, at)]
    else:
        steps = [
            step
            for spec in specs_for_role(table, account.role)
            for step in steps_for_account(table, spec, account, at)
        ]
    return tuple(sorted(steps, key=step_order))


def step_order(step: Step | StepView) -> tuple[bool, int]:
    """Return the sort key of a step: most urgent first, blocked steps last."""
    return bool(step.blocked), URGENCY_ORDER[step.due]


def next_steps(table: Table, at: int) -> tuple[Step, ...]:
    """Return the steps that would be accepted now."""
    return tuple(step for step in all_steps(table, at) if not step.blocked)


def steps_of(table: Table, spec: CommandSpec, at: int) -> Iterator[Step]:
    """Yield the steps of one kind of command."""
    for template in spec.offers(table, at):
        yield step_of(table, spec, template, at)


_specs_for_role: dict[tuple[Service, Role], tuple[CommandSpec, ...]] = {}


def specs_for_role(table: Table, role: Role) -> tuple[CommandSpec, ...]:
    """Return the commands that could be offered to a role; cached by service."""
    specs = _specs_for_role.get((table.service, role))
    if specs is None:
        specs = tuple(
            spec
            for spec in table.command_specs()
            if spec.offers is not offers_nothing and role in spec.roles
        )
        _specs_for_role[table.service, role] = specs
    return specs


def steps_for_account(
    table: Table,
    spec: CommandSpec,
    account: Account,
    at: int,
) -> Iterator[Step]:
    """Yield the steps of one kind of command that could be for an account."""
    offers = spec.offers
    own = offers.to(table, account.id) if isinstance(offers, OfferToPlayers) else None
    for template in offers(table, at) if own is None else own:
        if template.who is not None:
            named, roles = template.who, template.open_to
        else:
            named = assigned_staff(table, spec)
            roles = (*template.open_to, *unassigned_roles(table, spec, template))
        if account in named or (account.role in roles and account.id not in template.except_for):
            yield step_of(table, spec, template, at)


def unassigned_roles(table: Table, spec: CommandSpec, template: ActionTemplate) -> tuple[Role, ...]:
    """Return the roles that may use a template without an assignment at the table."""
    if template.who is not None:
        return ()
    roles: tuple[Role, ...] = ("system",) if "system" in spec.roles else ()
    if not template.open_to:
        roles += tuple(role for role in spec.roles if role in VISITORS)
    return roles


def assigned_staff(table: Table, spec: CommandSpec) -> tuple[Account, ...]:
    """Return the staff assigned to the table whose role may give the command."""
    return tuple(
        Account(name, role)
        for name, role in table.posts.here.items()
        if role in spec.roles and role in STAFF
    )


def step_of(table: Table, spec: CommandSpec, template: ActionTemplate, at: int) -> Step:
    """Build the step of a template: who may take it, or why it is blocked."""
    command = template.command
    named = template.who if template.who is not None else assigned_staff(table, spec)
    trial = Trial(table, command, at)
    accepted: dict[Role, bool] = {}  # one trial per role, unless the account matters
    who = []
    for account in named if not template.open_to else ():
        if spec.per_account or account.role not in accepted:
            accepted[account.role] = trial.accepted(account)
        if accepted[account.role]:
            who.append(account)
    roles = (*template.open_to, *unassigned_roles(table, spec, template))
    open_to = tuple(role for role in roles if trial.accepted(newcomer(role, template.except_for)))
    refusals = trial.refusals
    blocked = "" if who or open_to else (str(refusals[0]) if refusals else "no eligible person")
    names = command.__struct_fields__
    fixed = {name: getattr(command, name) for name in names if name not in template.fields}
    consequence = spec.consequence(table, trial.events) if spec.consequence else ""
    return Step(
        kind=kind_of(command),
        subject=spec.subject,
        title=template.title or step_title(command, fixed),
        sentence=title_of(type(command)).sentence,
        command=type(command),
        fixed=fixed,
        fields=template.fields,
        who=tuple(who) if not blocked else named,
        open_to=open_to if not blocked else roles,
        except_for=template.except_for,
        clauses=step_clauses(table, spec, template, trial),
        due=template.due,
        why=template.why,
        blocked=blocked,
        in_person=spec.in_person(table),
        consequence="" if blocked else consequence,
    )


def newcomer(role: Role, taken: tuple[str, ...]) -> Account:
    """Return an account of a role whose id is not taken."""
    name = "system" if role == "system" else TextField(NEWCOMER, taken).example()
    return Account(name, role)


class Trial:
    """A command decided for several accounts without applying it.

    Collects the refusals, and the events of the last accepted decision.
    """

    def __init__(self, table: Table, command: Command, at: int) -> None:
        self.table, self.command, self.at = table, command, at
        self.refusals: list[Refusal] = []
        self.events: tuple[Event, ...] = ()

    def accepted(self, by: Account) -> bool:
        """Whether the command would be accepted from this account."""
        try:
            events = self.table.decide_command(self.command, by, self.at)
        except Refusal as refusal:
            self.refusals.append(refusal)
            return False
        self.events = tuple(events)
        return True

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the events cite."""
        return tuple(dict.fromkeys(c for event in self.events for c in event.clauses))


def step_clauses(
    table: Table, spec: CommandSpec, template: ActionTemplate, trial: Trial
) -> tuple[str, ...]:
    """Return the clauses of a step: those its events would cite, unless they are unknown or secret.

    The events of a count or a card depend on input that is not there yet, and the clauses of a
    showdown or settlement would reveal hands that are face down.
    """
    open_ended = any(isinstance(field, NEVER_PROPOSED) for field in template.fields.values())
    secret = open_ended or isinstance(template.command, REVEALS_CARDS)
    clauses = () if secret else trial.clauses
    return clauses or table.authority_clauses(spec, template.command)
