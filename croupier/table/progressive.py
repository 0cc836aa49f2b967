"""The progressive system: chips against accepted wagers, lights, validated awards (A50, A144)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.decks.shuffling import no_card_out
from croupier.table.forms import Count, OneOf, Text
from croupier.table.parts import ATTENDED, Act, Offer, Part
from croupier.table.payouts import AwardsReopened, ready
from croupier.table.people import DEALER, FLOOR, STAFF, Account, Role
from croupier.table.record import Audience, Command, Event
from croupier.table.round import record as played

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNT = "progressive.count"
PARAMETERS = "COMAR 36.05.03.21B"
CHIPS = Count(0, 100)
EVERYBODY: tuple[Role, ...] = (*STAFF, "system")

# What may be asked for.


class CountProgressive(Command, frozen=True, tag="count_progressive"):
    """The dealer collects the progressive wagers and counts their chips."""

    chips: int


class ResolveProgressive(Command, frozen=True, tag="resolve_progressive"):
    """A floorperson settles a difference between chips and accepted wagers."""

    reason: str


class VerifyAward(Command, frozen=True, tag="verify_award"):
    """The dealer checks the hand behind a meter award, and the light of the system."""

    seat: int
    light: bool


class ValidateAward(Command, frozen=True, tag="validate_award"):
    """A floorperson validates a meter award; a reason is needed if the light was off."""

    seat: int
    reason: str = ""


class ChangeProgressive(Command, frozen=True, tag="change_progressive"):
    """Another rate or reset amount; never while the table lives under its submission."""

    meter: str


# What happened.


class ProgressiveAcknowledged(Event, frozen=True, kw_only=True, tag="progressive_acknowledged"):
    """The device of a position took a progressive wager, and its owner can see it."""

    seat: int
    stake: Cents


class ProgressiveCollected(Event, frozen=True, kw_only=True, tag="progressive_collected"):
    """As many chips as accepted wagers were counted and lie in the tray."""

    counted: int
    accepted: int
    amount: Cents
    reason: str = ""  # how a floorperson settled a difference


class ProgressiveCountDiffered(Event, frozen=True, kw_only=True, tag="progressive_count_differed"):
    """Chips and accepted wagers do not agree; no card is dealt until a floorperson settles it."""

    audience: ClassVar[Audience] = "staff"

    counted: int
    accepted: int


class AwardVerified(Event, frozen=True, kw_only=True, tag="award_verified"):
    """The dealer checked the hand and the light of a meter award."""

    audience: ClassVar[Audience] = "staff"

    seat: int
    meter: str
    amount: Cents
    light: bool
    by: Account


class AwardValidated(Event, frozen=True, kw_only=True, tag="award_validated"):
    """A floorperson validated a meter award; it may be paid."""

    seat: int
    meter: str
    amount: Cents
    verified_by: Account
    reason: str = ""


@dataclass(slots=True)
class Award:
    """A meter award that the dealer has checked."""

    meter: str
    amount: Cents
    light: bool
    verified_by: Account
    validated: bool = False


@dataclass(slots=True)
class Progressive:
    """The progressive wagers and awards of the round in progress."""

    collected: bool = False
    count_differs: tuple[int, int] | None = None  # chips counted, wagers accepted
    awards: dict[int, Award] = field(default_factory=dict)


def was_collected(table: Table, event: ProgressiveCollected) -> None:
    """The chips are in the tray."""
    table.progressive.collected = True
    table.progressive.count_differs = None


def differed(table: Table, event: ProgressiveCountDiffered) -> None:
    """A floorperson must settle it."""
    table.progressive.count_differs = (event.counted, event.accepted)


def verified(table: Table, event: AwardVerified) -> None:
    """The dealer has looked."""
    award = Award(event.meter, event.amount, event.light, event.by)
    table.progressive.awards[event.seat] = award


def validated(table: Table, event: AwardValidated) -> None:
    """It may be paid."""
    table.progressive.awards[event.seat].validated = True


def reopened(table: Table, event: AwardsReopened) -> None:
    """Everything must be checked anew."""
    table.progressive.awards.clear()


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """The next round begins with nothing."""
    table.progressive.collected = False
    table.progressive.count_differs = None
    table.progressive.awards.clear()


# The rules.


def accepted(table: Table) -> int:
    """How many progressive wagers the system has taken for the round in progress."""
    current = table.dealing
    return sum("progressive" in box.stakes for box in current.boxes.values()) if current else 0


def count_waits(table: Table) -> bool:
    """Whether progressive chips lie there uncounted, so that no card may be dealt."""
    return bool(accepted(table)) and not table.progressive.collected


def collected(
    table: Table, counted: int, by: Account, at: int, reason: str = ""
) -> ProgressiveCollected:
    """The chips go into the tray."""
    number, terms = accepted(table), table.house.progressive
    assert terms is not None, "no progressive wager is offered here"
    return ProgressiveCollected(
        counted=counted,
        accepted=number,
        amount=number * terms.stake,
        reason=reason,
        clauses=table.house.cite(COUNT) + table.house.cite("progressive.tray"),
    )


def check_offered(table: Table) -> None:
    """Refuse at a table without a progressive wager."""
    if not table.house.offers("progressive"):
        raise Refusal("no progressive wager is offered here", "A144", game=table.house.game.key)


def count(table: Table, command: CountProgressive, by: Account, at: int) -> list[Event]:
    """Equal numbers go into the tray; a difference waits for a floorperson."""
    check_offered(table)
    if not count_waits(table) or not no_card_out(table):
        raise table.refusal("no progressive chips wait to be counted", COUNT)
    if table.progressive.count_differs is not None:
        raise table.refusal("a floorperson settles the difference first", COUNT)
    if not CHIPS.admits(command.chips):
        raise table.refusal(f"{command.chips!r} is no number of chips", COUNT)
    number = accepted(table)
    if command.chips == number:
        return [collected(table, command.chips, by, at)]
    return [
        ProgressiveCountDiffered(
            counted=command.chips,
            accepted=number,
            clauses=(*table.house.cite(COUNT), "A50"),
        )
    ]


def resolve(table: Table, command: ResolveProgressive, by: Account, at: int) -> list[Event]:
    """Chips without an accepted wager go back, missing ones are fetched; then dealing goes on."""
    check_offered(table)
    differs = table.progressive.count_differs
    if differs is None or table.dealing is None or table.dealing.void:
        raise table.refusal("no difference waits to be settled", COUNT)
    if not command.reason.strip():
        raise table.refusal("a reason is needed", COUNT)
    return [collected(table, differs[0], by, at, command.reason)]


def awards(table: Table) -> dict[int, played.MeterPaid]:
    """The meter awards that settling now would pay, by seat."""
    if not table.house.meters:
        return {}
    paid = (event for event in table.settlement() if isinstance(event, played.MeterPaid))
    return {event.seat: event for event in paid}


def waiting(table: Table, seat: int) -> played.MeterPaid:
    """The award of a seat; refused when there is none."""
    check_offered(table)
    found = awards(table).get(seat) if ready(table) else None
    if found is None:
        raise table.refusal(f"no meter award waits at seat {seat!r}", "award.hand")
    return found


def verify(table: Table, command: VerifyAward, by: Account, at: int) -> list[Event]:
    """The dealer looks at the hand and at the light."""
    award = waiting(table, command.seat)
    if command.seat in table.progressive.awards:
        raise table.refusal(f"the award of seat {command.seat} was verified", "award.hand")
    verified = AwardVerified(
        seat=award.seat,
        meter=award.meter,
        amount=award.paid,
        light=command.light,
        by=by,
        clauses=table.house.cite("award.hand") + table.house.cite("award.light"),
    )
    return [verified]


def validate(table: Table, command: ValidateAward, by: Account, at: int) -> list[Event]:
    """A floorperson or above, never the dealer who verified; with a reason if no light shone."""
    award = waiting(table, command.seat)
    known = table.progressive.awards.get(command.seat)
    if known is None:
        raise table.refusal("the dealer has not verified the hand and the light", "award.hand")
    if known.validated:
        raise table.refusal(f"the award of seat {command.seat} was validated", VALIDATE)
    if known.verified_by.id == by.id:
        raise table.refusal(f"{by.id} verified the award; another person validates", VALIDATE)
    if not known.light and not command.reason.strip():
        raise table.refusal("the light was off; a reason is needed", "award.light")
    validated = AwardValidated(
        seat=award.seat,
        meter=award.meter,
        amount=award.paid,
        verified_by=known.verified_by,
        reason=command.reason,
        clauses=table.house.cite(VALIDATE),
    )
    return [validated]


VALIDATE = "award.validate"


def unvalidated(table: Table) -> int | None:
    """A seat whose award may not be paid yet."""
    for seat in awards(table):
        award = table.progressive.awards.get(seat)
        if award is None or not award.validated:
            return seat
    return None


def change(table: Table, command: ChangeProgressive, by: Account, at: int) -> list[Event]:
    """Rates and amounts belong to the submission; a table keeps them."""
    raise Refusal("a rate or an amount changes with an approved submission only", PARAMETERS)


def offer_count(table: Table, at: int) -> Iterator[Offer]:
    """After "no more bets", before the first card."""
    if count_waits(table):
        yield Offer(
            command=CountProgressive(0),
            forms={"chips": CHIPS},
            due="due",
            why="progressive chips lie there uncounted",
        )


def offer_resolve(table: Table, at: int) -> Iterator[Offer]:
    """While chips and wagers differ."""
    if table.progressive.count_differs is not None:
        counted, number = table.progressive.count_differs
        yield Offer(
            command=ResolveProgressive("recounted with the players"),
            forms={"reason": Text("recounted with the players")},
            due="due",
            why=f"{counted} chips, {number} accepted",
        )


def offer_verify(table: Table, at: int) -> Iterator[Offer]:
    """Awards that nobody has looked at, once the hands lie face up."""
    for seat, award in awards(table).items() if ready(table) else ():
        if seat not in table.progressive.awards:
            yield Offer(
                command=VerifyAward(seat, True),
                forms={"light": OneOf((True, False))},
                due="due",
                why=f"{dollars(award.paid)} of {award.meter}",
            )


def offer_validate(table: Table, at: int) -> Iterator[Offer]:
    """Awards that the dealer has verified."""
    for seat, award in table.progressive.awards.items():
        if not award.validated:
            needed = not award.light
            yield Offer(
                command=ValidateAward(seat, "light repaired" if needed else ""),
                forms={"reason": Text("light repaired", may_be_empty=not needed)},
                due="due",
                why=f"{dollars(award.amount)} of {award.meter}",
            )


ACTS = (
    Act(
        command=CountProgressive,
        roles=DEALER,
        duty="window",
        decide=count,
        offers=offer_count,
    ),
    Act(
        command=ResolveProgressive,
        roles=FLOOR,
        duty="window",
        decide=resolve,
        offers=offer_resolve,
    ),
    Act(command=VerifyAward, roles=DEALER, duty="window", decide=verify, offers=offer_verify),
    Act(
        command=ValidateAward,
        roles=FLOOR,
        duty="window",
        decide=validate,
        offers=offer_validate,
        personal=True,
    ),
    Act(
        command=ChangeProgressive,
        roles=EVERYBODY,
        duty="window",
        decide=change,
        strangers=True,
    ),
)

# What the progressive system asks of the round.


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Nothing is taken after the lock."""
    if table.dealing is not None and command.wagers.get("progressive"):
        check_offered(table)
        raise table.refusal("the progressive system is locked", "progressive.lockout")
    return ()


