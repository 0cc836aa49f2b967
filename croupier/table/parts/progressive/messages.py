"""Commands and events of the progressive system."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# Commands.


class CountProgressive(Command, frozen=True, tag="count_progressive"):
    """The dealer collects and counts the progressive chips."""

    chips: int


class ResolveProgressive(Command, frozen=True, tag="resolve_progressive"):
    """A floorperson resolves a difference between progressive chips and accepted wagers."""

    reason: str


class VerifyAward(Command, frozen=True, tag="verify_award"):
    """The dealer verifies the hand and the system light of an award."""

    seat: int
    light: bool


class ValidateAward(Command, frozen=True, tag="validate_award"):
    """A floorperson validates an award; a reason is needed if the light was off."""

    seat: int
    reason: str = ""


# Events.


class ProgressiveAcknowledged(Event, frozen=True, kw_only=True, tag="progressive_acknowledged"):
    """The progressive system accepted and acknowledged a wager at a position."""

    seat: int
    stake: Cents


class ProgressiveCollected(Event, frozen=True, kw_only=True, tag="progressive_collected"):
    """The progressive chips were counted and put into the tray."""

    counted: int
    accepted: int
    amount: Cents
    reason: str = ""  # how a floorperson resolved a difference


class ProgressiveCountDiffered(Event, frozen=True, kw_only=True, tag="progressive_count_differed"):
    """Progressive chips and accepted wagers differ; a floorperson resolves it before the deal."""

    audience: ClassVar[Audience] = "staff"

    counted: int
    accepted: int


class AwardVerified(Event, frozen=True, kw_only=True, tag="award_verified"):
    """The dealer verified the hand and the light of an award; `meter` is "" at fixed odds."""

    audience: ClassVar[Audience] = "staff"

    seat: int
    meter: str
    amount: Cents
    light: bool
    by: Account


class AwardValidated(Event, frozen=True, kw_only=True, tag="award_validated"):
    """A floorperson validated an award; it may be paid."""

    seat: int
    meter: str
    amount: Cents
    verified_by: Account
    reason: str = ""
