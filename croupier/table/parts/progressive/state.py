"""What a table remembers of its progressive wagers and awards, and what events do to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.core.roles import Account
from croupier.table.parts.payouts import AwardsReopened
from croupier.table.parts.progressive import messages as rec
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


@dataclass(slots=True)
class Award:
    """An award that the dealer has checked."""

    meter: str  # none at fixed odds
    amount: Cents
    light: bool
    verified_by: Account
    validated: bool = False


@dataclass(slots=True)
class ProgressiveState:
    """The progressive wagers and awards of the round in progress."""

    collected: bool = False
    count_differs: tuple[int, int] | None = None  # chips counted, wagers accepted
    awards: dict[int, Award] = field(default_factory=dict)


def was_collected(table: Table, event: rec.ProgressiveCollected) -> None:
    """The chips are in the tray."""
    table.progressive.collected = True
    table.progressive.count_differs = None


def differed(table: Table, event: rec.ProgressiveCountDiffered) -> None:
    """A floorperson must settle it."""
    table.progressive.count_differs = (event.counted, event.accepted)


def verified(table: Table, event: rec.AwardVerified) -> None:
    """The dealer has looked."""
    award = Award(event.meter, event.amount, event.light, event.by)
    table.progressive.awards[event.seat] = award


def validated(table: Table, event: rec.AwardValidated) -> None:
    """It may be paid."""
    table.progressive.awards[event.seat].validated = True


def reopened(table: Table, event: AwardsReopened) -> None:
    """Everything must be checked anew."""
    table.progressive.awards.clear()


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """The next round begins with nothing."""
    table.progressive.collected = False
    table.progressive.count_differs = None
    table.progressive.awards.clear()


EVOLVE: dict[type[Event], Evolve] = {
    rec.ProgressiveCollected: was_collected,
    rec.ProgressiveCountDiffered: differed,
    rec.AwardVerified: verified,
    rec.AwardValidated: validated,
    AwardsReopened: reopened,
    played.RoundClosed: round_closed,
}
