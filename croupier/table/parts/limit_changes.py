"""Changes of table limits: the maximum may change, the minimum may fall, with notice to players.

A wager outside the limits that was nevertheless accepted stands: it is paid or lost in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import msgspec

from croupier.clock import MINUTE
from croupier.errors import Refusal
from croupier.games import Limits, Wager
from croupier.money import Cents, dollars
from croupier.table.core.fields import WHOLE_COMMAND, AmountField, StakesField, WagerTerms
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import FLOOR, MANAGER, Account
from croupier.table.parts.chips.round_hooks import check_placed
from croupier.table.parts.electronic_credits import check_acknowledged
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.actions import wager_terms
from croupier.table.parts.round.betting import is_placeable, place_wagers_under
from croupier.table.parts.seats.seating import player_at
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.21C"
ACCEPTED = "COMAR 36.05.03.14C"  # a wager accepted outside the limits stands
NOTICE = 30 * MINUTE

# Commands


class GiveLimitNotice(Command, frozen=True, kw_only=True, tag="give_limit_notice"):
    """Post and announce new limits of a wager."""

    wager: str
    minimum: Cents
    maximum: Cents | None


class ApplyLimits(Command, frozen=True, tag="apply_limits"):
    """Put announced limits into effect."""

    wager: str


class AcceptWager(Command, frozen=True, tag="accept_wager"):
    """A floorperson records that wagers outside the limits were accepted, with the reason."""

    seat: int
    wagers: dict[str, Cents]
    reason: str


# Events


class LimitNoticeGiven(Event, frozen=True, kw_only=True, tag="limit_notice_given"):
    """New limits were posted and announced; they may take effect from `effective`."""

    wager: str
    minimum: Cents
    maximum: Cents | None
    effective: int


class LimitsChanged(Event, frozen=True, kw_only=True, tag="limits_changed"):
    """New limits apply to the next wagers."""

    wager: str
    minimum: Cents
    maximum: Cents | None


class WagerAccepted(Event, frozen=True, kw_only=True, tag="wager_accepted"):
    """These wagers are outside the limits and stand; `WagersPlaced` follows."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    outside: dict[str, Cents]
    reason: str


@dataclass(slots=True)
class LimitNotice:
    """Limits that were announced, and when."""

    minimum: Cents
    maximum: Cents | None
    given: int
    effective: int


@dataclass(slots=True)
class LimitState:
    """The limits changed since the submission, the announced ones, and accepted exceptions."""

    changed: dict[str, tuple[Cents, Cents | None]] = field(default_factory=dict)
    notices: dict[str, LimitNotice] = field(default_factory=dict)
    accepted: set[int] = field(default_factory=set)  # boxes with wagers outside the limits


# Event handlers


def noticed(table: Table, event: LimitNoticeGiven) -> None:
    table.limits.notices[event.wager] = LimitNotice(
        event.minimum, event.maximum, table.clock, event.effective
    )


def changed(table: Table, event: LimitsChanged) -> None:
    table.limits.changed[event.wager] = (event.minimum, event.maximum)
    table.limits.notices.pop(event.wager, None)
    table.apply_overrides()


def accepted(table: Table, event: WagerAccepted) -> None:
    table.limits.accepted.add(event.seat)


def placed(table: Table, event: played.WagersPlaced) -> None:
    if not event.stakes:  # withdrawn: the limits apply to the box again
        table.limits.accepted.discard(event.seat)


def round_closed(table: Table, event: played.RoundClosed) -> None:
    table.limits.accepted.clear()


# Rules


def accept_wager(table: Table, command: AcceptWager, by: Account, at: int) -> list[Event]:
    """Accept wagers outside the limits before "no more bets", in the player's box and chips."""
    player = player_at(table, command.seat)
    if not command.reason.strip():
        raise Refusal("a reason is required", ACCEPTED)
    if "progressive" in command.wagers:
        raise Refusal("only the progressive system can accept a progressive wager", ACCEPTED)
    house = table.house
    unlimited = {name: Limits(minimum=1, maximum=None) for name in house.limits}
    placing = played.PlaceWagers(command.seat, command.wagers, player)
    events = place_wagers_under(house.as_played(limits=unlimited), table, placing, by)
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    exceptions = stakes_outside(house.limits, placed.stakes)
    if not exceptions:
        raise Refusal("these wagers are within the limits; the player places them", ACCEPTED)
    check_acknowledged(table, player)
    check_placed(table, placed)
    accepted = WagerAccepted(
        seat=command.seat,
        player=player,
        outside=exceptions,
        reason=command.reason,
        clauses=(ACCEPTED,),
    )
    return [*events[:-1], accepted, placed]


