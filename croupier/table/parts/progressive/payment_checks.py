"""What must be complete before a payment is made at an attended table: award and document.

An envy bonus needs the same validation as a win, also if the holder won no progressive (A152).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.messages import Event
from croupier.table.parts import payouts
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


def award_seat(payment: Event) -> int:
    """The seat whose award must be validated before a payment; 0 if none."""
    match payment:
        case round_msg.WagerSettled(wager="progressive", outcome="win"):
            return payment.seat
        case round_msg.EnvyPaid():
            return payment.holder
    return 0


def why_not_payable(table: Table, payment: Event, at: int) -> Refusal | None:
    """Why a payment of the round has to wait, or None."""
    if not table.attended or table.dealing is None:
        return None
    if seat := award_seat(payment):
        award = table.progressive.awards.get(seat)
        if award is None or not award.validated:
            return table.refusal(f"the award of seat {seat} is not validated", "award.validate")
    problem = payouts.missing_paperwork(table, payment, at)
    return Refusal(problem, payouts.LAW, game=table.house.game.key) if problem else None
