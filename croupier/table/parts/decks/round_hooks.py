"""Hooks of decks in the round: a deck must be ready, and the stub accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Command
from croupier.table.core.part import Before
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.decks.lifecycle import (
    check_age,
    uses_two_decks,
    why_not_bet,
)
from croupier.table.parts.decks.one_deck import why_not_one
from croupier.table.parts.decks.shuffling import needs_cut
from croupier.table.parts.decks.stub import check_wrong_count
from croupier.table.parts.limit_changes import AcceptWager
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.shift import missing_attestation

if TYPE_CHECKING:
    from croupier.table.table import Table


def why_not_start(table: Table, at: int) -> tuple[str, str] | None:
    """Why a new round cannot start, with the duty; None if it can."""
    decks, devices = table.decks, table.devices
    deck = decks.in_play()
    missing = missing_attestation(table)  # a manual shoe after a change of method (8.A)
    if missing:
        return missing
    failed = next((other for other in decks.here.values() if other.failed), None)
    if failed is not None:
        return f"deck {failed.name} does not have 52 cards and must be removed", failed.failed
    unshown = why_not_bet(table, at)
    if unshown:
        return unshown
    if deck is None:
        stages = {other.stage for other in decks.here.values()}
        duty = "deck.inspect" if not stages & {"shuffled", "cut", "rack", "stacked"} else "load"
        return "no deck is ready to deal", duty
    undecided = why_not_one(table)
    if undecided:
        return undecided
    if uses_two_decks(table) and not any(other.stored for other in decks.usable()):
        return "the second deck is not shuffled and stored in the shuffler", "deck.stored"
    if devices.method == "automated_shoe" and devices.state["shoe"] != "working":
        return "the automated shoe is not working; take back the wagers", "device.marked"
    boxes = table.open_round.boxes.values() if table.open_round else ()
    down = devices.state.get("progressive") == "failed"
    if down and any("progressive" in box.stakes for box in boxes):
        return "the progressive system is down; withdraw progressive wagers", "table.progressive"
    return None


def before_placing(
    table: Table, command: round_msg.PlaceWagers | AcceptWager, by: Account, at: int
) -> tuple[str, ...]:
    """Refuse wagers at an idle table before its cards are spread, shown and shuffled."""
    problem = why_not_bet(table, at) if any(command.wagers.values()) else None
    if problem:
        raise table.refusal(*problem)
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


def why_not_loaded(table: Table) -> tuple[str, str]:
    """What an ordered shuffle or cut still needs before the first card, with the duty."""
    decks = table.decks.usable()
    if any(deck.ordered for deck in decks):
        return "a floorperson ordered a shuffle; shuffle the deck first", "shuffle.ordered"
    if any(deck.stage == "shuffled" and needs_cut(table, deck) for deck in decks):
        return "the deck must be cut again first", "cut.again"
    return "load the deck first", "load"


def before_dealing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """The first card needs a loaded deck, also after an ordered shuffle or cut."""
    current = table.dealing
    first = current is not None and not current.left_deck and not current.void
    if first and table.decks.in_play() is None:
        raise table.refusal(*why_not_loaded(table))
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
    AcceptWager: before_placing,
    round_msg.NoMoreBets: before_no_more_bets,
    round_msg.DealCards: before_dealing,
    round_msg.FindCardFaceUp: before_dealing,
    round_msg.Settle: before_settling,
    round_msg.FindWrongCount: before_wrong_count,
}
