"""Shuffling, cutting and loading a deck (chapter 5), and the floor's orders to repeat them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import AmountField, CountField, OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account, Role
from croupier.table.parts.decks import messages as msg
from croupier.table.parts.decks.lifecycle import (
    check_age,
    find_deck,
    has_continuous_shuffler,
    shuffler_counts,
    uses_two_decks,
)
from croupier.table.parts.decks.state import UNSEEN_STAGES, Deck

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNT = CountField(0, 104)  # at most two decks put in by mistake
SHUFFLERS: tuple[Role, ...] = ("dealer", "system")


def needs_cut(table: Table, deck: Deck) -> bool:
    """Whether a deck needs a cut: shuffled by hand or preshuffled, no continuous shuffler."""
    return deck.shuffled_by != "machine" and not has_continuous_shuffler(table)


def no_card_dealt(table: Table) -> bool:
    """Whether no card of the round has left the deck."""
    return table.dealing is None or (not table.dealing.left_deck and table.dealing.void is None)


def why_not_shuffle(table: Table, deck: Deck, method: str) -> tuple[str, str] | None:
    """Why a deck may not be shuffled by this method now, with the duty; None if it may."""
    device = table.devices.state.get("shuffler")
    # A preshuffled deck may be shuffled again, and a machine may reshuffle a hand-shuffled one.
    by_people = deck.stage in ("shuffled", "cut") and deck.shuffled_by != "machine"
    again = by_people and (method == "machine" or deck.shuffled_by == "preshuffled")
    if deck.stage not in ("stacked", "rack") and not again:
        duty = "deck.shuffle" if deck.stage in UNSEEN_STAGES else "shuffle"
        return f"deck {deck.name} is {deck.stage}, not stacked", duty
    if method == "machine":
        if device is None:
            return "this table has no shuffler", "shuffle"
        if device != "working":
            return f"the shuffler is {device}", "device.marked"
        return None
    if method != "manual":
        return f"unknown shuffle method {method!r}; expected manual or machine", "shuffle"
    if device == "working":
        return "the shuffler is working; use it", "device.marked"
    if device == "failed":
        return "cover the shuffler or mark it with a sign before shuffling by hand", "device.marked"
    if table.devices.method == "hand":
        return "cards dealt from the hand must be machine-shuffled", "hand.machine"
    if not no_card_dealt(table):
        return "a round is being dealt", "shuffle.after"
    return None


def shuffle(table: Table, command: msg.Shuffle, by: Account, at: int) -> list[Event]:
    """Shuffle and stack a deck; a counting shuffler may fail it."""
    house = table.house
    deck = find_deck(table, command.deck)
    problem = why_not_shuffle(table, deck, command.method)
    if problem:
        raise table.refusal(*problem)
    if by.role == "system" and command.method == "manual":
        raise table.refusal("only a dealer may shuffle by hand", "shuffle")
    counted = shuffler_counts(table) and command.method == "machine"
    if not (COUNT.admits(command.count) if counted else command.count is None):
        expected = "the shuffler's count" if counted else "no count"
        raise table.refusal(f"expected {expected}, got {command.count!r}", "shuffle.wrong")
    clauses = house.cite("shuffle") + house.cite("shuffle.stack")
    clauses += house.cite("shuffle.before" if deck.entered_at is None else "shuffle.after")
    clauses += house.cite("deck.shuffle") if deck.stage == "stacked" else ()
    clauses += house.cite("shuffle.ordered") if deck.ordered else ()
    clauses += house.cite(f"recover.{deck.recover}") if deck.recover else ()
    machine = command.method == "machine"
    clauses += house.cite("shuffle.machine" if machine else "shuffle.cut")
    if uses_two_decks(table):
        clauses += house.cite("deck.stored") + house.cite("deck.rack")
    loads = machine and loads_shoe(table, deck, at)
    events: list[Event] = [
        msg.DeckShuffled(
            deck=deck.name,
            method=command.method,
            count=command.count,
            recovered=deck.recover,
            loaded=loads and command.count in (None, 52),
            clauses=clauses,
        )
    ]
    if command.count not in (None, 52):
        failed = house.cite("shuffle.wrong")
        events.append(msg.DeckCountFailed(deck=deck.name, count=command.count, clauses=failed))
    elif loads:
        events.append(load_event(table, deck, "", by, at, house.cite("shuffle.loads")))
    return events


def loads_shoe(table: Table, deck: Deck, at: int) -> bool:
    """Whether the shuffler loads the deck into the shoe."""
    if table.house.shuffle_method != "shuffler_loading_shoe" or table.devices.method == "hand":
        return False
    return table.dealing is None and why_not_load(table, deck, "", stacked=True) is None


def offer_shuffle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every deck that may be shuffled; due if it is stacked or in the rack."""
    device = table.devices.state.get("shuffler")
    for deck in table.decks.here.values():
        method = "machine" if device == "working" else "manual"
        if why_not_shuffle(table, deck, method):
            continue
        count = 52 if shuffler_counts(table) and method == "machine" else None
        forms = {"count": COUNT} if count else {}
        due = "due" if deck.stage in ("stacked", "rack") or needs_machine(table, deck) else "may"
        yield ActionTemplate(
            command=msg.Shuffle(deck.name, method, count),  # type: ignore[arg-type]
            fields=forms,  # type: ignore[arg-type]
            due=due,  # type: ignore[arg-type]
            why=f"{deck.name} is {'in the rack' if deck.stage == 'rack' else deck.stage}",
        )


