"""Registers the progressive system as a part of the table, with its hooks in the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, Part
from croupier.table.core.roles import Account
from croupier.table.parts.progressive import awards, coin_count
from croupier.table.parts.progressive import messages as msg
from croupier.table.parts.progressive.state import EVOLVE
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


def before_placing(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Refuse progressive wagers after the lockout."""
    if table.dealing is not None and command.wagers.get("progressive"):
        coin_count.check_offered(table)
        raise table.refusal("the progressive system is locked", "progressive.lockout")
    return ()


def acknowledge(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """Acknowledge a new progressive wager; refused if the system is not working."""
    placed = next(event for event in events if isinstance(event, round_msg.WagersPlaced))
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    stake = placed.stakes.get("progressive", 0)
    if not stake or (box is not None and stake == box.stakes.get("progressive")):
        return []
    if table.devices.state["progressive"] != "working":
        raise table.refusal("the progressive system is not working", "table.progressive")
    clauses = table.house.cite("progressive.device") + table.house.cite("accepted")
    return [msg.ProgressiveAcknowledged(seat=placed.seat, stake=stake, clauses=clauses)]


def before_no_more_bets(
    table: Table, command: round_msg.NoMoreBets, by: Account, at: int
) -> tuple[str, ...]:
    """Closing betting locks the progressive system."""
    return ("progressive.lockout",) if table.house.offers("progressive") else ()


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Refuse the first card before the progressive chips are counted."""
    current = table.dealing
    first = current is not None and not current.left_deck and not current.void
    if first and coin_count.is_count_due(table):
        raise table.refusal("count the progressive chips before the first card", coin_count.COUNT)
    return ()


PART = Part(
    subject="Awards and payouts",
    services=ATTENDED,
    commands=(*coin_count.COMMAND_SPECS, *awards.COMMAND_SPECS),
    before={
        round_msg.PlaceWagers: before_placing,
        round_msg.NoMoreBets: before_no_more_bets,
        round_msg.DealCards: before_dealing,
        round_msg.FindCardFaceUp: before_dealing,
    },
    after={round_msg.PlaceWagers: acknowledge},
    evolve=EVOLVE,
)