def stakes_outside(limits: Mapping[str, Limits], stakes: Mapping[str, Cents]) -> dict[str, Cents]:
    """Return the stakes below a minimum or above a maximum."""
    return {
        name: stakes[name]
        for name, between in limits.items()
        if stakes.get(name)
        and not AmountField(between.minimum, between.maximum).admits(stakes[name])
    }


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Refuse to change wagers accepted outside the limits, except to withdraw all of them."""
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    if box is None or command.seat not in table.limits.accepted:
        return ()
    if any((box.stakes | command.wagers).values()):
        problem = f"the wagers of seat {command.seat} were accepted as placed; withdraw all or none"
        raise Refusal(problem, ACCEPTED)
    return ()


def give_notice(table: Table, command: GiveLimitNotice, by: Account, at: int) -> list[Event]:
    """Announce new limits; raising the minimum requires an amended submission instead."""
    current = table.house.limits.get(command.wager)
    if current is None:
        known = ", ".join(table.house.limits)
        raise Refusal(f"{command.wager!r} has no limits of its own; expected {known}", LAW)
    minimum, maximum = command.minimum, command.maximum
    if minimum < 1:
        raise Refusal(f"expected a minimum in cents, got {minimum!r}", LAW)
    if minimum > current.minimum:
        raise Refusal(
            f"the minimum may not be raised from {dollars(current.minimum)}, "
            f"got {dollars(minimum)}",
            LAW,
        )
    lowest = lowest_stake(minimum, unit_of(table, command.wager))
    if maximum is not None and maximum < lowest:
        problem = f"the lowest wager in chips is {dollars(lowest)}, got {dollars(maximum)} at most"
        raise Refusal(problem, LAW)
    effective = table.now(at) + (NOTICE if table.seats.taken else 0)
    return [
        LimitNoticeGiven(
            wager=command.wager,
            minimum=minimum,
            maximum=maximum,
            effective=effective,
            clauses=(LAW,),
        )
    ]


def unit_of(table: Table, wager_name: str) -> Cents:
    """Return the amount that stakes on a wager must be multiples of."""
    wager = table.house.game.wager(wager_name)
    assert wager is not None, f"{wager_name} has limits but is not a wager"
    return wager_terms(table, wager).multiple


def lowest_stake(minimum: Cents, unit: Cents) -> Cents:
    """Return the lowest multiple of `unit` that is not below the minimum."""
    return -(-minimum // unit) * unit


def earliest_change(table: Table, notice: LimitNotice) -> int:
    """Return when a notice may take effect.

    A player who sat down after the notice gets the full thirty minutes too.
    """
    return max(notice.effective, notice.given + NOTICE if table.seats.taken else 0)


def apply_limits(table: Table, command: ApplyLimits, by: Account, at: int) -> list[Event]:
    """Put announced limits into effect for the next wagers."""
    notice = table.limits.notices.get(command.wager)
    if notice is None:
        raise Refusal(f"no notice was given for {command.wager!r}", LAW)
    wait = earliest_change(table, notice) - table.now(at)
    if wait > 0:
        minutes = counted(-(-wait // MINUTE), "more minute")
        raise Refusal(f"the notice period runs for {minutes}", LAW)
    if table.dealing is not None or table.layout:
        raise Refusal("wagers are on the layout; limits change between rounds", LAW)
    return [
        LimitsChanged(
            wager=command.wager,
            minimum=notice.minimum,
            maximum=notice.maximum,
            clauses=(LAW,),
        )
    ]


class NewLimits(msgspec.Struct, frozen=True, tag_field="form", tag="limits"):
    """Input of a limit notice: a minimum that does not rise, and a maximum that allows a wager."""

    wager: str
    most_minimum: Cents
    unit: Cents = 1

    def admits(self, command: GiveLimitNotice) -> bool:
        """Whether a notice has acceptable limits."""
        if command.wager != self.wager or not AmountField(1, self.most_minimum).admits(
            command.minimum
        ):
            return False
        lowest = lowest_stake(command.minimum, self.unit)
        return command.maximum is None or AmountField(lowest).admits(command.maximum)

    def example(self) -> GiveLimitNotice:
        """Return a notice that removes the maximum."""
        return GiveLimitNotice(wager=self.wager, minimum=self.most_minimum, maximum=None)


class OutsideLimits(msgspec.Struct, frozen=True, tag_field="form", tag="outside_limits"):
    """Input of an exception: stakes of one box, at least one outside the limits, and a reason."""

    seat: int
    stakes: StakesField  # the stakes accepted without limits
    limits: dict[str, Limits]

    def admits(self, command: AcceptWager) -> bool:
        """Whether these wagers may be accepted as an exception."""
        if command.seat != self.seat or not command.reason.strip():
            return False
        if "progressive" in command.wagers or not self.stakes.admits(command.wagers):
            return False
        return bool(stakes_outside(self.limits, self.stakes.lies | command.wagers))

    def example(self) -> AcceptWager:
        """Return an ante of one chip, which is below the minimum."""
        terms = self.stakes.terms
        ante = self.stakes.ante
        wagers = dict.fromkeys([ante, *(name for name, t in terms.items() if t.equals == ante)])
        stakes = dict.fromkeys(wagers, terms[ante].multiple)
        return AcceptWager(self.seat, stakes, "noticed after acceptance")


def offer_accept(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer an exception for every seated player before "no more bets"."""
    house = table.house
    if not table.shift.open or table.dealing is not None:
        return
    boxes = table.open_round.boxes if table.open_round else {}
    terms = {
        wager.name: terms_without_limits(table, wager)
        for wager in house.game.wagers
        if is_placeable(house, wager)
    }
    for seat, player in sorted(table.seats.taken.items()):
        if player in table.credits.waiting:
            continue
        field = OutsideLimits(
            seat,
            StakesField(
                ante=house.game.ante.name,
                terms=terms,
                lies=dict(boxes[seat].stakes) if seat in boxes else {},
                chips=table.book.rack(player),
            ),
            dict(house.limits),
        )
        yield ActionTemplate(command=field.example(), fields={WHOLE_COMMAND: field})


