"""Chapter 5: shuffled, stacked, cut, loaded; ordered again by a floorperson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import AmountField, CountField, OneOfField, TextField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import DEALER, FLOOR, Account, Role
from croupier.table.parts.decks import messages as rec
from croupier.table.parts.decks.lifecycle import check_age, continuous, known, two_decks
from croupier.table.parts.decks.state import Deck

if TYPE_CHECKING:
    from croupier.table.table import Table

COUNT = CountField(0, 104)  # two decks by mistake is the most a machine can find
SHUFFLERS: tuple[Role, ...] = ("dealer", "system")


def counts(table: Table) -> bool:
    """Whether the shuffler in use counts 52 cards, which excuses the stub count (A126)."""
    device = table.house.shuffle_method == "counting_shuffler" or continuous(table)
    return device and table.devices.state.get("shuffler") == "working"


def needs_cut(table: Table, deck: Deck) -> bool:
    """Hand-shuffled and preshuffled stacks are cut, unless a device makes the cut lapse."""
    return deck.shuffled_by != "machine" and not continuous(table)


def no_card_out(table: Table) -> bool:
    """Whether no card of a round has left the deck."""
    return table.dealing is None or (not table.dealing.left_deck and table.dealing.void is None)


def why_not_shuffle(table: Table, deck: Deck, method: str) -> tuple[str, str] | None:
    """Why a deck may not be shuffled by this method now, with the duty; None if it may."""
    device = table.devices.state.get("shuffler")
    # A preshuffled stack, and one that a machine takes over from people, may be shuffled again.
    by_people = deck.stage in ("shuffled", "cut") and deck.shuffled_by != "machine"
    again = by_people and (method == "machine" or deck.shuffled_by == "preshuffled")
    if deck.stage not in ("stacked", "rack") and not again:
        return f"deck {deck.name} is {deck.stage}; it is shuffled after it was stacked", "shuffle"
    if method == "machine":
        if device is None:
            return "no shuffler is at the table", "shuffle"
        if device != "working":
            return f"the shuffler is {device}", "device.marked"
        return None
    if method != "manual":
        return f"{method!r} is no way to shuffle; manual or machine", "shuffle"
    if device == "working":
        return "the submission names the shuffler, and it works", "shuffle"
    if device == "failed":
        return "cover the shuffler or put a sign on it before shuffling by hand", "device.marked"
    if table.devices.method == "hand":
        return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if not no_card_out(table):
        return "the dealer is dealing", "shuffle.after"
    return None


def shuffle(table: Table, command: rec.Shuffle, by: Account, at: int) -> list[Event]:
    """Shuffle and stack; a device that counts may find that the deck must go."""
    house = table.house
    deck = known(table, command.deck)
    problem = why_not_shuffle(table, deck, command.method)
    if problem:
        raise table.refusal(*problem)
    if by.role == "system" and command.method == "manual":
        raise table.refusal("a machine does not shuffle by hand", "shuffle")
    counted = counts(table) and command.method == "machine"
    if not (COUNT.admits(command.count) if counted else command.count is None):
        expected = "the device's count" if counted else "no count"
        raise table.refusal(f"{expected} is expected, got {command.count!r}", "shuffle.wrong")
    clauses = house.cite("shuffle") + house.cite("shuffle.stack")
    clauses += house.cite("shuffle.before" if deck.entered_at is None else "shuffle.after")
    clauses += house.cite("deck.shuffle") if deck.stage == "stacked" else ()
    clauses += house.cite("shuffle.ordered") if deck.ordered else ()
    clauses += house.cite(f"recover.{deck.recover}") if deck.recover else ()
    machine = command.method == "machine"
    clauses += house.cite("shuffle.machine" if machine else "shuffle.cut")
    if two_decks(table):
        clauses += house.cite("deck.stored") + house.cite("deck.rack")
    loads = machine and loads_by_itself(table, deck, at)
    events: list[Event] = [
        rec.DeckShuffled(
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
        events.append(rec.DeckCountFailed(deck=deck.name, count=command.count, clauses=failed))
    elif loads:
        events.append(loaded(table, deck, "", by, at, house.cite("shuffle.loads")))
    return events


def loads_by_itself(table: Table, deck: Deck, at: int) -> bool:
    """Whether the shuffler puts the stack into the shoe at once."""
    if table.house.shuffle_method != "shuffler_loading_shoe" or table.devices.method == "hand":
        return False
    return table.dealing is None and why_not_load(table, deck, "", stacked=True) is None


def offer_shuffle(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every stacked deck is due to be shuffled."""
    device = table.devices.state.get("shuffler")
    for deck in table.decks.here.values():
        method = "machine" if device == "working" else "manual"
        if why_not_shuffle(table, deck, method):
            continue
        count = 52 if counts(table) and method == "machine" else None
        forms = {"count": COUNT} if count else {}
        due = "due" if deck.stage in ("stacked", "rack") or needs_machine(table, deck) else "may"
        yield ActionTemplate(
            command=rec.Shuffle(deck.name, method, count),  # type: ignore[arg-type]
            fields=forms,  # type: ignore[arg-type]
            due=due,  # type: ignore[arg-type]
            why=f"{deck.name} is {'in the rack' if deck.stage == 'rack' else deck.stage}",
        )


