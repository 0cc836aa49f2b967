"""What may be asked of chips, and what happened to them."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# How many pieces of each denomination, by its cents: {"100": 20, "500": 4} is $40.00.
Pile: TypeAlias = dict[str, int]
Slip: TypeAlias = Literal["fill", "credit"]

# What may be asked for.


class BuyIn(Command, frozen=True, tag="buy_in"):
    """Cash goes into the drop box and its worth in chips to the player."""

    seat: int
    cash: Cents


class AddChips(Command, frozen=True, tag="add_chips"):
    """A player puts chips from elsewhere on the table."""

    seat: int
    chips: Cents


class ExchangeChips(Command, frozen=True, tag="exchange_chips"):
    """A player changes chips for others of the same worth through the tray: a colour-up."""

    seat: int
    given: Pile
    taken: Pile


class Tip(Command, frozen=True, tag="tip"):
    """A player gives chips to the dealers, into the tip box."""

    seat: int
    chips: Cents


class CashOut(Command, frozen=True, tag="cash_out"):
    """A player takes chips off the table and keeps the seat."""

    seat: int
    chips: Cents


class RequestFill(Command, frozen=True, tag="request_fill"):
    """A floorperson asks the cage for chips under a new slip."""

    slip: str
    chips: Cents | Pile


class CountFill(Command, frozen=True, tag="count_fill"):
    """The cashier of the chip bank counts out the chips that a fill was requested for."""

    slip: str
    chips: Cents | Pile


class ConfirmFill(Command, frozen=True, tag="confirm_fill"):
    """A floorperson finds the count as requested, and the chips go into the tray."""

    slip: str


class RequestCredit(Command, frozen=True, tag="request_credit"):
    """A floorperson asks for chips of the tray to go back to the cage under a new slip."""

    slip: str
    chips: Cents | Pile


class CountCredit(Command, frozen=True, tag="count_credit"):
    """The dealer counts out the chips that a credit was requested for."""

    slip: str
    chips: Cents | Pile


class ConfirmCredit(Command, frozen=True, tag="confirm_credit"):
    """A floorperson finds the count as requested, and the chips leave the table."""

    slip: str


class SignSlip(Command, frozen=True, tag="sign_slip"):
    """The cashier, security who carries the chips, or the dealer who gets them signs a slip."""

    slip: str


class RecountSlip(Command, frozen=True, tag="recount_slip"):
    """Cashier or dealer counts again before a slip is confirmed, and says why."""

    slip: str
    chips: Cents | Pile
    reason: str


class CancelSlip(Command, frozen=True, tag="cancel_slip"):
    """A floorperson cancels a fill or a credit before it is confirmed, and says why."""

    slip: str
    reason: str


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


class ChipsExchanged(Event, frozen=True, kw_only=True, tag="chips_exchanged"):
    """A player gave chips to the tray and took others of the same worth."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    given: Pile
    taken: Pile


class Tipped(Event, frozen=True, kw_only=True, tag="tipped"):
    """A player's chips went into the tip box."""

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


class FillRequested(Event, frozen=True, kw_only=True, tag="fill_requested"):
    """Chips are asked for; nobody has counted any."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class FillCounted(Event, frozen=True, kw_only=True, tag="fill_counted"):
    """The cashier's count of a fill; it moves nothing until the others have signed."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class FillReceived(Event, frozen=True, kw_only=True, tag="fill_received"):
    """Chips from the cage are in the tray."""

    slip: str
    chips: Cents
    pile: Pile = {}
    counted_by: Account


class CreditRequested(Event, frozen=True, kw_only=True, tag="credit_requested"):
    """Chips are asked to leave; nobody has counted any."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class CreditCounted(Event, frozen=True, kw_only=True, tag="credit_counted"):
    """The dealer's count of a credit; it moves nothing until the others have signed."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class CreditSent(Event, frozen=True, kw_only=True, tag="credit_sent"):
    """Chips left the tray for the cage."""

    slip: str
    chips: Cents
    pile: Pile = {}
    counted_by: Account


class SlipSigned(Event, frozen=True, kw_only=True, tag="slip_signed"):
    """Whoever keeps, carries or gets the chips signed a slip."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    by: Account


class SlipRecounted(Event, frozen=True, kw_only=True, tag="slip_recounted"):
    """A fill or a credit was counted again; what was signed before is signed anew."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    reason: str
    by: Account


class SlipCancelled(Event, frozen=True, kw_only=True, tag="slip_cancelled"):
    """A fill or a credit was cancelled; it moved nothing, and its number is used up."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    reason: str


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
