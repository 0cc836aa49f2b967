"""Chips: bought, brought, taken away; fills and credits counted by one and agreed by another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.money import Cents, dollars
from croupier.table.forms import Amount, Count, Text
from croupier.table.parts import WITH_SEATS, Act, Offer, Part
from croupier.table.people import DEALER, FLOOR, PLAYER, Account
from croupier.table.record import Audience, Command, Event
from croupier.table.round import record as played
from croupier.table.seats import own_seat, seated
from croupier.table.shift import Counted

if TYPE_CHECKING:
    from croupier.table.table import Table

FILLS = "COMAR 36.05.03.15D"  # fills and credits enter the table's win
UNCLAIMED = "COMAR 36.05.03.23E"

# What may be asked for.


class BuyIn(Command, frozen=True, tag="buy_in"):
    """Cash goes into the drop box and its worth in chips to the player."""

    seat: int
    cash: Cents


class AddChips(Command, frozen=True, tag="add_chips"):
    """A player puts chips from elsewhere on the table."""

    seat: int
    chips: Cents


class CashOut(Command, frozen=True, tag="cash_out"):
    """A player takes chips off the table and keeps the seat."""

    seat: int
    chips: Cents


class CountFill(Command, frozen=True, tag="count_fill"):
    """The dealer counts chips brought from the cage under a slip."""

    slip: str
    chips: Cents


class ConfirmFill(Command, frozen=True, tag="confirm_fill"):
    """A floorperson agrees with the count, and the chips go into the tray."""

    slip: str


class CountCredit(Command, frozen=True, tag="count_credit"):
    """The dealer counts out chips that go back to the cage under a slip."""

    slip: str
    chips: Cents


class ConfirmCredit(Command, frozen=True, tag="confirm_credit"):
    """A floorperson agrees with the count, and the chips leave the table."""

    slip: str


class PayUnclaimed(Command, frozen=True, tag="pay_unclaimed"):
    """A floorperson hands over what was held for a player who had left."""

    player: str


# What happened.


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought_in"):
    """Cash for chips."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    cash: Cents
    chips: Cents


class ChipsAdded(Event, frozen=True, kw_only=True, tag="chips_added"):
    """A player brought chips."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    chips: Cents


class CashedOut(Event, frozen=True, kw_only=True, tag="cashed_out"):
    """A player took chips away and stays."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    chips: Cents


class FillCounted(Event, frozen=True, kw_only=True, tag="fill_counted"):
    """The dealer's count of a fill; it moves nothing until somebody else agrees."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    by: Account


class FillReceived(Event, frozen=True, kw_only=True, tag="fill_received"):
    """Chips from the cage are in the tray."""

    slip: str
    chips: Cents
    counted_by: Account


class CreditCounted(Event, frozen=True, kw_only=True, tag="credit_counted"):
    """The dealer's count of a credit; it moves nothing until somebody else agrees."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    by: Account


class CreditSent(Event, frozen=True, kw_only=True, tag="credit_sent"):
    """Chips left the tray for the cage."""

    slip: str
    chips: Cents
    counted_by: Account


class UnclaimedHeld(Event, frozen=True, kw_only=True, tag="unclaimed_held"):
    """What came back to a player who has left is kept as a liability."""

    audience: ClassVar[Audience] = "own"

    player: str
    amount: Cents


class UnclaimedPaid(Event, frozen=True, kw_only=True, tag="unclaimed_paid"):
    """Held money was handed over."""

    audience: ClassVar[Audience] = "own"

    player: str
    amount: Cents


@dataclass(slots=True)
class Chips:
    """Counts that wait for a second person; where the chips are stands in the book."""

    fills: dict[str, Counted] = field(default_factory=dict)
    credits: dict[str, Counted] = field(default_factory=dict)
    slips: set[str] = field(default_factory=set)


def fill_counted(table: Table, event: FillCounted) -> None:
    """A fill waits."""
    table.chips.fills[event.slip] = Counted(event.chips, event.by)
    table.chips.slips.add(event.slip)


def credit_counted(table: Table, event: CreditCounted) -> None:
    """A credit waits."""
    table.chips.credits[event.slip] = Counted(event.chips, event.by)
    table.chips.slips.add(event.slip)


def fill_received(table: Table, event: FillReceived) -> None:
    """It waits no more."""
    table.chips.fills.pop(event.slip)
    table.shift.count = None


def credit_sent(table: Table, event: CreditSent) -> None:
    """It waits no more."""
    table.chips.credits.pop(event.slip)
    table.shift.count = None


def bought(table: Table, event: BoughtIn) -> None:
    """A count of the tray is worth nothing any more."""
    table.shift.count = None


# The rules.


