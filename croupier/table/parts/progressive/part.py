"""The progressive system as a part of the table, and what it asks of the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ATTENDED, Part
from croupier.table.core.roles import Account
from croupier.table.parts.payouts import ready
from croupier.table.parts.progressive import awards, coin_count
from croupier.table.parts.progressive import messages as rec
from croupier.table.parts.progressive.state import EVOLVE
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Nothing is taken after the lock."""
    if table.dealing is not None and command.wagers.get("progressive"):
        coin_count.check_offered(table)
        raise table.refusal("the progressive system is locked", "progressive.lockout")
    return ()


def acknowledge(
    table: Table, command: played.PlaceWagers, by: Account, at: int, events: list[Event]
) -> list[Event]:
    """The device of the position takes a new progressive wager, if it works."""
    placed = next(event for event in events if isinstance(event, played.WagersPlaced))
    box = table.open_round.boxes.get(command.seat) if table.open_round else None
    stake = placed.stakes.get("progressive", 0)
    if not stake or (box is not None and stake == box.stakes.get("progressive")):
        return []
    if table.devices.state["progressive"] != "working":
        raise table.refusal("the progressive system does not work", "table.progressive")
    clauses = table.house.cite("progressive.device") + table.house.cite("accepted")
    return [rec.ProgressiveAcknowledged(seat=placed.seat, stake=stake, clauses=clauses)]


def before_no_more_bets(
    table: Table, command: played.NoMoreBets, by: Account, at: int
) -> tuple[str, ...]:
    """The lock of the system is part of closing the betting."""
    return ("progressive.lockout",) if table.house.offers("progressive") else ()


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """No card before the progressive chips are counted."""
    current = table.dealing
    first = current is not None and not current.left_deck and not current.void
    if first and coin_count.count_waits(table):
        raise table.refusal("count the progressive chips before the first card", coin_count.COUNT)
    return ()


def before_settling(table: Table, command: played.Settle, by: Account, at: int) -> tuple[str, ...]:
    """Every award was verified and validated."""
    seat = awards.unvalidated(table) if ready(table) else None
    if seat is not None:
        raise table.refusal(f"the award of seat {seat} is not validated", awards.VALIDATE)
    return ()


PART = Part(
    name="progressive",
    services=ATTENDED,
    commands=(*coin_count.COMMANDS, *awards.COMMANDS),
    before={
        played.PlaceWagers: before_placing,
        played.NoMoreBets: before_no_more_bets,
        played.DealCards: before_dealing,
        played.FindCardFaceUp: before_dealing,
        played.Settle: before_settling,
    },
    after={played.PlaceWagers: acknowledge},
    evolve=EVOLVE,
)
