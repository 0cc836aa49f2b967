"""Chapter 5: shuffled, stacked, cut, loaded; ordered again by a floorperson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.decks import check_age, continuous, known, two_decks
from croupier.table.life.forms import Amount, OneOf, Text
from croupier.table.life.people import DEALER, FLOOR, Person, Role
from croupier.table.life.state import Deck

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

COUNT = Amount(0, 104)  # two decks by mistake is the most a machine can find
SHUFFLERS: tuple[Role, ...] = ("dealer", "system")


def counts(live: LiveTable) -> bool:
    """Whether the shuffler in use counts 52 cards, which excuses the stub count (A126)."""
    device = live.house.shuffle_method == "counting_shuffler" or continuous(live)
    return device and live.life.devices.get("shuffler") == "working"


def needs_cut(live: LiveTable, deck: Deck) -> bool:
    """Hand-shuffled and preshuffled stacks are cut, unless a device makes the cut lapse."""
    return deck.shuffled_by != "machine" and not continuous(live)


def no_card_out(live: LiveTable) -> bool:
    """Whether no card of a round has left the deck."""
    return live.dealing is None or (not live.dealing.left_deck and live.dealing.void is None)


def why_not_shuffle(live: LiveTable, deck: Deck, method: str) -> tuple[str, str] | None:
    """Why a deck may not be shuffled by this method now, with the duty; None if it may."""
    device = live.life.devices.get("shuffler")
    again = deck.stage == "shuffled" and deck.shuffled_by == "preshuffled"
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
    if live.life.method == "hand":
        return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if not no_card_out(live):
        return "the dealer is dealing", "shuffle.after"
    return None


def shuffle(live: LiveTable, command: cmd.Shuffle, by: Person, at: int) -> list[Event]:
    """Shuffle and stack; a device that counts may find that the deck must go."""
    house = live.house
    deck = known(live, command.deck)
    problem = why_not_shuffle(live, deck, command.method)
    if problem:
        raise live.refusal(*problem)
    if by.role == "system" and command.method == "manual":
        raise live.refusal("a machine does not shuffle by hand", "shuffle")
    counted = counts(live) and command.method == "machine"
    if not (COUNT.admits(command.count) if counted else command.count is None):
        expected = "the device's count" if counted else "no count"
        raise live.refusal(f"{expected} is expected, got {command.count!r}", "shuffle.wrong")
    clauses = house.cite("shuffle") + house.cite("shuffle.stack")
    clauses += house.cite("shuffle.before" if deck.entered_at is None else "shuffle.after")
    clauses += house.cite("deck.shuffle") if deck.stage == "stacked" else ()
    clauses += house.cite("shuffle.ordered") if deck.ordered else ()
    clauses += house.cite(f"recover.{deck.recover}") if deck.recover else ()
    machine = command.method == "machine"
    clauses += house.cite("shuffle.machine" if machine else "shuffle.cut")
    if two_decks(live):
        clauses += house.cite("deck.stored") + house.cite("deck.rack")
    loads = machine and loads_by_itself(live, deck, at)
    events: list[Event] = [
        ev.DeckShuffled(
            deck=deck.name,
            method=command.method,
            count=command.count,
            recovered=deck.recover,
            loaded=loads and command.count in (None, 52),
            at=at,
            by=by,
            clauses=clauses,
        )
    ]
    if command.count not in (None, 52):
        failed = house.cite("shuffle.wrong")
        events.append(
            ev.DeckCountFailed(deck=deck.name, count=command.count, at=at, by=by, clauses=failed)
        )
    elif loads:
        events.append(loaded(live, deck, "", by, at, house.cite("shuffle.loads")))
    return events


def loads_by_itself(live: LiveTable, deck: Deck, at: int) -> bool:
    """Whether the shuffler puts the stack into the shoe at once."""
    if live.house.shuffle_method != "shuffler_loading_shoe" or live.life.method == "hand":
        return False
    return live.dealing is None and why_not_load(live, deck, "", stacked=True) is None


def offer_shuffle(live: LiveTable, at: int) -> Iterator[Offer]:
    """Every stacked deck is due to be shuffled."""
    device = live.life.devices.get("shuffler")
    for deck in live.life.decks.values():
        method = "machine" if device == "working" else "manual"
        if why_not_shuffle(live, deck, method):
            continue
        count = 52 if counts(live) and method == "machine" else None
        forms = {"count": COUNT} if count else {}
        due = "may" if deck.stage == "shuffled" and live.life.method != "hand" else "due"
        yield Offer(
            command=cmd.Shuffle(deck.name, method, count),  # type: ignore[arg-type]
            forms=forms,  # type: ignore[arg-type]
            due=due,  # type: ignore[arg-type]
            why=f"{deck.name} is {'in the rack' if deck.stage == 'rack' else deck.stage}",
        )


def cut(live: LiveTable, command: cmd.CutDeck, by: Person, at: int) -> list[Event]:
    """At least ten cards above the cover card, and they go to the bottom."""
    house = live.house
    deck = known(live, command.deck)
    if continuous(live):
        raise live.refusal("the approved device makes the cut lapse", "continuous")
    if deck.stage != "shuffled" or not needs_cut(live, deck):
        raise live.refusal(
            f"deck {deck.name} is {deck.stage} by {deck.shuffled_by}; nothing to cut", "shuffle.cut"
        )
    depth = cut_depth(live)
    if not depth.admits(command.depth):
        raise live.refusal(
            f"the cover card goes {depth.least} to {depth.most} cards deep, got {command.depth}",
            "cut.depth",
        )
    clauses = house.cite("shuffle.cut") + house.cite("cut.depth") + house.cite("cut.bottom")
    return [ev.DeckCut(deck=deck.name, depth=command.depth, at=at, by=by, clauses=clauses)]


def cut_depth(live: LiveTable) -> Amount:
    """How many cards may lie above the cover card (A136)."""
    choices = live.house.choices
    top = max(10, choices.cut_min_top)
    return Amount(top, min(51, 52 - choices.cut_min_bottom))


def offer_cut(live: LiveTable, at: int) -> Iterator[Offer]:
    """Every stack that needs a cut."""
    for deck in live.life.decks.values():
        if deck.stage == "shuffled" and needs_cut(live, deck):
            depth = cut_depth(live)
            yield Offer(
                command=cmd.CutDeck(deck.name, depth.least),
                forms={"depth": depth},
                due="due",
                why=f"shuffled by {deck.shuffled_by}",
            )


def why_not_load(
    live: LiveTable, deck: Deck, hand: str, *, stacked: bool = False
) -> tuple[str, str] | None:
    """Why a deck may not be loaded now, with the duty; `stacked` if it is shuffled this moment."""
    life = live.life
    if not stacked:
        ready = deck.stage == "cut" or (deck.stage == "shuffled" and not needs_cut(live, deck))
        if not ready:
            duty = "shuffle.cut" if deck.stage == "shuffled" else "shuffle"
            return f"deck {deck.name} is {deck.stage}, not ready to be dealt", duty
        if life.method == "hand" and deck.shuffled_by != "machine":
            return "cards dealt from the hand are shuffled by a machine", "hand.machine"
    if not no_card_out(live):
        return "a round is being dealt", "load"
    if life.in_play() is not None:
        return f"deck {life.last_deck or 'one'} is loaded already", "deck.one"
    if life.method == "automated_shoe" and life.devices.get("shoe") != "working":
        return "the automated shoe does not work", "device.marked"
    if any(other.stage == "rack" for other in life.decks.values() if other is not deck):
        return "the cards of another deck lie in the discard rack", "deck.rack"
    if two_decks(live) and deck.name == life.last_deck:
        return f"deck {deck.name} was used last; the decks alternate", "deck.alternate"
    if (life.method == "hand") != (hand in ("left", "right")) or hand not in ("", "left", "right"):
        return f"left or right hand is for dealing from the hand, got {hand!r}", "load"
    return None


def load(live: LiveTable, command: cmd.LoadDeck, by: Person, at: int) -> list[Event]:
    """Make a stack ready to be dealt."""
    deck = known(live, command.deck)
    problem = why_not_load(live, deck, command.hand)
    if problem:
        raise live.refusal(*problem)
    if live.dealing is None:  # a round that runs is never stopped by a clock
        check_age(live, deck, at)
    return [loaded(live, deck, command.hand, by, at, ())]


def loaded(
    live: LiveTable, deck: Deck, hand: str, by: Person, at: int, more: tuple[str, ...]
) -> ev.DeckLoaded:
    """The event of a deck that goes into the shoe or into a hand."""
    house = live.house
    clauses = house.cite("load") + more
    if deck.stage == "cut":
        clauses += house.cite("cut.load")
    if live.life.method == "hand":
        clauses += house.cite("hand.machine")
    if two_decks(live):
        clauses += house.cite("deck.alternate")
    return ev.DeckLoaded(
        deck=deck.name, method=live.life.method, hand=hand, at=at, by=by, clauses=clauses
    )


def offer_load(live: LiveTable, at: int) -> Iterator[Offer]:
    """The stack that may be dealt next."""
    by_hand = live.life.method == "hand"
    for deck in live.life.decks.values():
        hand = "right" if by_hand else ""
        if why_not_load(live, deck, hand) is None:
            yield Offer(
                command=cmd.LoadDeck(deck.name, hand),  # type: ignore[arg-type]
                forms={"hand": OneOf(("right", "left"))} if by_hand else {},
                due="due",
                why=f"{deck.name} is ready",
            )


def order_shuffle(live: LiveTable, command: cmd.OrderShuffle, by: Person, at: int) -> list[Event]:
    """A floorperson wants another shuffle before the first card."""
    deck = live.life.in_play()
    if deck is None or not no_card_out(live):
        raise live.refusal("no loaded deck is waiting for its first card", "shuffle.ordered")
    if not command.reason.strip():
        raise live.refusal("a reason is needed", "shuffle.ordered")
    clauses = live.house.cite("shuffle.ordered")
    return [ev.ShuffleOrdered(deck=deck.name, reason=command.reason, at=at, by=by, clauses=clauses)]


def order_recut(live: LiveTable, command: cmd.OrderRecut, by: Person, at: int) -> list[Event]:
    """A floorperson found the cut improper."""
    deck = next((deck for deck in live.life.decks.values() if deck.was_cut and uncut(deck)), None)
    if continuous(live):
        raise live.refusal("the approved device makes the recut lapse", "continuous")
    if deck is None or not no_card_out(live):
        raise live.refusal("no cut deck is waiting for its first card", "cut.again")
    if not command.reason.strip():
        raise live.refusal("a reason is needed", "cut.again")
    clauses = live.house.cite("cut.again")
    return [ev.RecutOrdered(deck=deck.name, reason=command.reason, at=at, by=by, clauses=clauses)]


def uncut(deck: Deck) -> bool:
    """Whether a cut deck has not been dealt from since."""
    return deck.stage in ("cut", "loaded")


def offer_orders(live: LiveTable, at: int) -> Iterator[Offer]:
    """What a floorperson may order before the first card."""
    yield Offer(command=cmd.OrderShuffle("fairness"), forms={"reason": Text("fairness")})


def offer_recut(live: LiveTable, at: int) -> Iterator[Offer]:
    """A recut, while a cut stack waits."""
    yield Offer(
        command=cmd.OrderRecut("the cut was shallow"), forms={"reason": Text("improper cut")}
    )


ACTS = (
    Act(
        command=cmd.Shuffle,
        roles=SHUFFLERS,
        duty="shuffle",
        decide=shuffle,
        offers=offer_shuffle,
    ),
    Act(command=cmd.CutDeck, roles=DEALER, duty="cut.depth", decide=cut, offers=offer_cut),
    Act(command=cmd.LoadDeck, roles=DEALER, duty="load", decide=load, offers=offer_load),
    Act(
        command=cmd.OrderShuffle,
        roles=FLOOR,
        duty="shuffle.ordered",
        decide=order_shuffle,
        offers=offer_orders,
    ),
    Act(
        command=cmd.OrderRecut,
        roles=FLOOR,
        duty="cut.again",
        decide=order_recut,
        offers=offer_recut,
    ),
)
