"""What a table remembers of its decks."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.table.core.roles import Account

# A deck's way: chapter 4 first, then chapter 5 again and again until it is pulled.
UNSEEN_STAGES = ("received", "inspected", "verified", "spread", "offered", "turned", "washed")
MIXED_STAGES = ("stacked", "shuffled", "cut", "loaded", "rack")


@dataclass(slots=True)
class Deck:
    """One deck at the table."""

    name: str
    back: str
    design: str
    stage: str = "received"
    shuffled_by: str = ""  # manual, machine or preshuffled: what the stack comes from
    inspected_by: str = ""
    entered_at: int | None = None  # when it was first loaded
    by_hand: bool = False  # some of it was dealt from the hand: the shorter life applies
    was_cut: bool = False
    ordered: bool = False  # a floorperson ordered the coming shuffle
    idle: bool = False  # it lies spread because nobody played
    recover: str = ""  # the device whose jam the coming shuffle makes good
    failed: bool = False  # a count did not find 52 cards: it leaves the table
    pulled_by: Account | None = None

    @property
    def stored(self) -> bool:
        """Shuffled by the device and lying in it; a deck delivered preshuffled does not (3.B.3)."""
        return self.stage == "shuffled" and self.shuffled_by == "machine"


@dataclass(slots=True)
class Decks:
    """Every deck at the table, and how the stub of the round in progress was handled."""

    here: dict[str, Deck] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of every deck that was ever here
    last: str = ""  # the deck of the last round
    rounds_since_count: int = 0
    stub: str = ""  # "", "done" or "differs"
    stub_counted: bool = False
    stub_found: int = 0  # what a count that differs came to
    hand: str = ""  # the hand that holds the deck, for as long as the round lasts
    handled_at: int = 0  # when a deck was last stacked, shuffled, loaded or played with

    def in_play(self) -> Deck | None:
        """The deck that is loaded."""
        for deck in self.here.values():
            if deck.stage == "loaded":
                return deck
        return None

    def being_shuffled(self) -> list[Deck]:
        """The decks that may be in the shuffler right now: stacked and not shuffled yet."""
        return [deck for deck in self.here.values() if deck.stage in ("stacked", "rack")]

    def lying_spread(self) -> Deck | None:
        """A deck that lies on the table because nobody played."""
        for deck in self.here.values():
            if deck.idle and deck.stage in UNSEEN_STAGES:
                return deck
        return None

    def usable(self) -> list[Deck]:
        """The decks that are not on their way out."""
        return [deck for deck in self.here.values() if deck.stage not in ("pulled", "failed")]
