"""What happened to progressive wagers, awards, payout documents and limits."""

from __future__ import annotations

from croupier.money import Cents
from croupier.table.life.events.base import LifeEvent
from croupier.table.life.people import Person


class ProgressiveAcknowledged(LifeEvent, frozen=True, kw_only=True, tag="progressive_acknowledged"):
    """The device of a position took a progressive wager, and its owner can see it."""

    seat: int
    stake: Cents


class ProgressiveCollected(LifeEvent, frozen=True, kw_only=True, tag="progressive_collected"):
    """As many chips as accepted wagers were counted and lie in the tray."""

    counted: int
    accepted: int
    amount: Cents
    reason: str = ""  # how a floorperson settled a difference


class ProgressiveCountDiffered(
    LifeEvent, frozen=True, kw_only=True, tag="progressive_count_differed"
):
    """Chips and accepted wagers do not agree; no card is dealt until a floorperson settles it."""

    counted: int
    accepted: int


class AwardVerified(LifeEvent, frozen=True, kw_only=True, tag="award_verified"):
    """The dealer checked the hand and the light of a meter award."""

    seat: int
    meter: str
    amount: Cents
    light: bool


class AwardValidated(LifeEvent, frozen=True, kw_only=True, tag="award_validated"):
    """A floorperson validated a meter award; it may be paid."""

    seat: int
    meter: str
    amount: Cents
    verified_by: Person
    reason: str = ""


class AwardsReopened(LifeEvent, frozen=True, kw_only=True, tag="awards_reopened"):
    """A ruling changed what is due: every award of the round must be checked anew."""


class PayoutDocumented(LifeEvent, frozen=True, kw_only=True, tag="payout_documented"):
    """A payout document was prepared; it is never altered."""

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


class PayoutWitnessed(LifeEvent, frozen=True, kw_only=True, tag="payout_witnessed"):
    """A second person signed a payout document."""

    serial: int


class SurveillanceNotified(LifeEvent, frozen=True, kw_only=True, tag="surveillance_notified"):
    """Surveillance knows of a payout and a photograph exists."""

    serial: int
    photo: bool


class PayoutVoided(LifeEvent, frozen=True, kw_only=True, tag="payout_voided"):
    """A payout document is void; nothing was paid on it."""

    serial: int
    reason: str


class PaidByCheck(LifeEvent, frozen=True, kw_only=True, tag="paid_by_check"):
    """A payout left the table as a check of the cage instead of chips."""

    serial: int
    seat: int
    player: str
    amount: Cents


class LimitNoticeGiven(LifeEvent, frozen=True, kw_only=True, tag="limit_notice_given"):
    """New limits were put on a sign and announced; they may apply from `effective`."""

    wager: str
    minimum: Cents
    maximum: Cents | None
    effective: int


class LimitsChanged(LifeEvent, frozen=True, kw_only=True, tag="limits_changed"):
    """New limits hold for the next wagers."""

    wager: str
    minimum: Cents
    maximum: Cents | None
