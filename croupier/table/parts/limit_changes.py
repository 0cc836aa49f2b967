"""Limits: the maximum may move, the minimum may fall, with notice if players sit.

A wager outside the limits that was accepted all the same stands: it is paid or lost in full.
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
from croupier.table.core.fields import WHOLE, Amount, Stakes, WagerTerms
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Deadline, Part
from croupier.table.core.roles import FLOOR, MANAGER, Account
from croupier.table.parts.chips.round_hooks import check_placed
from croupier.table.parts.electronic_credits import check_agreed
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.actions import wager_terms
from croupier.table.parts.round.betting import is_placeable, place_wagers_under
from croupier.table.parts.seats.seating import player_at

if TYPE_CHECKING:
    from croupier.table.table import Table

LAW = "COMAR 36.05.03.21C"
ACCEPTED = "COMAR 36.05.03.14C"  # what was accepted outside the limits stands
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


class AcceptWager(Command, frozen=True, tag="accept_wager"):
    """A floorperson records that wagers outside the limits were accepted, and how that came."""

    seat: int
    wagers: dict[str, Cents]
    reason: str


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


class WagerAccepted(Event, frozen=True, kw_only=True, tag="wager_accepted"):
    """These wagers lie outside the limits and stand; `WagersPlaced` follows."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    outside: dict[str, Cents]
    reason: str


@dataclass(slots=True)
class LimitNotice:
    """Limits that were announced."""

    minimum: Cents
    maximum: Cents | None
    given: int
    effective: int


@dataclass(slots=True)
class MovedLimits:
    """Limits other than those submitted, and those that were announced."""

    changed: dict[str, tuple[Cents, Cents | None]] = field(default_factory=dict)
    notices: dict[str, LimitNotice] = field(default_factory=dict)
    accepted: set[int] = field(default_factory=set)  # boxes with wagers outside the limits


def noticed(table: Table, event: LimitNoticeGiven) -> None:
    """The notice runs."""
    table.limits.notices[event.wager] = LimitNotice(
        event.minimum, event.maximum, table.clock, event.effective
    )


def changed(table: Table, event: LimitsChanged) -> None:
    """Other limits from now on."""
    table.limits.changed[event.wager] = (event.minimum, event.maximum)
    table.limits.notices.pop(event.wager, None)
    table.apply_overrides()


def accepted(table: Table, event: WagerAccepted) -> None:
    """The box stays as it was accepted."""
    table.limits.accepted.add(event.seat)


def placed(table: Table, event: played.WagersPlaced) -> None:
    """Taken back, it is a box like any other."""
    if not event.stakes:
        table.limits.accepted.discard(event.seat)


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """The next round has the limits of the table."""
    table.limits.accepted.clear()


# The rules.


def accept_wager(table: Table, command: AcceptWager, by: Account, at: int) -> list[Event]:
    """Before "no more bets", on the player's own box, in chips that lie there."""
    player = player_at(table, command.seat)
    if not command.reason.strip():
        raise Refusal("a reason is needed", ACCEPTED)
    if "progressive" in command.wagers:
        raise Refusal("a progressive wager is taken by its own system", ACCEPTED)
    house = table.house
    free = {name: Limits(minimum=1, maximum=None) for name in house.limits}
    placing = played.PlaceWagers(command.seat, command.wagers, player)
    events = place_wagers_under(house.as_played(limits=free), table, placing, by)
    stakes = next(event for event in events if isinstance(event, played.WagersPlaced))
    out = outside(house.limits, stakes.stakes)
    if not out:
        raise Refusal("these wagers are within the limits; the player places them", ACCEPTED)
    check_agreed(table, player)
    check_placed(table, stakes)
    told = WagerAccepted(
        seat=command.seat,
        player=player,
        outside=out,
        reason=command.reason,
        clauses=(ACCEPTED,),
    )
    return [*events[:-1], told, stakes]


def outside(limits: Mapping[str, Limits], stakes: Mapping[str, Cents]) -> dict[str, Cents]:
    """The stakes that are below a minimum or above a maximum; what is not staked is neither."""
    return {
        name: stakes[name]
        for name, between in limits.items()
        if stakes.get(name) and not Amount(between.minimum, between.maximum).admits(stakes[name])
    }


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """What was accepted outside the limits stays as it is, or is taken back as a whole."""
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    if box is None or command.seat not in table.limits.accepted:
        return ()
    if any((box.stakes | command.wagers).values()):
        problem = f"the wagers of seat {command.seat} were accepted as they lie"
        raise Refusal(problem, ACCEPTED)
    return ()