def check_tray(table: Table, cents: Cents) -> None:
    """Refuse what the tray cannot give, without saying what it holds: that is for a count."""
    if table.attended and cents > table.book.tray:
        raise table.refusal(f"the tray does not hold {dollars(cents)}", "chips")


def check_amount(table: Table, amount: object, most: int | None, what: str) -> None:
    """Refuse what is no amount, or more than there is."""
    if not Amount(1, most).admits(amount):
        limit = f" up to {dollars(most)}" if most is not None else ""
        raise table.refusal(f"an amount{limit} is expected {what}, got {amount!r}", "chips")


def buy_in(table: Table, command: BuyIn, by: Account, at: int) -> list[Event]:
    """Cash to the drop box, chips from the tray."""
    player = seated(table, command.seat)
    check_amount(table, command.cash, None, "of cash")
    check_tray(table, command.cash)
    bought = BoughtIn(
        seat=command.seat,
        player=player,
        cash=command.cash,
        chips=command.cash,
        clauses=table.house.cite("chips"),
    )
    return [bought]


def add_chips(table: Table, command: AddChips, by: Account, at: int) -> list[Event]:
    """Chips that the player brought along."""
    player = seated(table, command.seat)
    check_amount(table, command.chips, None, "of chips")
    clauses = table.house.cite("chips")
    return [ChipsAdded(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def cash_out(table: Table, command: CashOut, by: Account, at: int) -> list[Event]:
    """Chips off the table; the seat stays."""
    player = own_seat(table, command.seat, by)
    check_amount(table, command.chips, table.book.rack(player), "of the rack")
    clauses = table.house.cite("chips")
    return [CashedOut(seat=command.seat, player=player, chips=command.chips, clauses=clauses)]


def check_slip(table: Table, slip: str, chips: object) -> None:
    """A new slip, a real amount, an open table."""
    if not table.shift.open:
        raise Refusal("the table is not open", FILLS)
    if not slip.strip() or slip in table.chips.slips:
        raise Refusal(f"{slip!r} is not the number of a new slip", FILLS)
    if not Amount(1).admits(chips):
        raise Refusal(f"an amount of chips is expected, got {chips!r}", FILLS)


def second(waiting: dict[str, Counted], slip: str, by: Account) -> Counted:
    """The dealer's count under a slip, for another person than its maker."""
    counted = waiting.get(slip)
    if counted is None:
        raise Refusal(f"no count waits under slip {slip!r}", FILLS)
    if counted.by.id == by.id:
        raise Refusal(f"{by.id} counted; another person agrees", FILLS)
    return counted


def count_fill(table: Table, command: CountFill, by: Account, at: int) -> list[Event]:
    """The dealer's half of a fill."""
    check_slip(table, command.slip, command.chips)
    return [FillCounted(slip=command.slip, chips=command.chips, by=by, clauses=(FILLS,))]


def confirm_fill(table: Table, command: ConfirmFill, by: Account, at: int) -> list[Event]:
    """The other half: chips into the tray."""
    counted = second(table.chips.fills, command.slip, by)
    received = FillReceived(
        slip=command.slip,
        chips=counted.chips,
        counted_by=counted.by,
        clauses=(FILLS,),
    )
    return [received]


def count_credit(table: Table, command: CountCredit, by: Account, at: int) -> list[Event]:
    """The dealer's half of a credit."""
    check_slip(table, command.slip, command.chips)
    check_tray(table, command.chips)
    return [CreditCounted(slip=command.slip, chips=command.chips, by=by, clauses=(FILLS,))]


def confirm_credit(table: Table, command: ConfirmCredit, by: Account, at: int) -> list[Event]:
    """The other half: chips out of the tray, if they are still there."""
    counted = second(table.chips.credits, command.slip, by)
    check_tray(table, counted.chips)
    sent = CreditSent(
        slip=command.slip,
        chips=counted.chips,
        counted_by=counted.by,
        clauses=(FILLS,),
    )
    return [sent]


def pay_unclaimed(table: Table, command: PayUnclaimed, by: Account, at: int) -> list[Event]:
    """The owner came back."""
    amount = table.book.held().get(command.player, 0)
    if not amount:
        raise Refusal(f"nothing is held for {command.player!r}", UNCLAIMED)
    return [UnclaimedPaid(player=command.player, amount=amount, clauses=(UNCLAIMED,))]


def offer_counts(table: Table, kind: str) -> Iterator[Offer]:
    """A fill or a credit at any time of an open table."""
    if not table.shift.open:
        return
    slip = Text(kind, taken=tuple(sorted(table.chips.slips)))
    if kind == "fill":
        yield Offer(
            command=CountFill(slip.example(), 1),
            forms={"slip": slip, "chips": Count(1)},
        )
    elif table.book.tray > 0:
        yield Offer(
            command=CountCredit(slip.example(), 1),
            forms={"slip": slip, "chips": Count(1)},
        )


def offer_confirms(table: Table, kind: str) -> Iterator[Offer]:
    """Every count that waits for a second person."""
    if kind == "fill":
        for slip in table.chips.fills:
            yield Offer(command=ConfirmFill(slip), due="due", why="the dealer has counted")
    else:
        for slip in table.chips.credits:
            yield Offer(command=ConfirmCredit(slip), due="due", why="the dealer has counted")


def offer_unclaimed(table: Table, at: int) -> Iterator[Offer]:
    """Whatever is held may be fetched."""
    for player, amount in table.book.held().items():
        yield Offer(command=PayUnclaimed(player), why=f"{dollars(amount)} is held")


def offer_buy_in(table: Table, at: int) -> Iterator[Offer]:
    """Everybody who sits may buy; who has nothing has to."""
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        yield Offer(
            command=BuyIn(seat, 1),
            forms={"cash": Amount(1)},
            due="may" if rack or table.boxes_of(player) else "due",
            why="" if rack else "no chips yet",
        )


def offer_add_chips(table: Table, at: int) -> Iterator[Offer]:
    """Everybody who sits may bring chips along."""
    for seat in sorted(table.seats.taken):
        yield Offer(command=AddChips(seat, 100_00), forms={"chips": Amount(1)})


def offer_cash_out(table: Table, at: int) -> Iterator[Offer]:
    """Everybody may take their chips."""
    for seat, player in sorted(table.seats.taken.items()):
        rack = table.book.rack(player)
        if rack:
            yield Offer(
                command=CashOut(seat, rack),
                forms={"chips": Amount(1, rack)},
                who=(Account(player, "player"),),
            )


# What chips ask of the round.


def after_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Nobody bets more than lies before them."""
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    lay = sum(box.stakes.values()) if box is not None else 0
    check_covered(table, by.id, sum(placed.stakes.values()) - lay)
    return []


def after_deciding(
    table: Table, command: played.Decide, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A bet during the round needs chips too."""
    assert table.dealing is not None
    stake = sum(event.stake for event in events if isinstance(event, played.Decided))
    check_covered(table, table.dealing.boxes[command.seat].player, stake)
    return []


def check_covered(table: Table, player: str, cents: Cents) -> None:
    """Refuse what a player's chips do not cover (A34)."""
    short = cents - table.book.rack(player)
    if short > 0:
        problem = f"{player} is {dollars(short)} short"
        raise Refusal(problem, "A34", game=table.house.game.key)


def after_settling(
    table: Table, command: played.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The tray must be able to pay; what an absent player wins is held."""
    book = table.book.copy()
    for event in events:
        book.post(event)
    if table.attended and book.tray < 0:
        short = f"the tray is {dollars(-book.tray)} short; a fill is needed"
        raise table.refusal(short, "settle.pays")
    return [
        UnclaimedHeld(player=player, amount=amount, clauses=("A89",))
        for player in sorted(table.seats.absent)
        if (amount := book.rack(player))
    ]


ACTS = (
    Act(command=BuyIn, roles=DEALER, duty="chips", decide=buy_in, offers=offer_buy_in),
    Act(command=AddChips, roles=DEALER, duty="chips", decide=add_chips, offers=offer_add_chips),
    Act(command=CashOut, roles=PLAYER, duty="chips", decide=cash_out, offers=offer_cash_out),
    Act(
        command=CountFill,
        roles=DEALER,
        duty="chips",
        decide=count_fill,
        offers=lambda table, at: offer_counts(table, "fill"),
    ),
    Act(
        command=ConfirmFill,
        roles=FLOOR,
        duty="chips",
        decide=confirm_fill,
        offers=lambda table, at: offer_confirms(table, "fill"),
        personal=True,
    ),
    Act(
        command=CountCredit,
        roles=DEALER,
        duty="chips",
        decide=count_credit,
        offers=lambda table, at: offer_counts(table, "credit"),
    ),
    Act(
        command=ConfirmCredit,
        roles=FLOOR,
        duty="chips",
        decide=confirm_credit,
        offers=lambda table, at: offer_confirms(table, "credit"),
        personal=True,
    ),
    Act(
        command=PayUnclaimed,
        roles=FLOOR,
        duty="chips",
        decide=pay_unclaimed,
        offers=offer_unclaimed,
    ),
)
PART = Part(
    name="chips",
    services=WITH_SEATS,
    acts=ACTS,
    after={
        played.PlaceWagers: after_placing,
        played.Decide: after_deciding,
        played.Settle: after_settling,
    },
    evolve={
        BoughtIn: bought,
        FillCounted: fill_counted,
        FillReceived: fill_received,
        CreditCounted: credit_counted,
        CreditSent: credit_sent,
    },
)