def needs_machine(table: Table, deck: Deck) -> bool:
    """Whether a stack that people made ready is of use only after the device has shuffled it."""
    loaded = table.decks.in_play()
    stored_next = two_decks(table) and loaded is not None and loaded is not deck
    return stored_next or table.devices.method == "hand"


def cut(table: Table, command: rec.CutDeck, by: Account, at: int) -> list[Event]:
    """At least ten cards above the cover card, and they go to the bottom."""
    house = table.house
    deck = known(table, command.deck)
    if continuous(table):
        raise table.refusal("the approved device makes the cut lapse", "continuous")
    if deck.stage != "shuffled" or not needs_cut(table, deck):
        raise table.refusal(
            f"deck {deck.name} is {deck.stage} by {deck.shuffled_by}; nothing to cut", "shuffle.cut"
        )
    depth = cut_depth(table)
    if not depth.admits(command.depth):
        raise table.refusal(
            f"the cover card goes {depth.least} to {depth.most} cards deep, got {command.depth}",
            "cut.depth",
        )
    clauses = house.cite("shuffle.cut") + house.cite("cut.depth") + house.cite("cut.bottom")
    return [rec.DeckCut(deck=deck.name, depth=command.depth, clauses=clauses)]


def cut_depth(table: Table) -> AmountField:
    """How many cards may lie above the cover card (A136)."""
    choices = table.house.choices
    top = max(10, choices.cut_min_top)
    return AmountField(top, min(51, 52 - choices.cut_min_bottom))


