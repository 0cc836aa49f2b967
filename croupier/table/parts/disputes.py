"""Patron disputes about a round: decided by the floor within three days, or forwarded.

The record of the round is held from the moment a dispute is opened. A dispute that the floor has
not decided in time goes to the Commission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

from croupier.clock import DAY
from croupier.errors import Refusal
from croupier.table.core.cases import Cases, check_text, is_late, urgency
from croupier.table.core.fields import AmountField, TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import FLOOR, PLAYER, STAFF, Account
from croupier.table.parts.conduct import HOLD, HoldPlaced, check_round
from croupier.table.parts.seats.state import was_here

if TYPE_CHECKING:
    from croupier.table.table import Table

DISPUTES = "COMAR 36.03.10.47B"
DAYS = 3
WORDS = "as described by the player"
KEPT_DAYS = 14  # how long a player sees the outcome at the table

# Commands


class OpenDispute(Command, frozen=True, tag="open_dispute"):
    """A player or a member of staff disputes what happened in a round."""

    round: int
    text: str


class DecideDispute(Command, frozen=True, tag="decide_dispute"):
    """A floorperson decides a dispute, with a reason."""

    number: int
    decision: str
    reason: str


class ForwardDispute(Command, frozen=True, tag="forward_dispute"):
    """Forward an unresolved dispute to the Commission."""

    number: int
    reason: str


# Events


class DisputeOpened(Event, frozen=True, kw_only=True, tag="dispute_opened"):
    """A dispute was opened; the floor decides it by `until`, and its round is held."""

    audience: ClassVar[Audience] = "own"

    number: int
    round: int
    player: str  # who opened it, player or not
    text: str
    until: int
    by: Account


class DisputeDecided(Event, frozen=True, kw_only=True, tag="dispute_decided"):
    """The floor's decision; any money owed is moved by a separate correction."""

    audience: ClassVar[Audience] = "own"

    number: int
    player: str
    decision: str
    reason: str


class DisputeForwarded(Event, frozen=True, kw_only=True, tag="dispute_forwarded"):
    """A dispute was forwarded to the Commission."""

    audience: ClassVar[Audience] = "own"

    number: int
    player: str
    reason: str


@dataclass(slots=True)
class Dispute:
    """A dispute in the words of the person who opened it, and its outcome once it has one."""

    number: int
    round: int
    by: Account
    text: str
    until: int
    outcome: Literal["open", "decided", "forwarded"] = "open"
    decision: str = ""
    reason: str = ""

    @property
    def opened_at(self) -> int:
        """When it was opened."""
        return self.until - DAYS * DAY


@dataclass(slots=True)
class Disputes(Cases[Dispute]):
    """The open disputes, and those resolved in the last days, whose outcome players see."""

    resolved: dict[int, Dispute] = field(default_factory=dict)

    def of_player(self, player: str) -> list[Dispute]:
        """The disputes that a player opened, the latest first."""
        disputes = (*self.waiting.values(), *self.resolved.values())
        own = (each for each in disputes if each.by == Account(player, "player"))
        return sorted(own, key=lambda dispute: -dispute.number)

    def disputed_by(self, player: str) -> set[int]:
        """The rounds about which a player has an open dispute."""
        return {case.round for case in self.of_player(player) if case.outcome == "open"}


# Event handlers


def was_opened(table: Table, event: DisputeOpened) -> None:
    case = Dispute(event.number, event.round, event.by, event.text, event.until)
    table.disputes.open(event.number, case)


def was_resolved(table: Table, event: DisputeDecided | DisputeForwarded) -> None:
    """Keep the outcome for its player; forget those of earlier days."""
    disputes = table.disputes
    dispute = disputes.close(event.number)
    dispute.reason = event.reason
    dispute.outcome = "forwarded"
    if isinstance(event, DisputeDecided):
        dispute.outcome, dispute.decision = "decided", event.decision
    since = table.clock - KEPT_DAYS * DAY
    recent = {number: old for number, old in disputes.resolved.items() if old.opened_at >= since}
    disputes.resolved = {**recent, event.number: dispute}


# Rules


def open_dispute(table: Table, command: OpenDispute, by: Account, at: int) -> list[Event]:
    """Open a dispute about any round played, and hold the record of that round."""
    check_round(table, command.round, DISPUTES)
    if by.role == "player" and not was_here(table, by.id, at):
        problem = f"{by.id} was not at this table in the last three days; a floorperson may open it"
        raise Refusal(problem, DISPUTES)
    check_text(command.text, "a description of the dispute", DISPUTES)
    if by.role == "player" and command.round in table.disputes.disputed_by(by.id):
        problem = f"{by.id} already disputes round {command.round}; wait until it is decided"
        raise Refusal(problem, DISPUTES)
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
    hold = HoldPlaced(round=command.round, reason=f"dispute {number}", clauses=(HOLD,))
    return [opened, hold]


