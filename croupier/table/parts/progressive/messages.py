"""The progressive system: what may be asked of it and what happened."""

from __future__ import annotations

from typing import ClassVar

from croupier.money import Cents
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

# What may be asked for.


class CountProgressive(Command, frozen=True, tag="count_progressive"):
    """The dealer collects the progressive wagers and counts their chips."""

    chips: int


class ResolveProgressive(Command, frozen=True, tag="resolve_progressive"):
    """A floorperson settles a difference between chips and accepted wagers."""

    reason: str


class VerifyAward(Command, frozen=True, tag="verify_award"):
    """The dealer checks the hand behind an award, and the light of the system."""

    seat: int
    light: bool


class ValidateAward(Command, frozen=True, tag="validate_award"):
    """A floorperson validates an award; a reason is needed if the light was off."""

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
    """The dealer checked the hand and the light of an award; `meter` is none at fixed odds."""

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
