"""Commands and events of large-payout documents."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# Commands.


class PreparePayout(Command, frozen=True, tag="prepare_payout"):
    """A floorperson prepares a two-part payout document for a wager about to be paid."""

    seat: int
    wager: str


class WitnessPayout(Command, frozen=True, tag="witness_payout"):
    """A second person witnesses a payout document."""

    serial: int


class NotifySurveillance(Command, frozen=True, tag="notify_surveillance"):
    """Surveillance is notified of a payout; `photo` if a photograph was taken."""

    serial: int
    photo: bool


class VoidPayout(Command, frozen=True, tag="void_payout"):
    """A pit manager voids a payout document that is not paid yet."""

    serial: int
    reason: str


# Events.


class PayoutDocumented(Event, frozen=True, kw_only=True, tag="payout_documented"):
    """A payout document was prepared; it is never altered."""

    audience: ClassVar[Audience] = "own"

    serial: int
    round: int
    seat: int
    player: str
    wager: str
    stake: Cents
    winnings: Cents
    witness: str  # the role that must witness it; "" if the payout is not taxable
    surveillance: bool
    by_check: bool
    by: Account


class PayoutWitnessed(Event, frozen=True, kw_only=True, tag="payout_witnessed"):
    """A second person witnessed a payout document."""

    audience: ClassVar[Audience] = "own"

    serial: int


class SurveillanceNotified(Event, frozen=True, kw_only=True, tag="surveillance_notified"):
    """Surveillance was notified of a payout and a photograph was taken."""

    audience: ClassVar[Audience] = "own"

    serial: int
    photo: bool


class PayoutVoided(Event, frozen=True, kw_only=True, tag="payout_voided"):
    """A payout document was voided; nothing was paid on it."""

    audience: ClassVar[Audience] = "own"

    serial: int
    reason: str


class PaidByCheck(Event, frozen=True, kw_only=True, tag="paid_by_check"):
    """A payout was made by check from the cage instead of chips."""

    audience: ClassVar[Audience] = "own"

    serial: int
    seat: int
    player: str
    amount: Cents


class AwardsReopened(Event, frozen=True, kw_only=True, tag="awards_reopened"):
    """A ruling changed the payouts: every award of the round must be verified again."""

    audience: ClassVar[Audience] = "staff"
