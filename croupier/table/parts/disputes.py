"""Disputes: opened about any round, decided by the floor within three days, or forwarded.

The record of the round is held from the moment a dispute is opened. What the floor has not
decided in time goes to the Commission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from croupier.clock import DAY
from croupier.errors import Refusal
from croupier.table.core.cases import Cases, check_text, is_late, urgency
from croupier.table.core.fields import AmountField, FieldType, TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import FLOOR, PLAYER, STAFF, Account
from croupier.table.parts.conduct import HOLD, HoldPlaced, check_round

if TYPE_CHECKING:
    from croupier.table.table import Table

DISPUTES = "COMAR 36.03.10.47B"
DAYS = 3

# What may be asked for.


class OpenDispute(Command, frozen=True, tag="open_dispute"):
    """A player or somebody of the staff disputes what happened in a round."""

    round: int
    text: str


class DecideDispute(Command, frozen=True, tag="decide_dispute"):
    """A floorperson decides a dispute, and says why."""

    number: int
    decision: str
    reason: str


class ForwardDispute(Command, frozen=True, tag="forward_dispute"):
    """A dispute that is not resolved goes to the Commission."""

    number: int
    reason: str


# What happened.


class DisputeOpened(Event, frozen=True, kw_only=True, tag="dispute_opened"):
    """A dispute waits for the floor until `until`; its round is held."""

    audience: ClassVar[Audience] = "own"

    number: int
    round: int
    player: str  # who opened it, player or not
    text: str
    until: int
    by: Account


class DisputeDecided(Event, frozen=True, kw_only=True, tag="dispute_decided"):
    """The floor's decision; what it costs is corrected by its own entry."""

    audience: ClassVar[Audience] = "own"

    number: int
    player: str
    decision: str
    reason: str


class DisputeForwarded(Event, frozen=True, kw_only=True, tag="dispute_forwarded"):
    """A dispute is the Commission's from here on."""

    audience: ClassVar[Audience] = "own"

    number: int
    player: str
    reason: str


@dataclass(slots=True)
class Dispute:
    """A dispute that nobody has resolved yet."""

    number: int
    round: int
    by: Account
    until: int


Disputes: TypeAlias = Cases[Dispute]


def was_opened(table: Table, event: DisputeOpened) -> None:
    """The clock of a dispute runs."""
    case = Dispute(event.number, event.round, event.by, event.until)
    table.disputes.open(event.number, case)


def resolved(table: Table, event: DisputeDecided | DisputeForwarded) -> None:
    """It waits no more."""
    table.disputes.close(event.number)


# The rules.


def open_dispute(table: Table, command: OpenDispute, by: Account, at: int) -> list[Event]:
    """About any round that was begun; its record is held at once."""
    check_round(table, command.round, DISPUTES)
    check_text(command.text, "what is disputed", DISPUTES)
    number = table.disputes.opened + 1
    opened = DisputeOpened(
        number=number,
        round=command.round,
        player=by.id,
        text=command.text,
        until=table.now(at) + DAYS * DAY,
        by=by,
        clauses=(DISPUTES,),
    )
    held = HoldPlaced(round=command.round, reason=f"dispute {number}", clauses=(HOLD,))
    return [opened, held]


def waiting(table: Table, number: int, reason: str) -> Dispute:
    """A dispute that is not resolved, with a reason for what is done about it."""
    found = table.disputes.find(number, "dispute", DISPUTES)
    check_text(reason, "a reason", DISPUTES)
    return found


def decide_dispute(table: Table, command: DecideDispute, by: Account, at: int) -> list[Event]:
    """In time, and by another person than the one who opened it."""
    found = waiting(table, command.number, command.reason)
    check_text(command.decision, "a decision", DISPUTES)
    if found.by.id == by.id:
        raise Refusal(f"{by.id} opened dispute {found.number}; another person decides", DISPUTES)
    if is_late(table, found, at):
        raise Refusal(f"the {DAYS} days are over; dispute {found.number} is forwarded", DISPUTES)
    return [
        DisputeDecided(
            number=found.number,
            player=found.by.id,
            decision=command.decision,
            reason=command.reason,
            clauses=(DISPUTES,),
        )
    ]


def forward_dispute(table: Table, command: ForwardDispute, by: Account, at: int) -> list[Event]:
    """Whenever the floor cannot resolve it; at the latest when its time is over."""
    found = waiting(table, command.number, command.reason)
    return [
        DisputeForwarded(
            number=found.number,
            player=found.by.id,
            reason=command.reason,
            clauses=(DISPUTES,),
        )
    ]


def offer_open(table: Table, at: int) -> Iterator[ActionTemplate]:
    """To every player and everybody of the staff, once there was a round."""
    if not table.rounds_played:
        return
    command = OpenDispute(table.rounds_played, "as told")
    forms: dict[str, FieldType] = {
        "round": AmountField(1, table.rounds_played),
        "text": TextField("as told"),
    }
    yield ActionTemplate(command=command, fields=forms)
    yield ActionTemplate(command=command, fields=forms, open_to=PLAYER)


def offer_decide(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every dispute whose time is not over."""
    for number, found in table.disputes.waiting.items():
        if not is_late(table, found, at):
            yield ActionTemplate(
                command=DecideDispute(number, "the settlement stands", "looked at again"),
                fields={
                    "decision": TextField("the settlement stands"),
                    "reason": TextField("looked at again"),
                },
                due="due",
                why=f"round {found.round} is disputed",
            )


def offer_forward(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every dispute; overdue when its time is over."""
    for number, found in table.disputes.waiting.items():
        late = is_late(table, found, at)
        yield ActionTemplate(
            command=ForwardDispute(number, "not resolved"),
            fields={"reason": TextField("not resolved")},
            due=urgency(table, found, at),
            why=f"the {DAYS} days of dispute {number} are over" if late else "",
        )


def deadlines(table: Table) -> Iterator[Deadline]:
    """When each dispute must be decided."""
    return table.disputes.deadlines("dispute {} goes to the Commission", DISPUTES)


COMMANDS = (
    CommandSpec(
        command=OpenDispute,
        roles=(*PLAYER, *STAFF),
        duty="conduct.view",
        law=DISPUTES,
        decide=open_dispute,
        offers=offer_open,
    ),
    CommandSpec(
        command=DecideDispute,
        roles=FLOOR,
        duty="conduct.view",
        law=DISPUTES,
        decide=decide_dispute,
        offers=offer_decide,
        per_account=True,
    ),
    CommandSpec(
        command=ForwardDispute,
        roles=FLOOR,
        duty="conduct.view",
        law=DISPUTES,
        decide=forward_dispute,
        offers=offer_forward,
    ),
)
PART = Part(
    name="disputes",
    services=ATTENDED,
    commands=COMMANDS,
    evolve={DisputeOpened: was_opened, DisputeDecided: resolved, DisputeForwarded: resolved},
    deadlines=deadlines,
)
