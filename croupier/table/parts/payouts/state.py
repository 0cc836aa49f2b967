"""State of payout documents, and its event handlers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.parts.payouts import messages as msg

if TYPE_CHECKING:
    from croupier.table.table import Table


@dataclass(slots=True)
class PayoutDocument:
    """A payout document; only its signatures, notice and void status change."""

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
    prepared_at: int
    witnessed: bool = False
    notified: bool = False
    void: bool = False

    @property
    def unwitnessed(self) -> bool:
        """Whether it still needs a witness; a payout that is not taxable needs none."""
        return bool(self.witness) and not self.witnessed

    @property
    def complete(self) -> bool:
        """Whether the payout may be paid."""
        return not self.unwitnessed and (self.notified or not self.surveillance)


@dataclass(slots=True)
class Payouts:
    """All payout documents of the table, by serial number."""

    documents: dict[int, PayoutDocument] = field(default_factory=dict)


def on_payout_documented(table: Table, event: msg.PayoutDocumented) -> None:
    """Add a document."""
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
        table.clock,
    )


def on_payout_witnessed(table: Table, event: msg.PayoutWitnessed) -> None:
    """Mark the document as witnessed."""
    table.payouts.documents[event.serial].witnessed = True


def on_surveillance_notified(table: Table, event: msg.SurveillanceNotified) -> None:
    """Mark surveillance as notified."""
    table.payouts.documents[event.serial].notified = True


def on_payout_voided(table: Table, event: msg.PayoutVoided) -> None:
    """Mark the document as void."""
    table.payouts.documents[event.serial].void = True


EVOLVE: dict[type[Event], Evolve] = {
    msg.PayoutDocumented: on_payout_documented,
    msg.PayoutWitnessed: on_payout_witnessed,
    msg.SurveillanceNotified: on_surveillance_notified,
    msg.PayoutVoided: on_payout_voided,
}