def terms_without_limits(table: Table, wager: Wager) -> WagerTerms:
    """Return the terms of a wager without its limits."""
    terms = wager_terms(table, wager)
    limited = wager.name in table.house.limits
    return msgspec.structs.replace(terms, least=1, most=None) if limited else terms


def offer_notice(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a notice for each wager with limits of its own."""
    for wager, limits in table.house.limits.items():
        field = NewLimits(wager, limits.minimum, unit_of(table, wager))
        yield ActionTemplate(command=field.example(), fields={WHOLE_COMMAND: field})


def offer_apply(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer to put every announced limit into effect."""
    for wager in table.limits.notices:
        yield ActionTemplate(command=ApplyLimits(wager), due="due", why="the notice period is over")


def deadlines(table: Table) -> Iterator[Deadline]:
    """Yield when each notice period is over."""
    for wager, notice in table.limits.notices.items():
        at = earliest_change(table, notice)
        yield Deadline(at, f"the notice period for {wager} is over", LAW)


COMMANDS = (
    CommandSpec(
        command=GiveLimitNotice,
        roles=MANAGER,
        duty="limits",
        law=LAW,
        decide=give_notice,
        offers=offer_notice,
    ),
    CommandSpec(
        command=ApplyLimits,
        roles=FLOOR,
        duty="limits",
        law=LAW,
        decide=apply_limits,
        offers=offer_apply,
    ),
    CommandSpec(
        command=AcceptWager,
        roles=FLOOR,
        duty="limits",
        law=ACCEPTED,
        decide=accept_wager,
        offers=offer_accept,
    ),
)

PART = Part(
    subject="Limits",
    services=ATTENDED,
    commands=COMMANDS,
    before={played.PlaceWagers: before_placing},
    evolve={
        LimitNoticeGiven: noticed,
        LimitsChanged: changed,
        WagerAccepted: accepted,
        played.WagersPlaced: placed,
        played.RoundClosed: round_closed,
    },
    deadlines=deadlines,
)
