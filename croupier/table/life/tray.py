"""The tray: fills and credits counted by the dealer and agreed by another, and what is held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.money import dollars
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Amount, Text
from croupier.table.life.people import DEALER, FLOOR, Person
from croupier.table.life.state import Counted

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

FILLS = "COMAR 36.05.03.15D"  # fills and credits enter the table's win
UNCLAIMED = "COMAR 36.05.03.23E"


def check_slip(live: LiveTable, slip: str, chips: object, most: int | None) -> None:
    """A new slip, a real amount, an open table."""
    if not live.life.open:
        raise Refusal("the table is not open", FILLS)
    if not slip.strip() or slip in live.life.slips:
        raise Refusal(f"{slip!r} is not the number of a new slip", FILLS)
    if not Amount(1, most).admits(chips):
        limit = f" up to {dollars(most)}" if most is not None else ""
        raise Refusal(f"an amount of chips{limit} is expected, got {chips!r}", FILLS)


def second(waiting: dict[str, Counted], slip: str, by: Person) -> Counted:
    """The dealer's count under a slip, for another person than its maker."""
    counted = waiting.get(slip)
    if counted is None:
        raise Refusal(f"no count waits under slip {slip!r}", FILLS)
    if counted.by.name == by.name:
        raise Refusal(f"{by.name} counted; another person agrees", FILLS)
    return counted


def count_fill(live: LiveTable, command: cmd.CountFill, by: Person, at: int) -> list[Event]:
    """The dealer's half of a fill."""
    check_slip(live, command.slip, command.chips, None)
    return [ev.FillCounted(slip=command.slip, chips=command.chips, at=at, by=by, clauses=(FILLS,))]


def confirm_fill(live: LiveTable, command: cmd.ConfirmFill, by: Person, at: int) -> list[Event]:
    """The other half: chips into the tray."""
    counted = second(live.life.fills, command.slip, by)
    received = ev.FillReceived(
        slip=command.slip,
        chips=counted.chips,
        counted_by=counted.by,
        at=at,
        by=by,
        clauses=(FILLS,),
    )
    return [received]


def count_credit(live: LiveTable, command: cmd.CountCredit, by: Person, at: int) -> list[Event]:
    """The dealer's half of a credit."""
    check_slip(live, command.slip, command.chips, max(live.life.tray, 0))
    return [
        ev.CreditCounted(slip=command.slip, chips=command.chips, at=at, by=by, clauses=(FILLS,))
    ]


def confirm_credit(live: LiveTable, command: cmd.ConfirmCredit, by: Person, at: int) -> list[Event]:
    """The other half: chips out of the tray, if they are still there."""
    counted = second(live.life.credits, command.slip, by)
    if counted.chips > live.life.tray:
        raise Refusal(f"the tray holds {dollars(live.life.tray)} only", FILLS)
    sent = ev.CreditSent(
        slip=command.slip,
        chips=counted.chips,
        counted_by=counted.by,
        at=at,
        by=by,
        clauses=(FILLS,),
    )
    return [sent]


def pay_unclaimed(live: LiveTable, command: cmd.PayUnclaimed, by: Person, at: int) -> list[Event]:
    """The owner came back."""
    amount = live.life.held.get(command.player, 0)
    if not amount:
        raise Refusal(f"nothing is held for {command.player!r}", UNCLAIMED)
    return [
        ev.UnclaimedPaid(player=command.player, amount=amount, at=at, by=by, clauses=(UNCLAIMED,))
    ]


def offer_counts(live: LiveTable, kind: str) -> Iterator[Offer]:
    """A fill or a credit at any time of an open table."""
    life = live.life
    if not life.open:
        return
    slip = Text(kind, taken=tuple(sorted(life.slips)))
    if kind == "fill":
        yield Offer(
            command=cmd.CountFill(slip.example(), 10_000_00),
            forms={"slip": slip, "chips": Amount(1)},
        )
    elif life.tray > 0:
        yield Offer(
            command=cmd.CountCredit(slip.example(), life.tray),
            forms={"slip": slip, "chips": Amount(1, life.tray)},
        )


def offer_confirms(live: LiveTable, kind: str) -> Iterator[Offer]:
    """Every count that waits for a second person."""
    if kind == "fill":
        for slip in live.life.fills:
            yield Offer(command=cmd.ConfirmFill(slip), due="due", why="the dealer has counted")
    else:
        for slip in live.life.credits:
            yield Offer(command=cmd.ConfirmCredit(slip), due="due", why="the dealer has counted")


def offer_unclaimed(live: LiveTable, at: int) -> Iterator[Offer]:
    """Whatever is held may be fetched."""
    for player, amount in live.life.held.items():
        yield Offer(command=cmd.PayUnclaimed(player), why=f"{dollars(amount)} is held")


ACTS = (
    Act(
        command=cmd.CountFill,
        roles=DEALER,
        duty="chips",
        decide=count_fill,
        offers=lambda live, at: offer_counts(live, "fill"),
    ),
    Act(
        command=cmd.ConfirmFill,
        roles=FLOOR,
        duty="chips",
        decide=confirm_fill,
        offers=lambda live, at: offer_confirms(live, "fill"),
        personal=True,
    ),
    Act(
        command=cmd.CountCredit,
        roles=DEALER,
        duty="chips",
        decide=count_credit,
        offers=lambda live, at: offer_counts(live, "credit"),
    ),
    Act(
        command=cmd.ConfirmCredit,
        roles=FLOOR,
        duty="chips",
        decide=confirm_credit,
        offers=lambda live, at: offer_confirms(live, "credit"),
        personal=True,
    ),
    Act(
        command=cmd.PayUnclaimed,
        roles=FLOOR,
        duty="chips",
        decide=pay_unclaimed,
        offers=offer_unclaimed,
    ),
)
