"""Limits: the maximum may move, the minimum may fall, with notice if players sit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.decks import MINUTE
from croupier.table.life.forms import WHOLE, Amount
from croupier.table.life.people import FLOOR, MANAGER, Person

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

LAW = "COMAR 36.05.03.21C"
NOTICE = 30 * MINUTE


def give_notice(live: LiveTable, command: cmd.GiveLimitNotice, by: Person, at: int) -> list[Event]:
    """A sign and an announcement; a higher minimum is an amended submission, not a notice."""
    current = live.house.limits.get(command.wager)
    if current is None:
        known = ", ".join(live.house.limits)
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
    effective = live.clock(at) + (NOTICE if live.life.seats else 0)
    given = ev.LimitNoticeGiven(
        wager=command.wager,
        minimum=least,
        maximum=most,
        effective=effective,
        at=at,
        by=by,
        clauses=(LAW,),
    )
    return [given]


def apply_limits(live: LiveTable, command: cmd.ApplyLimits, by: Person, at: int) -> list[Event]:
    """Noticed limits hold from the next wagers on."""
    notice = live.life.notices.get(command.wager)
    if notice is None:
        raise Refusal(f"no notice was given for {command.wager!r}", LAW)
    # Somebody who sat down after the notice has the thirty minutes too.
    effective = max(notice.effective, notice.given + NOTICE if live.life.seats else 0)
    wait = effective - live.clock(at)
    if wait > 0:
        raise Refusal(f"the notice runs for another {-(-wait // MINUTE)} minute(s)", LAW)
    if live.dealing is not None or live.layout:
        raise Refusal("wagers lie on the layout; limits change between rounds", LAW)
    changed = ev.LimitsChanged(
        wager=command.wager,
        minimum=notice.minimum,
        maximum=notice.maximum,
        at=at,
        by=by,
        clauses=(LAW,),
    )
    return [changed]


class NewLimits(msgspec.Struct, frozen=True, tag_field="form", tag="limits"):
    """A minimum that does not rise, with a maximum that is not below it, or none."""

    wager: str
    most_minimum: Cents

    def admits(self, command: cmd.GiveLimitNotice) -> bool:
        """Whether a notice fits."""
        if command.wager != self.wager or not Amount(1, self.most_minimum).admits(command.minimum):
            return False
        return command.maximum is None or Amount(command.minimum).admits(command.maximum)

    def example(self) -> cmd.GiveLimitNotice:
        """No maximum any more."""
        return cmd.GiveLimitNotice(wager=self.wager, minimum=self.most_minimum, maximum=None)


def offer_notice(live: LiveTable, at: int) -> Iterator[Offer]:
    """Other limits for each wager that has its own."""
    for wager, limits in live.house.limits.items():
        form = NewLimits(wager, limits.minimum)
        yield Offer(command=form.example(), forms={WHOLE: form})


def offer_apply(live: LiveTable, at: int) -> Iterator[Offer]:
    """Notices that have run their time."""
    for wager in live.life.notices:
        yield Offer(command=cmd.ApplyLimits(wager), due="due", why="the notice has run")


ACTS = (
    Act(
        command=cmd.GiveLimitNotice,
        roles=MANAGER,
        duty="limits",
        decide=give_notice,
        offers=offer_notice,
    ),
    Act(
        command=cmd.ApplyLimits,
        roles=FLOOR,
        duty="limits",
        decide=apply_limits,
        offers=offer_apply,
    ),
)
