"""Decks: what may be done with them and what was."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.roles import Account

DeckStep: TypeAlias = Literal["inspect", "verify", "spread", "offer", "turn", "wash", "stack"]
ShuffleMethod: TypeAlias = Literal["manual", "machine"]

# What may be asked for.


class ReceiveDeck(Command, frozen=True, kw_only=True, tag="receive_deck"):
    """A deck comes to the table; `prepared` is one delivered preinspected and preshuffled."""

    deck: str
    back: str
    design: str
    cover_cards: int
    identical: bool = True
    prepared: bool = False


class PrepareDeck(Command, frozen=True, tag="prepare_deck"):
    """One step of chapter 4: inspect, verify, spread, offer to a player, turn, wash, stack."""

    deck: str
    step: DeckStep


class Shuffle(Command, frozen=True, tag="shuffle"):
    """A deck was shuffled and stacked; `count` is what a counting device found."""

    deck: str
    method: ShuffleMethod
    count: int | None = None


class CutDeck(Command, frozen=True, tag="cut_deck"):
    """The cover card goes in below `depth` cards, and these go to the bottom."""

    deck: str
    depth: int


class LoadDeck(Command, frozen=True, tag="load_deck"):
    """The stack goes into the shoe, or into the dealer's `hand` for the whole round."""

    deck: str
    hand: Literal["", "left", "right"] = ""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """A floorperson wants the cards shuffled again before a card is dealt."""

    reason: str


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """A floorperson found the cut improper; no card has been dealt."""

    reason: str


class SpreadIdle(Command, frozen=True, tag="spread_idle"):
    """Nobody plays: the cards are spread, face up only if a seated player asks."""

    face_up: bool = False
    asked_by: str = ""


class PullDeck(Command, frozen=True, tag="pull_deck"):
    """The dealer takes a deck out of use."""

    deck: str
    reason: str


class SignRemoval(Command, frozen=True, tag="sign_removal"):
    """A second person signs the label of a pulled deck, and it leaves the table."""

    deck: str


class DiscardStub(Command, frozen=True, tag="discard_stub"):
    """The cards left over go to the rack unseen."""


class CountStub(Command, frozen=True, tag="count_stub"):
    """The cards left over were counted face down."""

    cards: int


# What happened.


class DeckReceived(Event, frozen=True, kw_only=True, tag="deck_received"):
    """A deck came to the table."""

    deck: str
    back: str
    design: str
    cover_cards: int
    prepared: bool


class DeckPrepared(Event, frozen=True, kw_only=True, tag="deck_prepared"):
    """One step of chapter 4 was done with a deck."""

    deck: str
    step: str
    by: Account


class DeckShuffled(Event, frozen=True, kw_only=True, tag="deck_shuffled"):
    """A deck was shuffled and stacked; `loaded` if the device put it into the shoe itself."""

    deck: str
    method: str
    count: int | None = None
    recovered: str = ""  # the device whose jam mixed dealt cards back in
    loaded: bool = False


class DeckCountFailed(Event, frozen=True, kw_only=True, tag="deck_count_failed"):
    """A counting shuffler did not find 52 cards: the deck must leave the table."""

    audience: ClassVar[Audience] = "staff"

    deck: str
    count: int


class DeckCut(Event, frozen=True, kw_only=True, tag="deck_cut"):
    """The cards above the cover card went to the bottom."""

    deck: str
    depth: int


class DeckLoaded(Event, frozen=True, kw_only=True, tag="deck_loaded"):
    """A deck is ready to be dealt; the first time starts its clock."""

    deck: str
    method: str
    hand: str = ""


class ShuffleOrdered(Event, frozen=True, kw_only=True, tag="shuffle_ordered"):
    """A floorperson had the deck in play shuffled again."""

    deck: str
    reason: str


class RecutOrdered(Event, frozen=True, kw_only=True, tag="recut_ordered"):
    """A floorperson had the deck in play cut again."""

    deck: str
    reason: str


class IdleSpread(Event, frozen=True, kw_only=True, tag="idle_spread"):
    """The cards lie spread on an idle table."""

    decks: tuple[str, ...]
    face_up: bool
    asked_by: str = ""


class DeckPulled(Event, frozen=True, kw_only=True, tag="deck_pulled"):
    """A deck is out of use and waits for a second signature."""

    deck: str
    reason: str
    by: Account


class DeckRemoved(Event, frozen=True, kw_only=True, tag="deck_removed"):
    """A deck left the table, its label signed by two people."""

    deck: str
    pulled_by: Account


class StubDiscarded(Event, frozen=True, kw_only=True, tag="stub_discarded"):
    """The cards left over lie in the rack, unseen."""

    deck: str
    cards: int


class StubCounted(Event, frozen=True, kw_only=True, tag="stub_counted"):
    """The stub and the cards dealt come to 52."""

    deck: str
    cards: int


class StubCountDiffered(Event, frozen=True, kw_only=True, tag="stub_count_differed"):
    """They do not: it must be found out whether cards were misdealt."""

    audience: ClassVar[Audience] = "staff"

    deck: str
    cards: int
    expected: int