def find_dispute(table: Table, number: int, reason: str) -> Dispute:
    """Return an open dispute; raises Refusal if it is not open or the reason is blank."""
    dispute = table.disputes.find(number, "dispute", DISPUTES)
    check_text(reason, "a reason", DISPUTES)
    return dispute


def decide_dispute(table: Table, command: DecideDispute, by: Account, at: int) -> list[Event]:
    """Decide a dispute in time; who opened it, dealt the round or played here may not."""
    dispute = find_dispute(table, command.number, command.reason)
    check_text(command.decision, "a decision", DISPUTES)
    if dispute.by.id == by.id:
        raise Refusal(
            f"{by.id} opened dispute {dispute.number}; another person must decide it", DISPUTES
        )
    if table.posts.dealt_round(by.id, dispute.round):
        problem = f"{by.id} dealt round {dispute.round}; another person must decide"
        raise Refusal(problem, DISPUTES)
    if was_here(table, by.id, at):
        raise Refusal(f"{by.id} played at this table; another person must decide", DISPUTES)
    if not table.posts.remembers(dispute.round):
        problem = f"who dealt round {dispute.round} is not remembered; forward the dispute"
        raise Refusal(problem, DISPUTES)
    if is_late(table, dispute, at):
        raise Refusal(f"the {DAYS} days are over; forward dispute {dispute.number}", DISPUTES)
    return [
        DisputeDecided(
            number=dispute.number,
            player=dispute.by.id,
            decision=command.decision,
            reason=command.reason,
            clauses=(DISPUTES,),
        )
    ]


def forward_dispute(table: Table, command: ForwardDispute, by: Account, at: int) -> list[Event]:
    """Forward a dispute that the floor cannot resolve, at the latest when its time is over."""
    dispute = find_dispute(table, command.number, command.reason)
    return [
        DisputeForwarded(
            number=dispute.number,
            player=dispute.by.id,
            reason=command.reason,
            clauses=(DISPUTES,),
        )
    ]


def offer_open(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a dispute to staff and to players who were here, once a round was played."""
    if not table.rounds_played:
        return
    yield ActionTemplate(
        command=OpenDispute(table.rounds_played, WORDS),
        fields={"round": AmountField(1, table.rounds_played), "text": TextField(WORDS)},
    )
    names = sorted({*table.seats.taken.values(), *table.seats.recent})
    offers: dict[tuple[int, int], list[Account]] = {}  # rounds from, to: players
    for name in (name for name in names if was_here(table, name, at)):
        edges = [0, *sorted(table.disputes.disputed_by(name)), table.rounds_played + 1]
        for before, after in pairwise(edges):
            if after - before > 1:
                offers.setdefault((before + 1, after - 1), []).append(Account(name, "player"))
    for (first, last), players in offers.items():
        whole = last - first + 1 == table.rounds_played
        rounds = f"round {first}" if first == last else f"rounds {first} to {last}"
        yield ActionTemplate(
            command=OpenDispute(last, WORDS),
            fields={"round": AmountField(first, last), "text": TextField(WORDS)},
            who=tuple(players),
            why="" if whole else rounds,
        )


def offer_decide(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to decide every dispute whose time is not over."""
    for number, dispute in table.disputes.waiting.items():
        if not is_late(table, dispute, at):
            yield ActionTemplate(
                command=DecideDispute(number, "the settlement stands", "looked at again"),
                fields={
                    "decision": TextField("the settlement stands"),
                    "reason": TextField("looked at again"),
                },
                due="due",
                why=f"round {dispute.round} is disputed",
            )


def offer_forward(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to forward every open dispute; overdue once its time is over."""
    for number, dispute in table.disputes.waiting.items():
        late = is_late(table, dispute, at)
        yield ActionTemplate(
            command=ForwardDispute(number, "not resolved"),
            fields={"reason": TextField("not resolved")},
            due=urgency(table, dispute, at),
            why=f"the {DAYS} days of dispute {number} are over" if late else "",
        )


def deadlines(table: Table) -> Iterator[Deadline]:
    """Return when each dispute must be decided."""
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
    subject="Disputes and rulings",
    services=ATTENDED,
    commands=COMMANDS,
    evolve={
        DisputeOpened: was_opened,
        DisputeDecided: was_resolved,
        DisputeForwarded: was_resolved,
    },
    deadlines=deadlines,
)
