"""What is remembered of chips beside the book: slips that wait for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.core.roles import Account, Role
from croupier.table.parts.chips import messages as rec

if TYPE_CHECKING:
    from croupier.table.table import Table

# Who signs a slip before the floorperson does, in this order; whoever counts has signed with it.
# A cashier signs for a credit when it has arrived.
SIGNERS: dict[rec.Slip, tuple[Role, ...]] = {
    "fill": ("cage", "security", "dealer"),
    "credit": ("dealer", "security"),
}


@dataclass(slots=True)
class ChipCount:
    """What somebody found who counted the chips of a slip."""

    chips: Cents
    pile: rec.Pile
    by: Account


@dataclass(slots=True)
class PendingSlip:
    """A fill or a credit that was requested, as far as it has come."""

    kind: rec.Slip
    chips: Cents  # as requested
    pile: rec.Pile
    by: Account
    count: ChipCount | None = None
    signed: dict[Role, str] = field(default_factory=dict)

    def missing(self) -> list[Role]:
        """Who still has to count or sign before the floorperson."""
        return [role for role in SIGNERS[self.kind] if role not in self.signed]

    def people(self) -> tuple[str, ...]:
        """Everybody who has counted or signed; the next one is somebody else."""
        return tuple(self.signed.values())

    def as_requested(self) -> bool:
        """Whether what was counted is what was asked for."""
        found = self.count
        return found is not None and (found.chips, found.pile) == (self.chips, self.pile)


@dataclass(slots=True)
class Chips:
    """Slips that wait for people; where the chips are stands in the book."""

    waiting: dict[str, PendingSlip] = field(default_factory=dict)
    sent: dict[str, PendingSlip] = field(default_factory=dict)  # credits the cashier has not signed
    slips: set[str] = field(default_factory=set)  # every number that was used


def requested(table: Table, event: rec.FillRequested | rec.CreditRequested) -> None:
    """A slip waits."""
    kind: rec.Slip = "fill" if isinstance(event, rec.FillRequested) else "credit"
    table.chips.waiting[event.slip] = PendingSlip(kind, event.chips, event.pile, event.by)
    table.chips.slips.add(event.slip)


def counted(table: Table, event: rec.FillCounted | rec.CreditCounted | rec.SlipRecounted) -> None:
    """Chips lie there; after another count everybody else signs anew."""
    found = table.chips.waiting[event.slip]
    found.count = ChipCount(event.chips, event.pile, event.by)
    found.signed = {event.by.role: event.by.id}


def cancelled(table: Table, event: rec.SlipCancelled) -> None:
    """It waits no more, and its number stays used."""
    table.chips.waiting.pop(event.slip)


def signed(table: Table, event: rec.SlipSigned) -> None:
    """A signature; the cashier's ends a credit that was sent."""
    if event.slip in table.chips.sent:
        table.chips.sent.pop(event.slip)
    else:
        table.chips.waiting[event.slip].signed[event.by.role] = event.by.id


def received(table: Table, event: rec.FillReceived) -> None:
    """In the tray, which has to be counted anew."""
    table.chips.waiting.pop(event.slip)
    table.shift.count = None


def sent(table: Table, event: rec.CreditSent) -> None:
    """Out of the tray, which has to be counted anew."""
    table.chips.sent[event.slip] = table.chips.waiting.pop(event.slip)
    table.shift.count = None


def tray_moved(table: Table, event: rec.BoughtIn | rec.ChipsExchanged) -> None:
    """A count of the tray is worth nothing any more."""
    table.shift.count = None


EVOLVE: dict[type[Event], Evolve] = {
    rec.BoughtIn: tray_moved,
    rec.ChipsExchanged: tray_moved,
    rec.FillRequested: requested,
    rec.FillCounted: counted,
    rec.FillReceived: received,
    rec.CreditRequested: requested,
    rec.CreditCounted: counted,
    rec.CreditSent: sent,
    rec.SlipRecounted: counted,
    rec.SlipCancelled: cancelled,
    rec.SlipSigned: signed,
}
