"""The progressive system: chips against accepted wagers, lights, validated awards (A50, A144)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table import events as round_ev
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Amount, OneOf, Text
from croupier.table.life.payouts import ready
from croupier.table.life.people import DEALER, FLOOR, STAFF, Person, Role
from croupier.table.life.shuffling import no_card_out

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

COUNT = "progressive.count"
PARAMETERS = "COMAR 36.05.03.21B"
CHIPS = Amount(0, 100)
EVERYBODY: tuple[Role, ...] = (*STAFF, "system")


def accepted(live: LiveTable) -> int:
    """How many progressive wagers the system has taken for the round in progress."""
    current = live.dealing
    return sum("progressive" in box.stakes for box in current.boxes.values()) if current else 0


def count_waits(live: LiveTable) -> bool:
    """Whether progressive chips lie there uncounted, so that no card may be dealt."""
    return bool(accepted(live)) and not live.life.collected


def collected(
    live: LiveTable, counted: int, by: Person, at: int, reason: str = ""
) -> ev.ProgressiveCollected:
    """The chips go into the tray."""
    number, terms = accepted(live), live.house.progressive
    assert terms is not None, "no progressive wager is offered here"
    return ev.ProgressiveCollected(
        counted=counted,
        accepted=number,
        amount=number * terms.stake,
        reason=reason,
        at=at,
        by=by,
        clauses=live.house.cite(COUNT) + live.house.cite("progressive.tray"),
    )


def check_offered(live: LiveTable) -> None:
    """Refuse at a table without a progressive wager."""
    if not live.house.offers("progressive"):
        raise Refusal("no progressive wager is offered here", "A144", game=live.house.game.key)


def count(live: LiveTable, command: cmd.CountProgressive, by: Person, at: int) -> list[Event]:
    """Equal numbers go into the tray; a difference waits for a floorperson."""
    check_offered(live)
    if not count_waits(live) or not no_card_out(live):
        raise live.refusal("no progressive chips wait to be counted", COUNT)
    if live.life.count_differs is not None:
        raise live.refusal("a floorperson settles the difference first", COUNT)
    if not CHIPS.admits(command.chips):
        raise live.refusal(f"{command.chips!r} is no number of chips", COUNT)
    number = accepted(live)
    if command.chips == number:
        return [collected(live, command.chips, by, at)]
    return [
        ev.ProgressiveCountDiffered(
            counted=command.chips,
            accepted=number,
            at=at,
            by=by,
            clauses=(*live.house.cite(COUNT), "A50"),
        )
    ]


def resolve(live: LiveTable, command: cmd.ResolveProgressive, by: Person, at: int) -> list[Event]:
    """Chips without an accepted wager go back, missing ones are fetched; then dealing goes on."""
    check_offered(live)
    differs = live.life.count_differs
    if differs is None or live.dealing is None or live.dealing.void:
        raise live.refusal("no difference waits to be settled", COUNT)
    if not command.reason.strip():
        raise live.refusal("a reason is needed", COUNT)
    return [collected(live, differs[0], by, at, command.reason)]


def awards(live: LiveTable) -> dict[int, round_ev.MeterPaid]:
    """The meter awards that settling now would pay, by seat."""
    if not live.house.meters:
        return {}
    paid = (event for event in live.preview() if isinstance(event, round_ev.MeterPaid))
    return {event.seat: event for event in paid}


def waiting(live: LiveTable, seat: int) -> round_ev.MeterPaid:
    """The award of a seat; refused when there is none."""
    check_offered(live)
    found = awards(live).get(seat) if ready(live) else None
    if found is None:
        raise live.refusal(f"no meter award waits at seat {seat!r}", "award.hand")
    return found


def verify(live: LiveTable, command: cmd.VerifyAward, by: Person, at: int) -> list[Event]:
    """The dealer looks at the hand and at the light."""
    award = waiting(live, command.seat)
    if command.seat in live.life.awards:
        raise live.refusal(f"the award of seat {command.seat} was verified", "award.hand")
    verified = ev.AwardVerified(
        seat=award.seat,
        meter=award.meter,
        amount=award.paid,
        light=command.light,
        at=at,
        by=by,
        clauses=live.house.cite("award.hand") + live.house.cite("award.light"),
    )
    return [verified]


def validate(live: LiveTable, command: cmd.ValidateAward, by: Person, at: int) -> list[Event]:
    """A floorperson or above, never the dealer who verified; with a reason if no light shone."""
    award = waiting(live, command.seat)
    known = live.life.awards.get(command.seat)
    if known is None:
        raise live.refusal("the dealer has not verified the hand and the light", "award.hand")
    if known.validated:
        raise live.refusal(f"the award of seat {command.seat} was validated", VALIDATE)
    if known.verified_by.name == by.name:
        raise live.refusal(f"{by.name} verified the award; another person validates", VALIDATE)
    if not known.light and not command.reason.strip():
        raise live.refusal("the light was off; a reason is needed", "award.light")
    validated = ev.AwardValidated(
        seat=award.seat,
        meter=award.meter,
        amount=award.paid,
        verified_by=known.verified_by,
        reason=command.reason,
        at=at,
        by=by,
        clauses=live.house.cite(VALIDATE),
    )
    return [validated]


VALIDATE = "award.validate"


def unvalidated(live: LiveTable) -> int | None:
    """A seat whose award may not be paid yet."""
    for seat in awards(live):
        award = live.life.awards.get(seat)
        if award is None or not award.validated:
            return seat
    return None


def change(live: LiveTable, command: cmd.ChangeProgressive, by: Person, at: int) -> list[Event]:
    """Rates and amounts belong to the submission; a live table keeps them."""
    raise Refusal("a rate or an amount changes with an approved submission only", PARAMETERS)


def offer_count(live: LiveTable, at: int) -> Iterator[Offer]:
    """After "no more bets", before the first card."""
    if count_waits(live):
        number = accepted(live)
        yield Offer(
            command=cmd.CountProgressive(number),
            forms={"chips": CHIPS},
            due="due",
            why=f"{number} wager(s) accepted",
        )


def offer_resolve(live: LiveTable, at: int) -> Iterator[Offer]:
    """While chips and wagers differ."""
    if live.life.count_differs is not None:
        counted, number = live.life.count_differs
        yield Offer(
            command=cmd.ResolveProgressive("recounted with the players"),
            forms={"reason": Text("recounted with the players")},
            due="due",
            why=f"{counted} chips, {number} accepted",
        )


def offer_verify(live: LiveTable, at: int) -> Iterator[Offer]:
    """Awards that nobody has looked at."""
    for seat, award in awards(live).items():
        if seat not in live.life.awards:
            yield Offer(
                command=cmd.VerifyAward(seat, True),
                forms={"light": OneOf((True, False))},
                due="due",
                why=f"{dollars(award.paid)} of {award.meter}",
            )


def offer_validate(live: LiveTable, at: int) -> Iterator[Offer]:
    """Awards that the dealer has verified."""
    for seat, award in live.life.awards.items():
        if not award.validated:
            needed = not award.light
            yield Offer(
                command=cmd.ValidateAward(seat, "light repaired" if needed else ""),
                forms={"reason": Text("light repaired", may_be_empty=not needed)},
                due="due",
                why=f"{dollars(award.amount)} of {award.meter}",
            )


ACTS = (
    Act(
        command=cmd.CountProgressive,
        roles=DEALER,
        duty="window",
        decide=count,
        offers=offer_count,
    ),
    Act(
        command=cmd.ResolveProgressive,
        roles=FLOOR,
        duty="window",
        decide=resolve,
        offers=offer_resolve,
    ),
    Act(command=cmd.VerifyAward, roles=DEALER, duty="window", decide=verify, offers=offer_verify),
    Act(
        command=cmd.ValidateAward,
        roles=FLOOR,
        duty="window",
        decide=validate,
        offers=offer_validate,
        personal=True,
    ),
    Act(
        command=cmd.ChangeProgressive,
        roles=EVERYBODY,
        duty="window",
        decide=change,
        strangers=True,
    ),
)
