"""What is remembered of chips beside the book: slips that wait for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.money import Cents
from croupier.table.chips import record as rec
from croupier.table.parts import Evolve
from croupier.table.people import Account, Role
from croupier.table.record import Event

if TYPE_CHECKING:
    from croupier.table.table import Table

# Who signs a slip before the floorperson does; a cashier signs for a credit when it has arrived.
SIGNERS: dict[rec.Slip, tuple[Role, ...]] = {"fill": ("cage", "security"), "credit": ("security",)}


@dataclass(slots=True)
class Waiting:
    """A fill or a credit that the dealer has counted, with those who signed for it."""

    kind: rec.Slip
    chips: Cents
    pile: rec.Pile
    by: Account
    signed: dict[Role, str] = field(default_factory=dict)

    def missing(self) -> list[Role]:
        """Who has to sign before the floorperson."""
        return [role for role in SIGNERS[self.kind] if role not in self.signed]

    def people(self) -> tuple[str, ...]:
        """Everybody who has a hand in it; the next one is somebody else."""
        return (self.by.id, *self.signed.values())


@dataclass(slots=True)
class Chips:
    """Slips that wait for people; where the chips are stands in the book."""

    waiting: dict[str, Waiting] = field(default_factory=dict)
    sent: dict[str, Waiting] = field(default_factory=dict)  # credits the cashier has not signed
    slips: set[str] = field(default_factory=set)  # every number that was used


def counted(table: Table, event: rec.FillCounted | rec.CreditCounted) -> None:
    """A slip waits."""
    kind: rec.Slip = "fill" if isinstance(event, rec.FillCounted) else "credit"
    table.chips.waiting[event.slip] = Waiting(kind, event.chips, event.pile, event.by)
    table.chips.slips.add(event.slip)


def recounted(table: Table, event: rec.SlipRecounted) -> None:
    """Another count under the same number; everybody signs anew."""
    kind = table.chips.waiting[event.slip].kind
    table.chips.waiting[event.slip] = Waiting(kind, event.chips, event.pile, event.by)


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
    rec.FillCounted: counted,
    rec.FillReceived: received,
    rec.CreditCounted: counted,
    rec.CreditSent: sent,
    rec.SlipRecounted: recounted,
    rec.SlipCancelled: cancelled,
    rec.SlipSigned: signed,
}
