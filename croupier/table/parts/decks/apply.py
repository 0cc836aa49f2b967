"""What events do to decks and to the memory of stubs; nothing here may refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.parts.decks import messages as rec
from croupier.table.parts.decks.state import Deck
from croupier.table.parts.devices import DealingSwitched
from croupier.table.parts.round import messages as played
from croupier.table.parts.shift import TableClosed, TableOpened

if TYPE_CHECKING:
    from croupier.table.table import Table

MISDEALT = "wrong_count.misdealt"
STEPS_TO_STAGE = {
    "inspect": "inspected",
    "verify": "verified",
    "spread": "spread",
    "offer": "offered",
    "turn": "turned",
    "wash": "washed",
    "stack": "stacked",
}


def received(table: Table, event: rec.DeckReceived) -> None:
    """A deck is here; one that comes prepared needs no chapter 4."""
    stage, by = ("shuffled", "preshuffled") if event.prepared else ("received", "")
    table.decks.here[event.deck] = Deck(
        event.deck, event.back, event.design, stage=stage, shuffled_by=by
    )
    table.decks.names.add(event.deck)
    table.decks.handled_at = table.clock


def prepared(table: Table, event: rec.DeckPrepared) -> None:
    """One step further in chapter 4."""
    deck = table.decks.here[event.deck]
    deck.stage = STEPS_TO_STAGE[event.step]
    if event.step == "inspect":
        deck.inspected_by = event.by.id
    elif event.step == "stack":
        deck.idle = False
        table.decks.handled_at = table.clock


def shuffled(table: Table, event: rec.DeckShuffled) -> None:
    """Stacked and in no order that anybody knows."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.shuffled_by = "shuffled", event.method
    deck.was_cut, deck.ordered, deck.recover = False, False, ""
    table.decks.handled_at = table.clock


def cut(table: Table, event: rec.DeckCut) -> None:
    """Cut, and ready to be loaded."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.was_cut = "cut", True


def loaded(table: Table, event: rec.DeckLoaded) -> None:
    """In the shoe or the hand; the first time starts its clock."""
    decks = table.decks
    deck = decks.here[event.deck]
    deck.stage = "loaded"
    deck.by_hand = deck.by_hand or event.method == "hand"
    decks.hand, decks.handled_at = event.hand, table.clock
    if deck.entered_at is None:
        deck.entered_at = table.clock
        decks.rounds_since_count = 0  # a deck change starts the interval anew (A127)


def ordered_shuffle(table: Table, event: rec.ShuffleOrdered) -> None:
    """It must be shuffled again."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.ordered = "stacked", True


def ordered_recut(table: Table, event: rec.RecutOrdered) -> None:
    """It must be cut again."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.was_cut = "shuffled", False


def spread(table: Table, event: rec.IdleSpread) -> None:
    """The cards lie spread until somebody wants to play."""
    table.seats.unseen = False
    for name in event.decks:
        deck = table.decks.here[name]
        deck.stage, deck.idle = "spread", True


def pulled(table: Table, event: rec.DeckPulled) -> None:
    """Out of use."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.pulled_by = "pulled", event.by


def failed(table: Table, event: rec.DeckCountFailed) -> None:
    """Not fifty-two cards."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.failed = "failed", True


def removed(table: Table, event: rec.DeckRemoved) -> None:
    """Gone from the table."""
    del table.decks.here[event.deck]


def stub_done(table: Table, event: rec.StubDiscarded | rec.StubCounted) -> None:
    """The stub of this round is accounted for."""
    table.decks.stub = "done"
    table.decks.stub_counted = isinstance(event, rec.StubCounted)


def stub_differs(table: Table, event: rec.StubCountDiffered) -> None:
    """Somebody must find out why."""
    table.decks.stub, table.decks.stub_found = "differs", event.cards


def opened_or_closed(table: Table, event: TableOpened | TableClosed) -> None:
    """A shift begins or ends; the decks go with it."""
    decks = table.decks
    decks.rounds_since_count = 0
    if isinstance(event, TableClosed):
        decks.here.clear()
        decks.last = decks.hand = ""


def method_switched(table: Table, event: DealingSwitched) -> None:
    """A deck made ready for one dealing method is shuffled again for another."""
    deck = table.decks.in_play()
    if deck is not None:
        deck.stage = "stacked"


def voided(table: Table, event: played.RoundVoided) -> None:
    """A jam mixes cards that were dealt with those that were not."""
    if event.irregularity not in ("shuffler_jam", "shoe_jam"):
        return
    deck = table.decks.in_play()
    if deck is not None:
        deck.recover = event.irregularity.removesuffix("_jam")
    else:  # it was to be dealt next, and the shuffler had it
        caught_in_shuffler(table)


def noted(table: Table, event: played.IrregularityNoted) -> None:
    """A shuffler that jams beside a round had the other deck in it."""
    if event.irregularity == "shuffler_jam":
        caught_in_shuffler(table)


def caught_in_shuffler(table: Table) -> None:
    """What the machine held is taken out of it and shuffled anew; the rack is not its place."""
    stored = [deck for deck in table.decks.here.values() if deck.stored]
    for deck in table.decks.being_shuffled() or stored:
        deck.stage, deck.recover = "stacked", "shuffler"


def round_closed(table: Table, event: played.RoundClosed) -> None:
    """The cards lie in the rack; a deck that lost cards must go."""
    decks, current = table.decks, table.round
    assert current is not None
    void = current.void
    deck = decks.in_play()
    if deck is not None:
        lost_cards = void is not None and void.irregularity == "wrong_count"
        keeps = not lost_cards or void is None or void.clause in table.house.cite(MISDEALT)
        deck.stage, deck.failed = ("rack", False) if keeps else ("failed", True)
        decks.last = deck.name
    if void is None:
        decks.rounds_since_count = 0 if decks.stub_counted else decks.rounds_since_count + 1
    decks.stub, decks.stub_counted, decks.hand = "", False, ""
    decks.handled_at = table.clock


EVOLVE: dict[type[Event], Evolve] = {
    rec.DeckReceived: received,
    rec.DeckPrepared: prepared,
    rec.DeckShuffled: shuffled,
    rec.DeckCountFailed: failed,
    rec.DeckCut: cut,
    rec.DeckLoaded: loaded,
    rec.ShuffleOrdered: ordered_shuffle,
    rec.RecutOrdered: ordered_recut,
    rec.IdleSpread: spread,
    rec.DeckPulled: pulled,
    rec.DeckRemoved: removed,
    rec.StubDiscarded: stub_done,
    rec.StubCounted: stub_done,
    rec.StubCountDiffered: stub_differs,
    TableOpened: opened_or_closed,
    TableClosed: opened_or_closed,
    DealingSwitched: method_switched,
    played.RoundVoided: voided,
    played.IrregularityNoted: noted,
    played.RoundClosed: round_closed,
}
