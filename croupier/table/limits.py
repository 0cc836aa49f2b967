"""Limits: the maximum may move, the minimum may fall, with notice if players sit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.clock import MINUTE
from croupier.table.forms import WHOLE, Amount
from croupier.table.parts import ATTENDED, Act, Deadline, Offer, Part
from croupier.table.people import FLOOR, MANAGER, Account
from croupier.table.record import Command, Event

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.21C"
NOTICE = 30 * MINUTE

# What may be asked for.


class GiveLimitNotice(Command, frozen=True, kw_only=True, tag="give_limit_notice"):
    """New limits of a wager are put on a sign and announced."""

    wager: str
    minimum: Cents
    maximum: Cents | None


class ApplyLimits(Command, frozen=True, tag="apply_limits"):
    """Noticed limits take effect."""

    wager: str


# What happened.


class LimitNoticeGiven(Event, frozen=True, kw_only=True, tag="limit_notice_given"):
    """New limits were put on a sign and announced; they may apply from `effective`."""

    wager: str
    minimum: Cents
    maximum: Cents | None
    effective: int


class LimitsChanged(Event, frozen=True, kw_only=True, tag="limits_changed"):
    """New limits hold for the next wagers."""

    wager: str
    minimum: Cents
    maximum: Cents | None


@dataclass(slots=True)
class Notice:
    """Limits that were announced."""

    minimum: Cents
    maximum: Cents | None
    given: int
    effective: int


@dataclass(slots=True)
class Limits:
    """Limits other than those submitted, and those that were announced."""

    changed: dict[str, tuple[Cents, Cents | None]] = field(default_factory=dict)
    notices: dict[str, Notice] = field(default_factory=dict)


def noticed(table: Table, event: LimitNoticeGiven) -> None:
    """The notice runs."""
    table.limits.notices[event.wager] = Notice(
        event.minimum, event.maximum, table.clock, event.effective
    )


def changed(table: Table, event: LimitsChanged) -> None:
    """Other limits from now on."""
    table.limits.changed[event.wager] = (event.minimum, event.maximum)
    table.limits.notices.pop(event.wager, None)
    table.play_as_told()


# The rules.


def give_notice(table: Table, command: GiveLimitNotice, by: Account, at: int) -> list[Event]:
    """A sign and an announcement; a higher minimum is an amended submission, not a notice."""
    current = table.house.limits.get(command.wager)
    if current is None:
        known = ", ".join(table.house.limits)
        raise Refusal(f"{command.wager!r} has no limits of its own; expected {known}", LAW)
    least, most = command.minimum, command.maximum
    if type(least) is not int or least < 1:
        raise Refusal(f"a minimum in cents is expected, got {least!r}", LAW)
    if least > current.minimum:
        raise Refusal(
            f"the minimum may not be raised from {dollars(current.minimum)}, got {dollars(least)}",
            LAW,
        )
    if most is not None and (type(most) is not int or most < least):
        raise Refusal(f"a maximum of at least {dollars(least)} is expected, got {most!r}", LAW)
    effective = table.now(at) + (NOTICE if table.seats.taken else 0)
    given = LimitNoticeGiven(
        wager=command.wager,
        minimum=least,
        maximum=most,
        effective=effective,
        clauses=(LAW,),
    )
    return [given]


def apply_limits(table: Table, command: ApplyLimits, by: Account, at: int) -> list[Event]:
    """Noticed limits hold from the next wagers on."""
    notice = table.limits.notices.get(command.wager)
    if notice is None:
        raise Refusal(f"no notice was given for {command.wager!r}", LAW)
    # Somebody who sat down after the notice has the thirty minutes too.
    effective = max(notice.effective, notice.given + NOTICE if table.seats.taken else 0)
    wait = effective - table.now(at)
    if wait > 0:
        raise Refusal(f"the notice runs for another {-(-wait // MINUTE)} minute(s)", LAW)
    if table.dealing is not None or table.layout:
        raise Refusal("wagers lie on the layout; limits change between rounds", LAW)
    changed = LimitsChanged(
        wager=command.wager,
        minimum=notice.minimum,
        maximum=notice.maximum,
        clauses=(LAW,),
    )
    return [changed]


class NewLimits(msgspec.Struct, frozen=True, tag_field="form", tag="limits"):
    """A minimum that does not rise, with a maximum that is not below it, or none."""

    wager: str
    most_minimum: Cents

    def admits(self, command: GiveLimitNotice) -> bool:
        """Whether a notice fits."""
        if command.wager != self.wager or not Amount(1, self.most_minimum).admits(command.minimum):
            return False
        return command.maximum is None or Amount(command.minimum).admits(command.maximum)

    def example(self) -> GiveLimitNotice:
        """No maximum any more."""
        return GiveLimitNotice(wager=self.wager, minimum=self.most_minimum, maximum=None)


def offer_notice(table: Table, at: int) -> Iterator[Offer]:
    """Other limits for each wager that has its own."""
    for wager, limits in table.house.limits.items():
        form = NewLimits(wager, limits.minimum)
        yield Offer(command=form.example(), forms={WHOLE: form})


def offer_apply(table: Table, at: int) -> Iterator[Offer]:
    """Notices that have run their time."""
    for wager in table.limits.notices:
        yield Offer(command=ApplyLimits(wager), due="due", why="the notice has run")


def deadlines(table: Table) -> Iterator[Deadline]:
    """When each notice has run."""
    for wager, notice in table.limits.notices.items():
        at = max(notice.effective, notice.given + NOTICE if table.seats.taken else 0)
        yield Deadline(at, f"the notice for {wager} has run", LAW)


ACTS = (
    Act(
        command=GiveLimitNotice,
        roles=MANAGER,
        duty="limits",
        decide=give_notice,
        offers=offer_notice,
    ),
    Act(
        command=ApplyLimits,
        roles=FLOOR,
        duty="limits",
        decide=apply_limits,
        offers=offer_apply,
    ),
)

PART = Part(
    name="limits",
    services=ATTENDED,
    acts=ACTS,
    evolve={LimitNoticeGiven: noticed, LimitsChanged: changed},
    deadlines=deadlines,
)
