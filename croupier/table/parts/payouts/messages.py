"""What may be asked about large payouts, and what happened to their documents."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# What may be asked for.


class PreparePayout(Command, frozen=True, tag="prepare_payout"):
    """A two-part payout document for one wager that is about to be paid."""

    seat: int
    wager: str


class WitnessPayout(Command, frozen=True, tag="witness_payout"):
    """A second person signs a payout document."""

    serial: int


class NotifySurveillance(Command, frozen=True, tag="notify_surveillance"):
    """Surveillance is told of a payout, and whether a photograph was taken."""

    serial: int
    photo: bool


class VoidPayout(Command, frozen=True, tag="void_payout"):
    """A payout document is voided before anything was paid on it."""

    serial: int
    reason: str


# What happened.


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
    witness: str  # the role it needs
    surveillance: bool
    by_check: bool
    by: Account


class PayoutWitnessed(Event, frozen=True, kw_only=True, tag="payout_witnessed"):
    """A second person signed a payout document."""

    audience: ClassVar[Audience] = "own"

    serial: int


class SurveillanceNotified(Event, frozen=True, kw_only=True, tag="surveillance_notified"):
    """Surveillance knows of a payout and a photograph exists."""

    audience: ClassVar[Audience] = "own"

    serial: int
    photo: bool


class PayoutVoided(Event, frozen=True, kw_only=True, tag="payout_voided"):
    """A payout document is void; nothing was paid on it."""

    audience: ClassVar[Audience] = "own"

    serial: int
    reason: str


class PaidByCheck(Event, frozen=True, kw_only=True, tag="paid_by_check"):
    """A payout left the table as a check of the cage instead of chips."""

    audience: ClassVar[Audience] = "own"

    serial: int
    seat: int
    player: str
    amount: Cents


class AwardsReopened(Event, frozen=True, kw_only=True, tag="awards_reopened"):
    """A ruling changed what is due: every award of the round must be checked anew."""

    audience: ClassVar[Audience] = "staff"
