"""Registers payouts as a part of the table, with their hooks in the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, Part
from croupier.table.core.roles import Account
from croupier.table.parts.payouts.payout_documents import (
    COMMAND_SPECS,
    check_payments,
    reopen_payouts,
)
from croupier.table.parts.payouts.state import EVOLVE
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


def pay_by_check(
    table: Table, command: round_msg.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Pay the highest tier by check instead of chips."""
    return check_payments(table, events)


def after_void(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Reopen awards and documents when the round is voided."""
    if any(isinstance(event, round_msg.RoundVoided) for event in events):
        return reopen_payouts(table, by, at, "the round is void")
    return []


def after_correction(
    table: Table, command: round_msg.CorrectReading, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Reopen awards and documents when a card is corrected."""
    return reopen_payouts(table, by, at, "a reading was corrected")


MAY_VOID: tuple[type[Command], ...] = (
    round_msg.FindCardFaceUp,
    round_msg.FindWrongNumber,
    round_msg.ExposeDealerCard,
    round_msg.ExposeCommunityCard,
    round_msg.JamShuffler,
    round_msg.JamShoe,
    round_msg.SkipPlayer,
    round_msg.FindWrongCount,
)
PART = Part(
    subject="Awards and payouts",
    services=ATTENDED,
    commands=COMMAND_SPECS,
    after={
        round_msg.Settle: pay_by_check,
        round_msg.CorrectReading: after_correction,
        **dict.fromkeys(MAY_VOID, after_void),
    },
    evolve=EVOLVE,
)
