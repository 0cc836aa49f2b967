"""Event handlers of decks and stubs. Handlers never refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.core.messages import Event
from croupier.table.core.part import Evolve
from croupier.table.core.roles import normalize_id
from croupier.table.parts.decks import messages as msg
from croupier.table.parts.decks.lifecycle import deals_by_hand, uses_two_decks
from croupier.table.parts.decks.state import UNSEEN_STAGES, Deck
from croupier.table.parts.devices import DealingSwitched, DeviceCleared
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.shift import TableClosed, TableOpened

if TYPE_CHECKING:
    from croupier.table.table import Table

MISDEALT, LOST = "wrong_count.misdealt", "wrong_count.not_misdealt"
STEPS_TO_STAGE = {
    "inspect": "inspected",
    "verify": "verified",
    "spread": "spread",
    "offer": "offered",
    "turn": "turned",
    "wash": "washed",
    "stack": "stacked",
}


def on_deck_received(table: Table, event: msg.DeckReceived) -> None:
    """Add a deck; a prepared one skips the preparation steps."""
    stage, by = ("shuffled", "preshuffled") if event.prepared_by else ("received", "")
    table.decks.here[event.deck] = Deck(
        event.deck,
        event.back,
        event.design,
        stage=stage,
        shuffled_by=by,
        counted_at=table.decks.rounds,
    )
    table.decks.names.add(normalize_id(event.deck))
    table.decks.handled_at = table.clock


def on_deck_prepared(table: Table, event: msg.DeckPrepared) -> None:
    """Advance a deck to the stage of the preparation step."""
    deck = table.decks.here[event.deck]
    deck.stage = STEPS_TO_STAGE[event.step]
    if event.step == "inspect":
        deck.inspected_by = event.by.id
    elif event.step == "stack":
        table.decks.handled_at = table.clock


def on_deck_shuffled(table: Table, event: msg.DeckShuffled) -> None:
    """Mark a deck as shuffled; it needs a new cut."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.shuffled_by = "shuffled", event.method
    deck.was_cut, deck.ordered, deck.recover, deck.idle = False, False, "", False
    table.decks.handled_at = table.clock


def on_deck_cut(table: Table, event: msg.DeckCut) -> None:
    """Mark a deck as cut and ready to load."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.was_cut = "cut", True


def on_deck_loaded(table: Table, event: msg.DeckLoaded) -> None:
    """Put a deck into play; the first load starts its time limit."""
    decks = table.decks
    deck = decks.here[event.deck]
    deck.stage = "loaded"
    deck.by_hand = deck.by_hand or deals_by_hand(table)
    decks.hand, decks.handled_at = event.hand, table.clock
    if deck.entered_at is None:
        deck.entered_at = table.clock


def on_shuffle_ordered(table: Table, event: msg.ShuffleOrdered) -> None:
    """Send a deck back to be shuffled."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.ordered = "stacked", True


def on_recut_ordered(table: Table, event: msg.RecutOrdered) -> None:
    """Send a deck back to be cut."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.was_cut = "shuffled", False


def on_idle_spread(table: Table, event: msg.IdleSpread) -> None:
    """Spread the decks of an idle table."""
    table.seats.unseen = False
    for name in event.decks:
        deck = table.decks.here[name]
        deck.stage, deck.idle = "spread", True


def on_deck_kept(table: Table, event: msg.DeckKept) -> None:
    """Take the other deck out of play; a deck that was aside comes back."""
    bring_back(table.decks.here[event.deck])
    aside = table.decks.here.get(event.aside)
    if aside is not None:
        aside.resumes = aside.stage if aside.stage in UNSEEN_STAGES else "stacked"
        aside.stage = "aside"


def on_device_cleared(table: Table, event: DeviceCleared) -> None:
    """With a working shuffler both decks are in play again, and alternate at once (3.B.4)."""
    if event.device != "shuffler":
        return
    for deck in table.decks.here.values():
        bring_back(deck)
    loaded = table.decks.in_play()
    if (
        loaded is not None
        and loaded.name == table.decks.last
        and uses_two_decks(table)
        and table.dealing is None
    ):
        loaded.stage = "stacked"


def bring_back(deck: Deck) -> None:
    """Return a deck that was set aside to play; one that was mixed must be shuffled."""
    if deck.stage == "aside":
        deck.stage = deck.resumes


def on_deck_pulled(table: Table, event: msg.DeckPulled) -> None:
    """Take a deck out of use."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.pulled_by = "pulled", event.by


