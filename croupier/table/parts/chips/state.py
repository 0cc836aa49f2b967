"""State of chips beside the book: open fill and credit slips, and their event handlers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.core.roles import Account, Role, normalize_id
from croupier.table.parts.chips import messages as msg

if TYPE_CHECKING:
    from croupier.table.table import Table

# The roles that sign a slip before the floorperson, in order; counting counts as signing.
# The cashier signs a credit when it arrives at the cage.
SIGNERS: dict[msg.Slip, tuple[Role, ...]] = {
    "fill": ("cage", "security", "dealer"),
    "credit": ("dealer", "security"),
}


@dataclass(slots=True)
class ChipCount:
    """The count of a slip's chips, and the account that counted them."""

    chips: Cents
    pile: msg.Pile
    by: Account


@dataclass(slots=True)
class PendingSlip:
    """A requested fill or credit that is not complete."""

    kind: msg.Slip
    chips: Cents  # as requested
    pile: msg.Pile
    by: Account
    count: ChipCount | None = None
    signed: dict[Role, str] = field(default_factory=dict)
    changed_at: int = 0  # the last request, count or signature

    def missing(self) -> list[Role]:
        """The roles that must still count or sign before the floorperson."""
        return [role for role in SIGNERS[self.kind] if role not in self.signed]

    def people(self) -> tuple[str, ...]:
        """The accounts that have counted or signed; each signature needs another person."""
        return tuple(self.signed.values())

    def as_requested(self) -> bool:
        """Whether the count matches the request."""
        count = self.count
        return count is not None and (count.chips, count.pile) == (self.chips, self.pile)


@dataclass(slots=True)
class Chips:
    """Open slips; chip balances are in the book."""

    waiting: dict[str, PendingSlip] = field(default_factory=dict)
    sent: dict[str, PendingSlip] = field(default_factory=dict)  # credits the cashier has not signed
    held_by: dict[str, list[str]] = field(default_factory=dict)  # who held money of a player
    slips: set[str] = field(default_factory=set)  # every slip number ever used, canonical


def on_slip_requested(table: Table, event: msg.FillRequested | msg.CreditRequested) -> None:
    """Open a slip."""
    kind: msg.Slip = "fill" if isinstance(event, msg.FillRequested) else "credit"
    slip = PendingSlip(kind, event.chips, event.pile, event.by, changed_at=table.clock)
    table.chips.waiting[event.slip] = slip
    table.chips.slips.add(normalize_id(event.slip))


def on_slip_counted(
    table: Table, event: msg.FillCounted | msg.CreditCounted | msg.SlipRecounted
) -> None:
    """Record the count; a recount voids the other signatures."""
    slip = table.chips.waiting[event.slip]
    slip.count = ChipCount(event.chips, event.pile, event.by)
    slip.signed = {event.by.role: event.by.id}
    slip.changed_at = table.clock


def on_slip_cancelled(table: Table, event: msg.SlipCancelled) -> None:
    """Close a slip; its number stays used."""
    table.chips.waiting.pop(event.slip)


def on_slip_signed(table: Table, event: msg.SlipSigned) -> None:
    """Record a signature; the cashier's closes a credit that was sent."""
    if event.slip in table.chips.sent:
        table.chips.sent.pop(event.slip)
    else:
        slip = table.chips.waiting[event.slip]
        slip.signed[event.by.role] = event.by.id
        slip.changed_at = table.clock


def on_fill_received(table: Table, event: msg.FillReceived) -> None:
    """Close a fill; the tray count is no longer valid."""
    table.chips.waiting.pop(event.slip)
    table.shift.count = None


def on_credit_sent(table: Table, event: msg.CreditSent) -> None:
    """Move a credit to those in transit; the tray count is no longer valid."""
    table.chips.sent[event.slip] = table.chips.waiting.pop(event.slip)
    table.shift.count = None


def on_tray_changed(table: Table, event: msg.BoughtIn | msg.ChipsExchanged) -> None:
    """Discard the tray count, which is no longer valid."""
    table.shift.count = None


def on_unclaimed_held(table: Table, event: msg.UnclaimedHeld) -> None:
    """Remember who held the money; another person pays it out."""
    table.chips.held_by.setdefault(event.player, []).append(event.by.id)


def on_unclaimed_paid(table: Table, event: msg.UnclaimedPaid) -> None:
    """Nothing is held for the player any more."""
    table.chips.held_by.pop(event.player, None)


EVOLVE: dict[type[Event], Evolve] = {
    msg.BoughtIn: on_tray_changed,
    msg.ChipsExchanged: on_tray_changed,
    msg.FillRequested: on_slip_requested,
    msg.FillCounted: on_slip_counted,
    msg.FillReceived: on_fill_received,
    msg.CreditRequested: on_slip_requested,
    msg.CreditCounted: on_slip_counted,
    msg.CreditSent: on_credit_sent,
    msg.SlipRecounted: on_slip_counted,
    msg.SlipCancelled: on_slip_cancelled,
    msg.SlipSigned: on_slip_signed,
    msg.UnclaimedHeld: on_unclaimed_held,
    msg.UnclaimedPaid: on_unclaimed_paid,
}