def acknowledge(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The device of the position takes a new progressive wager, if it works."""
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    stake = placed.stakes.get("progressive", 0)
    if not stake or (box is not None and stake == box.stakes.get("progressive")):
        return []
    if table.devices.state["progressive"] != "working":
        raise table.refusal("the progressive system does not work", "table.progressive")
    clauses = table.house.cite("progressive.device") + table.house.cite("accepted")
    return [ProgressiveAcknowledged(seat=placed.seat, stake=stake, clauses=clauses)]


def before_no_more_bets(
    table: Table, command: played.NoMoreBets, by: Account, at: int
) -> tuple[str, ...]:
    """The lock of the system is part of closing the betting."""
    return ("progressive.lockout",) if table.house.offers("progressive") else ()


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """No card before the progressive chips are counted."""
    current = table.dealing
    if current is not None and not current.left_deck and not current.void and count_waits(table):
        raise table.refusal(
            "count the progressive chips before the first card", "progressive.count"
        )
    return ()


def before_settling(table: Table, command: played.Settle, by: Account, at: int) -> tuple[str, ...]:
    """Every award was verified and validated."""
    seat = unvalidated(table) if ready(table) else None
    if seat is not None:
        raise table.refusal(f"the award of seat {seat} is not validated", VALIDATE)
    return ()


PART = Part(
    name="progressive",
    services=ATTENDED,
    acts=ACTS,
    before={
        played.PlaceWagers: before_placing,
        played.NoMoreBets: before_no_more_bets,
        played.DealCards: before_dealing,
        played.FindCardFaceUp: before_dealing,
        played.Settle: before_settling,
    },
    after={played.PlaceWagers: acknowledge},
    evolve={
        ProgressiveCollected: was_collected,
        ProgressiveCountDiffered: differed,
        AwardVerified: verified,
        AwardValidated: validated,
        AwardsReopened: reopened,
        played.RoundClosed: round_closed,
    },
)
