"""What events do to decks and to the memory of stubs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life import events as le
from croupier.table.life.state import MIXED_STAGES, Deck, Life

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

STEPS_TO_STAGE = {
    "inspect": "inspected",
    "verify": "verified",
    "spread": "spread",
    "offer": "offered",
    "turn": "turned",
    "wash": "washed",
    "stack": "stacked",
}


def fold(life: Life, event: le.LifeEvent) -> bool:
    """Apply an event of this subject; says whether it was one."""
    match event:
        case le.DeckReceived():
            stage, by = ("shuffled", "preshuffled") if event.prepared else ("received", "")
            life.decks[event.deck] = Deck(
                event.deck, event.back, event.design, stage=stage, shuffled_by=by
            )
            life.deck_names.add(event.deck)
        case le.DeckPrepared():
            deck = life.decks[event.deck]
            deck.stage = STEPS_TO_STAGE[event.step]
            if event.step == "inspect":
                deck.inspected_by = event.by.name
            elif event.step == "stack":
                deck.idle = False
        case le.DeckShuffled():
            deck = life.decks[event.deck]
            deck.stage, deck.shuffled_by = "shuffled", event.method
            deck.was_cut, deck.ordered, deck.recover = False, False, ""
        case le.DeckCountFailed():
            life.decks[event.deck].stage = "failed"
        case le.DeckCut():
            deck = life.decks[event.deck]
            deck.stage, deck.was_cut = "cut", True
        case le.DeckLoaded():
            _load(life, event)
        case le.ShuffleOrdered():
            deck = life.decks[event.deck]
            deck.stage, deck.ordered = "stacked", True
        case le.RecutOrdered():
            deck = life.decks[event.deck]
            deck.stage, deck.was_cut = "shuffled", False
        case le.IdleSpread():
            life.unseen = False
            for name in event.decks:
                deck = life.decks[name]
                deck.stage, deck.idle = "spread", True
        case le.DeckPulled():
            deck = life.decks[event.deck]
            deck.stage, deck.pulled_by = "pulled", event.by
        case le.DeckRemoved():
            del life.decks[event.deck]
        case le.StubDiscarded():
            life.stub = "done"
        case le.StubCounted():
            life.stub, life.stub_counted = "done", True
        case le.StubCountDiffered():
            life.stub = "differs"
        case _:
            return False
    return True


def _load(life: Life, event: le.DeckLoaded) -> None:
    deck = life.decks[event.deck]
    deck.stage = "loaded"
    deck.by_hand = deck.by_hand or event.method == "hand"
    if deck.entered_at is None:
        deck.entered_at = event.at
        life.rounds_since_count = 0  # a deck change starts the interval anew (A127)


def unload(life: Life) -> None:
    """A deck made ready for one dealing method is shuffled again for another."""
    deck = life.in_play()
    if deck is not None:
        deck.stage = "stacked"


def after_round_event(live: LiveTable, event: Event) -> None:
    """What the end of a round, or a jam, means for the decks."""
    life = live.life
    match event:
        case ev.RoundVoided(irregularity="shuffler_jam" | "shoe_jam"):
            deck = life.in_play()
            if deck is not None:
                deck.recover = "shuffler" if event.irregularity == "shuffler_jam" else "shoe"
        case ev.IrregularityNoted(irregularity="shuffler_jam"):
            for deck in life.decks.values():
                if deck.stage in MIXED_STAGES and deck.stage != "loaded":
                    deck.stage, deck.recover = "rack", "shuffler"
        case ev.RoundClosed():
            _rack(live, life)


def _rack(live: LiveTable, life: Life) -> None:
    current = live.table.round
    assert current is not None
    void = current.void
    deck = life.in_play()
    if deck is not None:
        lost_cards = void is not None and void.irregularity == "wrong_count"
        keeps = not lost_cards or void is None or void.clause in live.house.cite(MISDEALT)
        deck.stage = "rack" if keeps else "failed"
        life.last_deck = deck.name
    if void is None:
        life.rounds_since_count = 0 if life.stub_counted else life.rounds_since_count + 1
    life.stub, life.stub_counted = "", False


MISDEALT = "wrong_count.misdealt"