def offer_cut(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Every stack that needs a cut."""
    for deck in table.decks.here.values():
        if deck.stage == "shuffled" and needs_cut(table, deck):
            depth = cut_depth(table)
            yield ActionTemplate(
                command=rec.CutDeck(deck.name, depth.least),
                fields={"depth": depth},
                due="may" if needs_machine(table, deck) else "due",
                why=f"shuffled by {deck.shuffled_by}",
            )


def why_not_load(
    table: Table, deck: Deck, hand: str, *, stacked: bool = False
) -> tuple[str, str] | None:
    """Why a deck may not be loaded now, with the duty; `stacked` if it is shuffled this moment."""
    if not stacked:
        ready = deck.stage == "cut" or (deck.stage == "shuffled" and not needs_cut(table, deck))
        if not ready:
            duty = "shuffle.cut" if deck.stage == "shuffled" else "shuffle"
            return f"deck {deck.name} is {deck.stage}, not ready to be dealt", duty
        if table.devices.method == "hand" and deck.shuffled_by != "machine":
            return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if not no_card_out(table):
        return "a round is being dealt", "load"
    if table.decks.in_play() is not None:
        return f"deck {table.decks.last or 'one'} is loaded already", "deck.one"
    if table.devices.method == "automated_shoe" and table.devices.state.get("shoe") != "working":
        return "the automated shoe does not work", "device.marked"
    if any(other.stage == "rack" for other in table.decks.here.values() if other is not deck):
        return "the cards of another deck lie in the discard rack", "deck.rack"
    if two_decks(table) and deck.name == table.decks.last:
        return f"deck {deck.name} was used last; the decks alternate", "deck.alternate"
    if (table.devices.method == "hand") != (hand != ""):
        return f"left or right hand is for dealing from the hand, got {hand!r}", "load"
    chosen = table.decks.hand if table.open_round is not None else ""
    if hand and chosen and hand != chosen:
        return f"the {chosen} hand holds the deck through this round, got {hand}", "hand.same"
    return None


def load(table: Table, command: rec.LoadDeck, by: Account, at: int) -> list[Event]:
    """Make a stack ready to be dealt."""
    deck = known(table, command.deck)
    problem = why_not_load(table, deck, command.hand)
    if problem:
        raise table.refusal(*problem)
    if table.dealing is None:  # a round that runs is never stopped by a clock
        check_age(table, deck, at)
    return [loaded(table, deck, command.hand, by, at, ())]


def loaded(
    table: Table, deck: Deck, hand: str, by: Account, at: int, more: tuple[str, ...]
) -> rec.DeckLoaded:
    """The event of a deck that goes into the shoe or into a hand."""
    house = table.house
    clauses = house.cite("load") + more
    if deck.stage == "cut":
        clauses += house.cite("cut.load")
    if table.devices.method == "hand":
        clauses += house.cite("hand.machine")
    if two_decks(table):
        clauses += house.cite("deck.alternate")
    return rec.DeckLoaded(deck=deck.name, method=table.devices.method, hand=hand, clauses=clauses)


def offer_load(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The stack that may be dealt next."""
    by_hand = table.devices.method == "hand"
    for deck in table.decks.here.values():
        tried = ("right", "left") if by_hand else ("",)
        hands = tuple(hand for hand in tried if why_not_load(table, deck, hand) is None)
        if hands:
            yield ActionTemplate(
                command=rec.LoadDeck(deck.name, hands[0]),  # type: ignore[arg-type]
                fields={"hand": OneOfField(hands)} if by_hand else {},
                due="due",
                why=f"{deck.name} is ready",
            )


def order_shuffle(table: Table, command: rec.OrderShuffle, by: Account, at: int) -> list[Event]:
    """A floorperson wants another shuffle before the first card, loaded or not."""
    deck = next_deck(table)
    if deck is None or not no_card_out(table):
        raise table.refusal("no shuffled deck is waiting for its first card", "shuffle.ordered")
    if not command.reason.strip():
        raise table.refusal("a reason is needed", "shuffle.ordered")
    clauses = table.house.cite("shuffle.ordered")
    return [rec.ShuffleOrdered(deck=deck.name, reason=command.reason, clauses=clauses)]


def next_deck(table: Table) -> Deck | None:
    """The deck that is loaded, or the stack that comes nearest to it."""
    for stage in ("loaded", "cut", "shuffled"):
        for deck in table.decks.here.values():
            if deck.stage == stage:
                return deck
    return None


def order_recut(table: Table, command: rec.OrderRecut, by: Account, at: int) -> list[Event]:
    """A floorperson found the cut improper."""
    deck = next((deck for deck in table.decks.here.values() if deck.was_cut and uncut(deck)), None)
    if continuous(table):
        raise table.refusal("the approved device makes the recut lapse", "continuous")
    if deck is None or not no_card_out(table):
        raise table.refusal("no cut deck is waiting for its first card", "cut.again")
    if not command.reason.strip():
        raise table.refusal("a reason is needed", "cut.again")
    clauses = table.house.cite("cut.again")
    return [rec.RecutOrdered(deck=deck.name, reason=command.reason, clauses=clauses)]


def uncut(deck: Deck) -> bool:
    """Whether a cut deck has not been dealt from since."""
    return deck.stage in ("cut", "loaded")


def offer_orders(table: Table, at: int) -> Iterator[ActionTemplate]:
    """What a floorperson may order before the first card."""
    yield ActionTemplate(
        command=rec.OrderShuffle("fairness"), fields={"reason": TextField("fairness")}
    )


def offer_recut(table: Table, at: int) -> Iterator[ActionTemplate]:
    """A recut, while a cut stack waits."""
    yield ActionTemplate(
        command=rec.OrderRecut("the cut was shallow"), fields={"reason": TextField("improper cut")}
    )


COMMANDS = (
    CommandSpec(
        command=rec.Shuffle,
        roles=SHUFFLERS,
        duty="shuffle",
        decide=shuffle,
        offers=offer_shuffle,
    ),
    CommandSpec(command=rec.CutDeck, roles=DEALER, duty="cut.depth", decide=cut, offers=offer_cut),
    CommandSpec(command=rec.LoadDeck, roles=DEALER, duty="load", decide=load, offers=offer_load),
    CommandSpec(
        command=rec.OrderShuffle,
        roles=FLOOR,
        duty="shuffle.ordered",
        decide=order_shuffle,
        offers=offer_orders,
    ),
    CommandSpec(
        command=rec.OrderRecut,
        roles=FLOOR,
        duty="cut.again",
        decide=order_recut,
        offers=offer_recut,
    ),
)