def give_notice(table: Table, command: GiveLimitNotice, by: Account, at: int) -> list[Event]:
    """A sign and an announcement; a higher minimum is an amended submission, not a notice."""
    current = table.house.limits.get(command.wager)
    if current is None:
        known = ", ".join(table.house.limits)
        raise Refusal(f"{command.wager!r} has no limits of its own; expected {known}", LAW)
    least, most = command.minimum, command.maximum
    if least < 1:
        raise Refusal(f"a minimum in cents is expected, got {least!r}", LAW)
    if least > current.minimum:
        raise Refusal(
            f"the minimum may not be raised from {dollars(current.minimum)}, got {dollars(least)}",
            LAW,
        )
    lowest = lowest_stake(least, unit_of(table, command.wager))
    if most is not None and most < lowest:
        problem = f"no wager fits: {dollars(lowest)} is the least in chips, got {dollars(most)}"
        raise Refusal(problem, LAW)
    effective = table.now(at) + (NOTICE if table.seats.taken else 0)
    given = LimitNoticeGiven(
        wager=command.wager,
        minimum=least,
        maximum=most,
        effective=effective,
        clauses=(LAW,),
    )
    return [given]


def unit_of(table: Table, wager: str) -> Cents:
    """What stakes on a wager are multiples of."""
    known = table.house.game.wager(wager)
    assert known is not None, f"{wager} has limits and is no wager"
    return wager_terms(table, known).multiple


def lowest_stake(minimum: Cents, unit: Cents) -> Cents:
    """The least that a minimum lets chips make up."""
    return -(-minimum // unit) * unit


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
    """A minimum that does not rise; no maximum, or one under which chips still make a wager."""

    wager: str
    most_minimum: Cents
    unit: Cents = 1

    def admits(self, command: GiveLimitNotice) -> bool:
        """Whether a notice fits."""
        if command.wager != self.wager or not Amount(1, self.most_minimum).admits(command.minimum):
            return False
        lowest = lowest_stake(command.minimum, self.unit)
        return command.maximum is None or Amount(lowest).admits(command.maximum)

    def example(self) -> GiveLimitNotice:
        """No maximum any more."""
        return GiveLimitNotice(wager=self.wager, minimum=self.most_minimum, maximum=None)


class OutsideLimits(msgspec.Struct, frozen=True, tag_field="form", tag="outside_limits"):
    """Stakes of one box of which at least one is outside the limits, and why they stand."""

    seat: int
    stakes: Stakes  # what would be admitted without limits
    limits: dict[str, Limits]

    def admits(self, command: AcceptWager) -> bool:
        """Whether these wagers can have been accepted."""
        if command.seat != self.seat or not command.reason.strip():
            return False
        if "progressive" in command.wagers or not self.stakes.admits(command.wagers):
            return False
        return bool(outside(self.limits, self.stakes.lies | command.wagers))

    def example(self) -> AcceptWager:
        """The least chips that are less than the least ante."""
        terms = self.stakes.terms
        ante = self.stakes.ante
        low = dict.fromkeys([ante, *(n for n, t in terms.items() if t.equals == ante)])
        stakes = dict.fromkeys(low, terms[ante].multiple)
        return AcceptWager(self.seat, stakes, "seen after it was accepted")


def offer_accept(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Before "no more bets", for every seated player, where chips make up such a wager."""
    house = table.house
    if not table.shift.open or table.dealing is not None:
        return
    boxes = table.open_round.boxes if table.open_round else {}
    terms = {
        wager.name: any_stake(table, wager)
        for wager in house.game.wagers
        if is_placeable(house, wager)
    }
    for seat, player in sorted(table.seats.taken.items()):
        if player in table.credits.waiting:
            continue
        form = OutsideLimits(
            seat,
            Stakes(
                ante=house.game.ante.name,
                terms=terms,
                lies=dict(boxes[seat].stakes) if seat in boxes else {},
                chips=table.book.rack(player),
            ),
            dict(house.limits),
        )
        yield ActionTemplate(command=form.example(), forms={WHOLE: form})


def any_stake(table: Table, wager: Wager) -> WagerTerms:
    """What may be staked on a wager if its limits are left aside."""
    terms = wager_terms(table, wager)
    limited = wager.name in table.house.limits
    return msgspec.structs.replace(terms, least=1, most=None) if limited else terms


def offer_notice(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Other limits for each wager that has its own."""
    for wager, limits in table.house.limits.items():
        form = NewLimits(wager, limits.minimum, unit_of(table, wager))
        yield ActionTemplate(command=form.example(), forms={WHOLE: form})


def offer_apply(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Notices that have run their time."""
    for wager in table.limits.notices:
        yield ActionTemplate(command=ApplyLimits(wager), due="due", why="the notice has run")


def deadlines(table: Table) -> Iterator[Deadline]:
    """When each notice has run."""
    for wager, notice in table.limits.notices.items():
        at = max(notice.effective, notice.given + NOTICE if table.seats.taken else 0)
        yield Deadline(at, f"the notice for {wager} has run", LAW)


ACTS = (
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
    name="limits",
    services=ATTENDED,
    acts=ACTS,
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