def needs_machine(table: Table, deck: Deck) -> bool:
    """Whether a deck shuffled by hand must go through the shuffler before it is dealt."""
    loaded = table.decks.in_play()
    stored_next = uses_two_decks(table) and loaded is not None and loaded is not deck
    return stored_next or table.devices.method == "hand"


def cut(table: Table, command: msg.CutDeck, by: Account, at: int) -> list[Event]:
    """Cut a deck: the cards above the cover card, at least ten, go to the bottom."""
    house = table.house
    deck = find_deck(table, command.deck)
    if has_continuous_shuffler(table):
        raise table.refusal("no cut is needed with a continuous shuffler", "continuous")
    if deck.stage != "shuffled" or not needs_cut(table, deck):
        raise table.refusal(
            f"deck {deck.name} is {deck.stage} by {deck.shuffled_by}; no cut is needed",
            "shuffle.cut",
        )
    depth = cut_depth(table)
    if not depth.admits(command.depth):
        raise table.refusal(
            f"insert the cover card {depth.least} to {depth.most} cards deep, got {command.depth}",
            "cut.depth",
        )
    clauses = house.cite("shuffle.cut") + house.cite("cut.depth") + house.cite("cut.bottom")
    return [msg.DeckCut(deck=deck.name, depth=command.depth, clauses=clauses)]


def cut_depth(table: Table) -> AmountField:
    """The range of the number of cards above the cover card (A136)."""
    choices = table.house.choices
    top = max(10, choices.cut_min_top)
    return AmountField(top, min(51, 52 - choices.cut_min_bottom))


