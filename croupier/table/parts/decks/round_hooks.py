"""Hooks of decks in the round: a deck must be ready, and the stub accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Command
from croupier.table.core.part import Before
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.decks.lifecycle import (
    IDLE,
    check_age,
    has_continuous_shuffler,
    spread_overdue,
    uses_two_decks,
)
from croupier.table.parts.decks.stub import check_wrong_count
from croupier.table.parts.round import messages as round_msg

if TYPE_CHECKING:
    from croupier.table.table import Table


def why_not_start(table: Table, at: int) -> tuple[str, str] | None:
    """Why a new round cannot start, with the duty; None if it can."""
    decks, devices = table.decks, table.devices
    deck = decks.in_play()
    failed = next((other.name for other in decks.here.values() if other.failed), None)
    if failed is not None:
        return f"deck {failed} does not have 52 cards and must be removed", "shuffle.wrong"
    if decks.lying_spread() is not None:
        return "the cards are spread; show, wash and shuffle them first", "idle.inspect"
    if table.seats.unseen and not has_continuous_shuffler(table):
        return "all players left; spread the cards and show them to the new player", "idle.inspect"
    if deck is None:
        stages = {other.stage for other in decks.here.values()}
        duty = "deck.inspect" if not stages & {"shuffled", "cut", "rack", "stacked"} else "load"
        return "no deck is ready to deal", duty
    if uses_two_decks(table) and not any(other.stored for other in decks.usable()):
        return "the second deck is not shuffled and stored in the shuffler", "deck.stored"
    if devices.method == "automated_shoe" and devices.state["shoe"] != "working":
        return "the automated shoe is not working", "device.marked"
    boxes = table.open_round.boxes.values() if table.open_round else ()
    down = devices.state.get("progressive") == "failed"
    if down and any("progressive" in box.stakes for box in boxes):
        return "the progressive system is down; withdraw progressive wagers", "table.progressive"
    return None


def before_placing(
    table: Table, command: round_msg.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """Refuse wagers while the idle spread is overdue."""
    if any(command.wagers.values()) and spread_overdue(table, at):
        minutes = table.house.choices.idle_minutes
        raise table.refusal(f"no wager for {minutes} minutes; spread the cards first", IDLE)
    return ()


def before_no_more_bets(
    table: Table, command: round_msg.NoMoreBets, by: Account, at: int
) -> tuple[str, ...]:
    """Betting closes only when a deck is ready and within its time limit."""
    if table.open_round is not None and table.dealing is None:
        problem = why_not_start(table, at)
        if problem:
            raise table.refusal(*problem)
        deck = table.decks.in_play()
        assert deck is not None
        check_age(table, deck, at)
    return ("deck.alternate", "deck.stored") if uses_two_decks(table) else ("deck.one",)


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """The first card needs a loaded deck, also after an ordered shuffle or cut."""
    current = table.dealing
    first = current is not None and not current.left_deck and not current.void
    if first and table.decks.in_play() is None:
        raise table.refusal("the deck must be cut or shuffled again first", "cut.again")
    return ("technique",)


def before_settling(
    table: Table, command: round_msg.Settle, by: Account, at: int
) -> tuple[str, ...]:
    """The stub must be discarded or counted before settlement."""
    current = table.dealing
    if current is None or current.due().kind != "settle":
        return ()  # the round's rule refuses
    if not current.void and table.decks.stub != "done":
        duty = "stub.wrong" if table.decks.stub else "stub.rack"
        raise table.refusal("the stub is not accounted for", duty)
    return ("deck.rack",) if isinstance(command, round_msg.Settle) else ()


def before_wrong_count(
    table: Table, command: round_msg.FindWrongCount, by: Account, at: int
) -> tuple[str, ...]:
    """A finding needs a wrong stub count and, in some games, a floorperson."""
    if table.decks.stub != "differs" or table.dealing is None:
        raise table.refusal("there is no wrong stub count", "stub.wrong")
    needs_floor = table.house.game.procedure.floor_rules_on_misdeal(table.house)
    if needs_floor and by.role not in FLOOR:
        raise table.refusal("only a floorperson may rule on a misdeal", "stub.wrong")
    check_wrong_count(table, command)
    return ()


BEFORE: dict[type[Command], Before] = {
    round_msg.PlaceWagers: before_placing,
    round_msg.NoMoreBets: before_no_more_bets,
    round_msg.DealCards: before_dealing,
    round_msg.FindCardFaceUp: before_dealing,
    round_msg.Settle: before_settling,
    round_msg.FindWrongCount: before_wrong_count,
}
