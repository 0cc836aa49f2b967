"""Commands and events of decks."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

DeckStep: TypeAlias = Literal["inspect", "verify", "spread", "offer", "turn", "wash", "stack"]
ShuffleMethod: TypeAlias = Literal["manual", "machine"]

# Commands.


class ReceiveDeck(Command, frozen=True, kw_only=True, tag="receive_deck"):
    """A deck is received; `prepared_by` is who preinspected and preshuffled it, if anyone did."""

    deck: str
    back: str
    design: str
    cover_cards: int
    identical: bool = True
    prepared_by: str = ""


class PrepareDeck(Command, frozen=True, tag="prepare_deck"):
    """One preparation step: inspect, verify, spread, offer to a player, turn, wash, stack."""

    deck: str
    step: DeckStep


class Shuffle(Command, frozen=True, tag="shuffle"):
    """A deck was shuffled and stacked; `count` is the shuffler's card count, if it counts."""

    deck: str
    method: ShuffleMethod
    count: int | None = None


class CutDeck(Command, frozen=True, tag="cut_deck"):
    """The cover card is inserted below `depth` cards, which go to the bottom."""

    deck: str
    depth: int


class LoadDeck(Command, frozen=True, tag="load_deck"):
    """The deck goes into the shoe, or into the dealer's `hand` for the whole round."""

    deck: str
    hand: Literal["", "left", "right"] = ""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """A floorperson orders another shuffle before the first card is dealt."""

    reason: str


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """A floorperson orders another cut before the first card is dealt."""

    reason: str


class SpreadIdle(Command, frozen=True, tag="spread_idle"):
    """The dealer spreads the cards of an idle table, face up only if a seated player asks."""

    face_up: bool = False
    asked_by: str = ""


class PullDeck(Command, frozen=True, tag="pull_deck"):
    """The dealer takes a deck out of use."""

    deck: str
    reason: str


class SignRemoval(Command, frozen=True, tag="sign_removal"):
    """A second person signs the label of a pulled deck, which then leaves the table."""

    deck: str


class KeepDeck(Command, frozen=True, tag="keep_deck"):
    """The floor chooses the deck that stays in play while the shuffler is out of order."""

    deck: str


class DiscardStub(Command, frozen=True, tag="discard_stub"):
    """The stub goes to the discard rack uncounted."""


class CountStub(Command, frozen=True, tag="count_stub"):
    """The dealer counts the stub face down."""

    cards: int


# Events.


class DeckReceived(Event, frozen=True, kw_only=True, tag="deck_received"):
    """A deck was received at the table."""

    deck: str
    back: str
    design: str
    cover_cards: int
    prepared_by: str = ""  # who preinspected and preshuffled it; empty for a deck that needs both


class DeckPrepared(Event, frozen=True, kw_only=True, tag="deck_prepared"):
    """A preparation step of a deck was done."""

    deck: str
    step: str
    by: Account


class DeckShuffled(Event, frozen=True, kw_only=True, tag="deck_shuffled"):
    """A deck was shuffled and stacked; `loaded` if the shuffler put it into the shoe."""

    deck: str
    method: str
    count: int | None = None
    recovered: str = ""  # the device whose jam made the shuffle necessary
    loaded: bool = False


class DeckCountFailed(Event, frozen=True, kw_only=True, tag="deck_count_failed"):
    """A counting shuffler did not count 52 cards; the deck must leave the table."""

    audience: ClassVar[Audience] = "staff"

    deck: str
    count: int


class DeckCut(Event, frozen=True, kw_only=True, tag="deck_cut"):
    """A deck was cut; the cards above the cover card went to the bottom."""

    deck: str
    depth: int


class DeckLoaded(Event, frozen=True, kw_only=True, tag="deck_loaded"):
    """A deck is ready to deal; its time in play starts at the first load."""

    deck: str
    method: str
    hand: str = ""


class ShuffleOrdered(Event, frozen=True, kw_only=True, tag="shuffle_ordered"):
    """A floorperson ordered another shuffle of the deck in play."""

    deck: str
    reason: str


class RecutOrdered(Event, frozen=True, kw_only=True, tag="recut_ordered"):
    """A floorperson ordered another cut of the deck in play."""

    deck: str
    reason: str


class IdleSpread(Event, frozen=True, kw_only=True, tag="idle_spread"):
    """The cards were spread on an idle table."""

    decks: tuple[str, ...]
    face_up: bool
    asked_by: str = ""


class DeckPulled(Event, frozen=True, kw_only=True, tag="deck_pulled"):
    """A deck was taken out of use and waits for a second signature."""

    deck: str
    reason: str
    by: Account


class DeckRemoved(Event, frozen=True, kw_only=True, tag="deck_removed"):
    """A deck left the table, its label signed by two people."""

    deck: str
    pulled_by: Account


class DeckKept(Event, frozen=True, kw_only=True, tag="deck_kept"):
    """This deck alone is played with until the shuffler works; `aside` left play."""

    deck: str
    aside: str = ""


class StubDiscarded(Event, frozen=True, kw_only=True, tag="stub_discarded"):
    """The stub went to the discard rack uncounted."""

    deck: str
    cards: int


class StubCounted(Event, frozen=True, kw_only=True, tag="stub_counted"):
    """The stub was counted; with the cards dealt it makes 52."""

    deck: str
    cards: int


class StubCountDiffered(Event, frozen=True, kw_only=True, tag="stub_count_differed"):
    """The stub count is wrong; a finding must say whether cards were misdealt."""

    audience: ClassVar[Audience] = "staff"

    deck: str
    cards: int
    expected: int
