"""Commands and events of chips."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# Number of chips by denomination in cents: {"100": 20, "500": 4} is $40.00.
Pile: TypeAlias = dict[str, int]
Slip: TypeAlias = Literal["fill", "credit"]

# Commands.


class BuyIn(Command, frozen=True, tag="buy_in"):
    """A player buys chips; the cash goes into the drop box."""

    seat: int
    cash: Cents


class AddChips(Command, frozen=True, tag="add_chips"):
    """A player brings chips from elsewhere to the table."""

    seat: int
    chips: Cents


class ExchangeChips(Command, frozen=True, tag="exchange_chips"):
    """A player exchanges chips for other denominations of the same value, such as a color-up."""

    seat: int
    given: Pile
    taken: Pile


class Tip(Command, frozen=True, tag="tip"):
    """A player tips the dealers; the chips go into the tip box."""

    seat: int
    chips: Cents


class CashOut(Command, frozen=True, tag="cash_out"):
    """A player takes chips off the table and keeps the seat."""

    seat: int
    chips: Cents


class RequestFill(Command, frozen=True, tag="request_fill"):
    """A floorperson requests a fill from the cage under a new slip number."""

    slip: str
    chips: Cents | Pile


class CountFill(Command, frozen=True, tag="count_fill"):
    """The cage cashier counts out the chips of a requested fill."""

    slip: str
    chips: Cents | Pile


class ConfirmFill(Command, frozen=True, tag="confirm_fill"):
    """A floorperson confirms that a fill matches its request; the chips go into the tray."""

    slip: str


class RequestCredit(Command, frozen=True, tag="request_credit"):
    """A floorperson requests a credit from the tray to the cage under a new slip number."""

    slip: str
    chips: Cents | Pile


class CountCredit(Command, frozen=True, tag="count_credit"):
    """The dealer counts out the chips of a requested credit."""

    slip: str
    chips: Cents | Pile


class ConfirmCredit(Command, frozen=True, tag="confirm_credit"):
    """A floorperson confirms that a credit matches its request; the chips leave the table."""

    slip: str


class SignSlip(Command, frozen=True, tag="sign_slip"):
    """The cashier, the security officer or the dealer signs a fill or credit slip."""

    slip: str


class RecountSlip(Command, frozen=True, tag="recount_slip"):
    """The cashier or dealer recounts an unconfirmed fill or credit, with a reason."""

    slip: str
    chips: Cents | Pile
    reason: str


class CancelSlip(Command, frozen=True, tag="cancel_slip"):
    """A floorperson cancels an unconfirmed fill or credit, with a reason."""

    slip: str
    reason: str


class PayUnclaimed(Command, frozen=True, tag="pay_unclaimed"):
    """A floorperson pays out the money held for a player who left."""

    player: str


# Events.


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought_in"):
    """A player bought chips with cash."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    cash: Cents
    chips: Cents


class ChipsAdded(Event, frozen=True, kw_only=True, tag="chips_added"):
    """A player brought chips to the table."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    chips: Cents


class ChipsExchanged(Event, frozen=True, kw_only=True, tag="chips_exchanged"):
    """A player exchanged chips with the tray for others of the same value."""

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
    """A player took chips off the table and kept the seat."""

    audience: ClassVar[Audience] = "own"

    seat: int
    player: str
    chips: Cents


class FillRequested(Event, frozen=True, kw_only=True, tag="fill_requested"):
    """A fill was requested; no chips are counted yet."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class FillCounted(Event, frozen=True, kw_only=True, tag="fill_counted"):
    """The cashier counted a fill; nothing moves until it is signed and confirmed."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class FillReceived(Event, frozen=True, kw_only=True, tag="fill_received"):
    """A fill was confirmed; its chips are in the tray."""

    slip: str
    chips: Cents
    pile: Pile = {}
    counted_by: Account


class CreditRequested(Event, frozen=True, kw_only=True, tag="credit_requested"):
    """A credit was requested; no chips are counted yet."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class CreditCounted(Event, frozen=True, kw_only=True, tag="credit_counted"):
    """The dealer counted a credit; nothing moves until it is signed and confirmed."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    by: Account


class CreditSent(Event, frozen=True, kw_only=True, tag="credit_sent"):
    """A credit was confirmed; its chips left the tray for the cage."""

    slip: str
    chips: Cents
    pile: Pile = {}
    counted_by: Account


class SlipSigned(Event, frozen=True, kw_only=True, tag="slip_signed"):
    """The cashier, the security officer or the dealer signed a slip."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    by: Account


class SlipRecounted(Event, frozen=True, kw_only=True, tag="slip_recounted"):
    """A fill or credit was recounted; earlier signatures are void."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    chips: Cents
    pile: Pile = {}
    reason: str
    by: Account


class SlipCancelled(Event, frozen=True, kw_only=True, tag="slip_cancelled"):
    """A fill or credit was canceled; no chips moved and the slip number stays used."""

    audience: ClassVar[Audience] = "staff"

    slip: str
    reason: str


class UnclaimedHeld(Event, frozen=True, kw_only=True, tag="unclaimed_held"):
    """Money of a player who left is held as a liability; `by` may not pay it out."""

    audience: ClassVar[Audience] = "own"

    player: str
    amount: Cents
    by: Account


class UnclaimedPaid(Event, frozen=True, kw_only=True, tag="unclaimed_paid"):
    """Held money was paid out to its owner."""

    audience: ClassVar[Audience] = "own"

    player: str
    amount: Cents
