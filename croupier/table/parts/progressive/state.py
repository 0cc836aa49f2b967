"""State of progressive wagers and awards, and its event handlers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.core.roles import Account
from croupier.table.parts.payouts import AwardsReopened
from croupier.table.parts.progressive import messages as msg
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


@dataclass(slots=True)
class Award:
    """An award that the dealer has verified."""

    meter: str  # "" at fixed odds
    amount: Cents
    light: bool
    verified_by: Account
    verified_at: int
    validated: bool = False


@dataclass(slots=True)
class ProgressiveState:
    """The progressive wagers and awards of the round in progress."""

    collected: bool = False
    count_differs: tuple[int, int] | None = None  # chips counted, wagers accepted
    awards: dict[int, Award] = field(default_factory=dict)


def on_collected(table: Table, event: msg.ProgressiveCollected) -> None:
    """Mark the progressive chips as collected."""
    table.progressive.collected = True
    table.progressive.count_differs = None


def on_count_differed(table: Table, event: msg.ProgressiveCountDiffered) -> None:
    """Record the difference."""
    table.progressive.count_differs = (event.counted, event.accepted)


def on_award_verified(table: Table, event: msg.AwardVerified) -> None:
    """Add a verified award."""
    award = Award(event.meter, event.amount, event.light, event.by, table.clock)
    table.progressive.awards[event.seat] = award


def on_award_validated(table: Table, event: msg.AwardValidated) -> None:
    """Mark the award as validated; it may be paid."""
    table.progressive.awards[event.seat].validated = True


def on_awards_reopened(table: Table, event: AwardsReopened) -> None:
    """Discard all awards; they must be verified again."""
    table.progressive.awards.clear()


def on_round_closed(table: Table, event: round_msg.RoundClosed) -> None:
    """Reset for the next round."""
    table.progressive.collected = False
    table.progressive.count_differs = None
    table.progressive.awards.clear()


EVOLVE: dict[type[Event], Evolve] = {
    msg.ProgressiveCollected: on_collected,
    msg.ProgressiveCountDiffered: on_count_differed,
    msg.AwardVerified: on_award_verified,
    msg.AwardValidated: on_award_validated,
    AwardsReopened: on_awards_reopened,
    round_msg.RoundClosed: on_round_closed,
}