def offer_cut(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every deck that needs a cut."""
    for deck in table.decks.here.values():
        if deck.stage == "shuffled" and needs_cut(table, deck):
            depth = cut_depth(table)
            yield ActionTemplate(
                command=msg.CutDeck(deck.name, depth.least),
                fields={"depth": depth},
                due="may" if needs_machine(table, deck) else "due",
                why=f"shuffled by {deck.shuffled_by}",
            )


def why_not_load(
    table: Table, deck: Deck, hand: str, *, stacked: bool = False
) -> tuple[str, str] | None:
    """Why a deck may not be loaded now, with the duty; `stacked` if it is just being shuffled."""
    if not stacked:
        ready = deck.stage == "cut" or (deck.stage == "shuffled" and not needs_cut(table, deck))
        if not ready:
            duty = "shuffle.cut" if deck.stage == "shuffled" else "shuffle"
            return f"deck {deck.name} is {deck.stage}, not ready to deal", duty
        if table.devices.method == "hand" and deck.shuffled_by != "machine":
            return "cards dealt from the hand must be machine-shuffled", "hand.machine"
    if not no_card_dealt(table):
        return "a round is being dealt", "load"
    if table.decks.in_play() is not None:
        duty = "deck.stored" if uses_two_decks(table) else "deck.one"
        return "a deck is already loaded", duty
    if table.devices.method == "automated_shoe" and table.devices.state.get("shoe") != "working":
        return "the automated shoe is not working", "device.marked"
    if any(other.stage == "rack" for other in table.decks.here.values() if other is not deck):
        return "another deck is in the discard rack", "deck.rack"
    if uses_two_decks(table) and deck.name == table.decks.last:
        return f"deck {deck.name} was used last; the decks must alternate", "deck.alternate"
    if (table.devices.method == "hand") != (hand != ""):
        return f"name the left or right hand only when dealing by hand, got {hand!r}", "load"
    holding = table.decks.hand if table.open_round is not None else ""
    if hand and holding and hand != holding:
        return f"the {holding} hand must hold the deck for this round, got {hand}", "hand.same"
    return None


def load(table: Table, command: msg.LoadDeck, by: Account, at: int) -> list[Event]:
    """Put a deck into the shoe or the dealer's hand."""
    deck = find_deck(table, command.deck)
    problem = why_not_load(table, deck, command.hand)
    if problem:
        raise table.refusal(*problem)
    if table.dealing is None:  # the time limit never stops a round in progress
        check_age(table, deck, at)
    return [load_event(table, deck, command.hand, by, at, ())]


def load_event(
    table: Table, deck: Deck, hand: str, by: Account, at: int, more: tuple[str, ...]
) -> msg.DeckLoaded:
    """The event of loading a deck; `more` are further clauses."""
    house = table.house
    clauses = house.cite("load") + more
    if deck.stage == "cut":
        clauses += house.cite("cut.load")
    if table.devices.method == "hand":
        clauses += house.cite("hand.machine")
    if uses_two_decks(table):
        clauses += house.cite("deck.alternate")
    return msg.DeckLoaded(deck=deck.name, method=table.devices.method, hand=hand, clauses=clauses)


def offer_load(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every deck that may be loaded."""
    by_hand = table.devices.method == "hand"
    for deck in table.decks.here.values():
        choices = ("right", "left") if by_hand else ("",)
        hands = tuple(hand for hand in choices if why_not_load(table, deck, hand) is None)
        if hands:
            yield ActionTemplate(
                command=msg.LoadDeck(deck.name, hands[0]),  # type: ignore[arg-type]
                fields={"hand": OneOfField(hands)} if by_hand else {},
                due="due",
                why=f"{deck.name} is ready",
            )


def order_shuffle(table: Table, command: msg.OrderShuffle, by: Account, at: int) -> list[Event]:
    """Order another shuffle before the first card, whether the deck is loaded or not."""
    deck = next_deck(table)
    if deck is None or not no_card_dealt(table):
        raise table.refusal("no shuffled deck is waiting for its first card", "shuffle.ordered")
    if not command.reason.strip():
        raise table.refusal("a reason is required", "shuffle.ordered")
    clauses = table.house.cite("shuffle.ordered")
    return [msg.ShuffleOrdered(deck=deck.name, reason=command.reason, clauses=clauses)]


def next_deck(table: Table) -> Deck | None:
    """The loaded deck, or the one closest to being loaded."""
    for stage in ("loaded", "cut", "shuffled"):
        for deck in table.decks.here.values():
            if deck.stage == stage:
                return deck
    return None


def order_recut(table: Table, command: msg.OrderRecut, by: Account, at: int) -> list[Event]:
    """Order another cut before the first card."""
    decks = table.decks.here.values()
    deck = next((deck for deck in decks if deck.was_cut and is_undealt(deck)), None)
    if has_continuous_shuffler(table):
        raise table.refusal("no cut is needed with a continuous shuffler", "continuous")
    if deck is None or not no_card_dealt(table):
        raise table.refusal("no cut deck is waiting for its first card", "cut.again")
    if not command.reason.strip():
        raise table.refusal("a reason is required", "cut.again")
    clauses = table.house.cite("cut.again")
    return [msg.RecutOrdered(deck=deck.name, reason=command.reason, clauses=clauses)]


def is_undealt(deck: Deck) -> bool:
    """Whether a cut deck has not been dealt from."""
    return deck.stage in ("cut", "loaded")


def offer_orders(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Always offer a shuffle order; the rule checks whether a deck is waiting."""
    yield ActionTemplate(
        command=msg.OrderShuffle("fairness"), fields={"reason": TextField("fairness")}
    )


def offer_recut(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Always offer a recut order; the rule checks whether a cut deck is waiting."""
    yield ActionTemplate(
        command=msg.OrderRecut("the cut was shallow"), fields={"reason": TextField("improper cut")}
    )


COMMAND_SPECS = (
    CommandSpec(
        command=msg.Shuffle,
        roles=SHUFFLERS,
        duty="shuffle",
        decide=shuffle,
        offers=offer_shuffle,
    ),
    CommandSpec(command=msg.CutDeck, roles=DEALER, duty="cut.depth", decide=cut, offers=offer_cut),
    CommandSpec(command=msg.LoadDeck, roles=DEALER, duty="load", decide=load, offers=offer_load),
    CommandSpec(
        command=msg.OrderShuffle,
        roles=FLOOR,
        duty="shuffle.ordered",
        decide=order_shuffle,
        offers=offer_orders,
    ),
    CommandSpec(
        command=msg.OrderRecut,
        roles=FLOOR,
        duty="cut.again",
        decide=order_recut,
        offers=offer_recut,
    ),
)
