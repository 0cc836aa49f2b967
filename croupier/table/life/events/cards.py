"""What happened to decks, devices and stubs."""

from __future__ import annotations

from croupier.table.life.events.base import LifeEvent
from croupier.table.life.people import Person


class DeckReceived(LifeEvent, frozen=True, kw_only=True, tag="deck_received"):
    """A deck came to the table."""

    deck: str
    back: str
    design: str
    cover_cards: int
    prepared: bool


class DeckPrepared(LifeEvent, frozen=True, kw_only=True, tag="deck_prepared"):
    """One step of chapter 4 was done with a deck."""

    deck: str
    step: str


class DeckShuffled(LifeEvent, frozen=True, kw_only=True, tag="deck_shuffled"):
    """A deck was shuffled and stacked; `loaded` if the device put it into the shoe itself."""

    deck: str
    method: str
    count: int | None = None
    recovered: str = ""  # the device whose jam mixed dealt cards back in
    loaded: bool = False


class DeckCountFailed(LifeEvent, frozen=True, kw_only=True, tag="deck_count_failed"):
    """A counting shuffler did not find 52 cards: the deck must leave the table."""

    deck: str
    count: int


class DeckCut(LifeEvent, frozen=True, kw_only=True, tag="deck_cut"):
    """The cards above the cover card went to the bottom."""

    deck: str
    depth: int


class DeckLoaded(LifeEvent, frozen=True, kw_only=True, tag="deck_loaded"):
    """A deck is ready to be dealt; the first time starts its clock."""

    deck: str
    method: str
    hand: str = ""


class ShuffleOrdered(LifeEvent, frozen=True, kw_only=True, tag="shuffle_ordered"):
    """A floorperson had the deck in play shuffled again."""

    deck: str
    reason: str


class RecutOrdered(LifeEvent, frozen=True, kw_only=True, tag="recut_ordered"):
    """A floorperson had the deck in play cut again."""

    deck: str
    reason: str


class IdleSpread(LifeEvent, frozen=True, kw_only=True, tag="idle_spread"):
    """The cards lie spread on an idle table."""

    decks: tuple[str, ...]
    face_up: bool


class DeckPulled(LifeEvent, frozen=True, kw_only=True, tag="deck_pulled"):
    """A deck is out of use and waits for a second signature."""

    deck: str
    reason: str


class DeckRemoved(LifeEvent, frozen=True, kw_only=True, tag="deck_removed"):
    """A deck left the table, its label signed by two people."""

    deck: str
    pulled_by: Person


class DeviceFailed(LifeEvent, frozen=True, kw_only=True, tag="device_failed"):
    """A device cannot be used until somebody clears it."""

    device: str


class DeviceMarked(LifeEvent, frozen=True, kw_only=True, tag="device_marked"):
    """A failed device is covered or signed; another method may be used."""

    device: str
    how: str


class DeviceCleared(LifeEvent, frozen=True, kw_only=True, tag="device_cleared"):
    """A device works again."""

    device: str


class DealingSwitched(LifeEvent, frozen=True, kw_only=True, tag="dealing_switched"):
    """The next rounds are dealt by this method."""

    method: str


class StubDiscarded(LifeEvent, frozen=True, kw_only=True, tag="stub_discarded"):
    """The cards left over lie in the rack, unseen."""

    deck: str
    cards: int


class StubCounted(LifeEvent, frozen=True, kw_only=True, tag="stub_counted"):
    """The stub and the cards dealt come to 52."""

    deck: str
    cards: int


class StubCountDiffered(LifeEvent, frozen=True, kw_only=True, tag="stub_count_differed"):
    """They do not: it must be found out whether cards were misdealt."""

    deck: str
    cards: int
    expected: int
