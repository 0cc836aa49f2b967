"""What the decks ask of the round: cards that are ready, and a stub that is accounted for."""

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
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table


def why_not_start(table: Table, at: int) -> tuple[str, str] | None:
    """What a new round still waits for, with the duty; a round that runs is never stopped."""
    decks, devices = table.decks, table.devices
    deck = decks.in_play()
    failed = next((other.name for other in decks.here.values() if other.failed), None)
    if failed is not None:
        return f"deck {failed} has not its 52 cards and must leave the table", "shuffle.wrong"
    if decks.lying_spread() is not None:
        return "the cards lie spread; they are shown, mixed and shuffled first", "idle.inspect"
    if table.seats.unseen and not has_continuous_shuffler(table):
        return "everybody had left; spread the cards and show them to the newcomer", "idle.inspect"
    if deck is None:
        stages = {other.stage for other in decks.here.values()}
        duty = "deck.inspect" if not stages & {"shuffled", "cut", "rack", "stacked"} else "load"
        return "no deck is ready to be dealt", duty
    if uses_two_decks(table) and not any(other.stored for other in decks.usable()):
        return "the other deck is not shuffled in the shuffler", "deck.stored"
    if devices.method == "automated_shoe" and devices.state["shoe"] != "working":
        return "the automated shoe does not work", "device.marked"
    boxes = table.open_round.boxes.values() if table.open_round else ()
    down = devices.state.get("progressive") == "failed"
    if down and any("progressive" in box.stakes for box in boxes):
        return "the progressive system does not work; withdraw its wagers", "table.progressive"
    return None


def before_placing(
    table: Table, command: played.PlaceWagers, by: Account, at: int
) -> tuple[str, ...]:
    """No round begins over cards that should lie spread by now."""
    if any(command.wagers.values()) and spread_overdue(table, at):
        minutes = table.house.choices.idle_minutes
        raise table.refusal(f"nobody has bet for {minutes} minutes; spread the cards first", IDLE)
    return ()


def before_no_more_bets(
    table: Table, command: played.NoMoreBets, by: Account, at: int
) -> tuple[str, ...]:
    """The betting closes when the cards are ready."""
    if table.open_round is not None and table.dealing is None:
        problem = why_not_start(table, at)
        if problem:
            raise table.refusal(*problem)
        deck = table.decks.in_play()
        assert deck is not None
        check_age(table, deck, at)
    return ("deck.alternate", "deck.stored") if uses_two_decks(table) else ("deck.one",)


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Before the first card: the deck is in place, cut again if that was ordered."""
    current = table.dealing
    first = current is not None and not current.left_deck and not current.void
    if first and table.decks.in_play() is None:
        raise table.refusal("the deck was ordered to be cut or shuffled again", "cut.again")
    return ("technique",)


def before_settling(table: Table, command: played.Settle, by: Account, at: int) -> tuple[str, ...]:
    """The stub is in the rack or counted."""
    current = table.dealing
    if current is None or current.due().kind != "settle":
        return ()  # the round refuses
    if not current.void and table.decks.stub != "done":
        duty = "stub.wrong" if table.decks.stub else "stub.rack"
        raise table.refusal("the stub is not accounted for", duty)
    return ("deck.rack",) if isinstance(command, played.Settle) else ()


def before_wrong_count(
    table: Table, command: played.FindWrongCount, by: Account, at: int
) -> tuple[str, ...]:
    """After a stub count that did not come to 52: misdealt, or the deck must go."""
    if table.decks.stub != "differs" or table.dealing is None:
        raise table.refusal("no stub count differs", "stub.wrong")
    asks_floor = table.house.game.procedure.floor_rules_on_misdeal(table.house)
    if asks_floor and by.role not in FLOOR:
        raise table.refusal("a floorperson determines whether cards were misdealt", "stub.wrong")
    check_wrong_count(table, command)
    return ()


BEFORE: dict[type[Command], Before] = {
    played.PlaceWagers: before_placing,
    played.NoMoreBets: before_no_more_bets,
    played.DealCards: before_dealing,
    played.FindCardFaceUp: before_dealing,
    played.Settle: before_settling,
    played.FindWrongCount: before_wrong_count,
}
