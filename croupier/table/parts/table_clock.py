"""The clock of a table: timestamps far ahead are refused, and two people may set it.

While a table is open its clock is the latest time seen: setting a clock back cannot extend a deck's
time limit. A command stamped over a day ahead is refused; if the time is right, or if a wrong
timestamp was accepted before, two members of the floor set the clock. A table may be closed for
weeks: its clock then follows the last command, and only the opening is checked against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from croupier.clock import DAY, MINUTE
from croupier.errors import Refusal
from croupier.table.core.fields import OneOfField, TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.disabling import DisableTable
from croupier.table.parts.shift import OpenTable
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

CLOCKS = "COMAR 36.03.10.12C"  # system and surveillance clocks agree
AHEAD_MAX = DAY


class SetClock(Command, frozen=True, kw_only=True, tag="set_clock"):
    """Two members of the floor confirm that the time of this command is right."""

    second: Account
    reason: str


class ClockSet(Event, frozen=True, kw_only=True, tag="clock_set"):
    """Two people set the table's clock; timers that started after the new time are void."""

    audience: ClassVar[Audience] = "staff"

    before: int
    time: int
    reason: str
    by: Account
    second: Account


def check_stamp(table: Table, command: Command, at: int) -> None:
    """Refuse a command whose time is far ahead of the table's clock."""
    if (
        not table.clock
        or at <= table.clock + AHEAD_MAX
        or isinstance(command, SetClock | DisableTable)
    ):
        return
    if table.shift.open or isinstance(command, OpenTable):
        hours = (at - table.clock) // (DAY // 24)
        problem = f"the time is {hours} hours ahead of the table's clock; two people must set it"
        raise Refusal(problem, CLOCKS)


def set_clock(table: Table, command: SetClock, by: Account, at: int) -> list[Event]:
    """Set the clock to the time of the command, forward or back."""
    second = command.second
    if second.id == by.id:
        raise Refusal(f"two different people are required, got {by.id} twice", CLOCKS)
    if table.posts.here.get(second.id) != second.role or second.role not in FLOOR:
        raise Refusal(f"{second} is not on the floor staff of this table", CLOCKS)
    if not command.reason.strip():
        raise Refusal("a reason is required", CLOCKS)
    if not at or at == table.clock:
        raise Refusal("the clock already shows this time", CLOCKS)
    return [
        ClockSet(
            before=table.clock,
            time=at,
            reason=command.reason,
            by=by,
            second=second,
            clauses=(CLOCKS,),
        )
    ]


def moved_clock(table: Table, events: Sequence[Event]) -> str:
    """Return how far the clock moves, in words."""
    set_ = next(event for event in events if isinstance(event, ClockSet))
    minutes = round(abs(set_.time - set_.before) / MINUTE)
    direction = "forward" if set_.time > set_.before else "back"
    distance = counted(minutes, "minute") if minutes < 120 else counted(minutes // 60, "hour")
    return f"Set the table's clock {direction} by {distance}"


def clock_set(table: Table, event: ClockSet) -> None:
    """Void timers that started after the new time: a deck is due, a notice must be repeated."""
    table.clock = event.time
    for deck in table.decks.here.values():
        if deck.entered_at is not None and deck.entered_at > event.time:
            deck.entered_at = 0
    notices = table.limits.notices
    for wager in [wager for wager, notice in notices.items() if notice.given > event.time]:
        del notices[wager]
    table.seats.last_bet_at = min(table.seats.last_bet_at, event.time)


def offer_set_clock(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to set the clock if two floor staff are assigned; due if the clock is a day behind."""
    floor = [Account(name, role) for name, role in table.posts.here.items() if role in FLOOR]
    if len(floor) < 2 or not at or at == table.clock:
        return
    behind = table.shift.open and at > table.clock + AHEAD_MAX
    for person in floor:
        others = tuple(other for other in floor if other.id != person.id)
        yield ActionTemplate(
            command=SetClock(second=others[0], reason="compared with the clock of surveillance"),
            fields={
                "second": OneOfField(others),
                "reason": TextField("compared with the clock of surveillance"),
            },
            due="due" if behind else "may",
            why="the time is more than a day ahead of the table's clock" if behind else "",
            who=(person,),
        )


COMMANDS = (
    CommandSpec(
        command=SetClock,
        roles=FLOOR,
        duty="deck.verify",
        law=CLOCKS,
        decide=set_clock,
        offers=offer_set_clock,
        per_account=True,
        consequence=moved_clock,
    ),
)
PART = Part(
    subject="Staff and shift",
    services=ATTENDED,
    commands=COMMANDS,
    evolve={ClockSet: clock_set},
)