def on_deck_count_failed(table: Table, event: msg.DeckCountFailed) -> None:
    """Mark a deck without 52 cards as failed."""
    deck = table.decks.here[event.deck]
    deck.stage, deck.failed = "failed", "shuffle.wrong"


def on_deck_removed(table: Table, event: msg.DeckRemoved) -> None:
    """Remove a deck from the table."""
    del table.decks.here[event.deck]


def on_stub_handled(table: Table, event: msg.StubDiscarded | msg.StubCounted) -> None:
    """Mark the stub of the round as accounted for."""
    table.decks.stub = "done"
    table.decks.stub_counted = isinstance(event, msg.StubCounted)


def on_stub_count_differed(table: Table, event: msg.StubCountDiffered) -> None:
    """Record a wrong stub count."""
    table.decks.stub, table.decks.stub_found = "differs", event.cards


def on_shift_boundary(table: Table, event: TableOpened | TableClosed) -> None:
    """Restart the stub interval at opening and closing."""
    decks = table.decks
    decks.rounds = 0
    for deck in decks.here.values():
        deck.counted_at = 0
    if isinstance(event, TableClosed):
        decks.last = decks.hand = ""


def on_dealing_switched(table: Table, event: DealingSwitched) -> None:
    """Send the loaded deck back to be shuffled; switching back never extends the life of a deck."""
    loaded = table.decks.in_play()
    if loaded is not None:
        loaded.stage = "stacked"
    for deck in table.decks.here.values():
        deck.by_hand |= deck.entered_at is not None and deals_by_hand(table)


def on_round_voided(table: Table, event: round_msg.RoundVoided) -> None:
    """After a jam, the deck must be shuffled again, with the jam cited."""
    if event.irregularity not in ("shuffler_jam", "shoe_jam"):
        return
    deck = table.decks.in_play()
    if deck is not None:
        deck.recover = event.irregularity.removesuffix("_jam")
    else:  # the deck to be dealt next was in the shuffler
        reset_shuffler_decks(table)


def on_irregularity_noted(table: Table, event: round_msg.IrregularityNoted) -> None:
    """After a shuffler jam beside a round, the idle deck must be shuffled again."""
    if event.irregularity == "shuffler_jam":
        reset_shuffler_decks(table)


def reset_shuffler_decks(table: Table) -> None:
    """Send the decks in a jammed shuffler back to be shuffled."""
    stored = [deck for deck in table.decks.here.values() if deck.stored]
    for deck in table.decks.being_shuffled() or stored:
        deck.stage, deck.recover = "stacked", "shuffler"


def on_round_closed(table: Table, event: round_msg.RoundClosed) -> None:
    """Move the deck to the discard rack, or mark it failed if it lost cards."""
    decks, current = table.decks, table.round
    assert current is not None
    void = current.void
    decks.rounds += 1
    deck = decks.in_play()
    if deck is not None:
        if decks.stub_counted:
            deck.counted_at = decks.rounds
        wrong_count = void is not None and void.irregularity == "wrong_count"
        complete = not wrong_count or void is None or void.clause in table.house.cite(MISDEALT)
        deck.stage, deck.failed = ("rack", "") if complete else ("failed", LOST)
        decks.last = deck.name
    decks.stub, decks.stub_counted, decks.hand = "", False, ""
    decks.handled_at = table.clock


EVOLVE: dict[type[Event], Evolve] = {
    msg.DeckReceived: on_deck_received,
    msg.DeckPrepared: on_deck_prepared,
    msg.DeckShuffled: on_deck_shuffled,
    msg.DeckCountFailed: on_deck_count_failed,
    msg.DeckCut: on_deck_cut,
    msg.DeckLoaded: on_deck_loaded,
    msg.ShuffleOrdered: on_shuffle_ordered,
    msg.RecutOrdered: on_recut_ordered,
    msg.IdleSpread: on_idle_spread,
    msg.DeckKept: on_deck_kept,
    msg.DeckPulled: on_deck_pulled,
    msg.DeckRemoved: on_deck_removed,
    msg.StubDiscarded: on_stub_handled,
    msg.StubCounted: on_stub_handled,
    msg.StubCountDiffered: on_stub_count_differed,
    TableOpened: on_shift_boundary,
    TableClosed: on_shift_boundary,
    DealingSwitched: on_dealing_switched,
    DeviceCleared: on_device_cleared,
    round_msg.RoundVoided: on_round_voided,
    round_msg.IrregularityNoted: on_irregularity_noted,
    round_msg.RoundClosed: on_round_closed,
}
