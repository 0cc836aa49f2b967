"""The documents of a table, as its events made them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.parts.payouts import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table


@dataclass(slots=True)
class PayoutDocument:
    """A payout document; what it says never changes, only what was done with it."""

    serial: int
    round: int
    seat: int
    player: str
    wager: str
    winnings: Cents
    witness: str
    surveillance: bool
    by_check: bool
    prepared_by: str
    witnessed: bool = False
    notified: bool = False
    void: bool = False

    @property
    def complete(self) -> bool:
        """Whether the payout may be made."""
        return self.witnessed and (self.notified or not self.surveillance)


@dataclass(slots=True)
class Payouts:
    """Every document of the table, by its serial number."""

    documents: dict[int, PayoutDocument] = field(default_factory=dict)


def documented(table: Table, event: rec.PayoutDocumented) -> None:
    """A new document."""
    table.payouts.documents[event.serial] = PayoutDocument(
        event.serial,
        event.round,
        event.seat,
        event.player,
        event.wager,
        event.winnings,
        event.witness,
        event.surveillance,
        event.by_check,
        event.by.id,
    )


def witnessed(table: Table, event: rec.PayoutWitnessed) -> None:
    """Signed by a second person."""
    table.payouts.documents[event.serial].witnessed = True


def notified(table: Table, event: rec.SurveillanceNotified) -> None:
    """Surveillance knows."""
    table.payouts.documents[event.serial].notified = True


def ended(table: Table, event: rec.PayoutVoided) -> None:
    """Void; nothing was paid on it."""
    table.payouts.documents[event.serial].void = True


EVOLVE: dict[type[Event], Evolve] = {
    rec.PayoutDocumented: documented,
    rec.PayoutWitnessed: witnessed,
    rec.SurveillanceNotified: notified,
    rec.PayoutVoided: ended,
}
