"""Payouts as a part of the table: what they ask of the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, Part
from croupier.table.core.roles import Account
from croupier.table.parts.payouts.payout_documents import COMMANDS, LAW, checks, reopen, waiting
from croupier.table.parts.payouts.state import EVOLVE
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


def before_settling(table: Table, command: played.Settle, by: Account, at: int) -> tuple[str, ...]:
    """Hands are turned up before anything is paid; higher tiers have their documents."""
    current = table.dealing
    if current is None or current.due().kind != "settle":
        return ()  # the round refuses
    if not current.hands_shown and (current.void is None or current.void.saved):
        raise table.refusal("turn the hands up before anything is paid", "settle.pays")
    problem = waiting(table, at)
    if problem:
        raise Refusal(problem, LAW, game=table.house.game.key)
    return ()


def pay_by_check(
    table: Table, command: played.Settle, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """What is paid by check is no chips of the player any more."""
    return checks(table, events)


def after_void(
    table: Table, command: Command, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """A void round pays nothing that was checked or documented before."""
    if any(isinstance(event, played.RoundVoided) for event in events):
        return reopen(table, by, at, "the round is void")
    return []


def after_correction(
    table: Table, command: played.CorrectReading, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Another card may make another payout."""
    return reopen(table, by, at, "a reading was corrected")


MAY_VOID: tuple[type[Command], ...] = (
    played.FindCardFaceUp,
    played.FindWrongNumber,
    played.ExposeDealerCard,
    played.ExposeCommunityCard,
    played.JamShuffler,
    played.JamShoe,
    played.SkipPlayer,
    played.FindWrongCount,
)
PART = Part(
    name="payouts",
    services=ATTENDED,
    commands=COMMANDS,
    before={played.Settle: before_settling},
    after={
        played.Settle: pay_by_check,
        played.CorrectReading: after_correction,
        **dict.fromkeys(MAY_VOID, after_void),
    },
    evolve=EVOLVE,
)
