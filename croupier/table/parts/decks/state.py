"""State of the decks at a table."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.table.core.roles import Account

# Stages of a deck: preparation (chapter 4), then the shuffle cycle (chapter 5) until it is pulled.
UNSEEN_STAGES = ("received", "inspected", "verified", "spread", "offered", "turned", "washed")
MIXED_STAGES = ("stacked", "shuffled", "cut", "loaded", "rack")


@dataclass(slots=True)
class Deck:
    """One deck at the table."""

    name: str
    back: str
    design: str
    stage: str = "received"
    shuffled_by: str = ""  # manual, machine or preshuffled
    inspected_by: str = ""
    entered_at: int | None = None  # when it was first loaded
    by_hand: bool = False  # it was in play while the cards were dealt from the hand, even if once
    was_cut: bool = False
    ordered: bool = False  # a floorperson ordered the coming shuffle
    idle: bool = False  # it was spread because the table was idle, and is not shuffled yet
    recover: str = ""  # the device whose jam made the coming shuffle necessary
    counted_at: int = 0  # the value of `Decks.rounds` at its last stub count or its arrival
    resumes: str = ""  # its stage when it comes back into play, if it was set aside
    failed: str = ""  # the duty to remove it, if a count did not find 52 cards
    pulled_by: Account | None = None

    @property
    def undealt(self) -> bool:
        """Whether it is shuffled for a round and not dealt from yet, as far as a stage shows."""
        return self.stage in ("shuffled", "cut", "loaded")

    @property
    def stored(self) -> bool:
        """Whether it is shuffled and stored in the shuffler; a preshuffled deck is not (3.B.3)."""
        return self.stage == "shuffled" and self.shuffled_by == "machine"


@dataclass(slots=True)
class Decks:
    """The decks at the table, and the stub of the round in progress."""

    here: dict[str, Deck] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of every deck ever received, canonical
    last: str = ""  # the deck of the last round
    rounds: int = 0  # rounds of the table since its opening, void ones included
    stub: str = ""  # "", "done" or "differs"
    stub_counted: bool = False
    stub_found: int = 0  # the result of a wrong stub count
    hand: str = ""  # the dealer's hand that holds the deck during the round
    handled_at: int = 0  # when a deck was last stacked, shuffled, loaded or played with

    def in_play(self) -> Deck | None:
        """The deck that is loaded."""
        for deck in self.here.values():
            if deck.stage == "loaded":
                return deck
        return None

    @property
    def rounds_since_count(self) -> int:
        """Rounds since a count of the deck in play; before it is loaded, the most of any deck."""
        loaded = self.in_play()
        decks = self.playing() if loaded is None else [loaded]
        return max((self.rounds - deck.counted_at for deck in decks), default=0)

    def being_shuffled(self) -> list[Deck]:
        """The decks that may be in the shuffler now: stacked but not shuffled."""
        return [deck for deck in self.here.values() if deck.stage in ("stacked", "rack")]

    def lying_spread(self) -> Deck | None:
        """A deck that was spread because the table was idle, until it is shuffled."""
        return next((deck for deck in self.playing() if deck.idle), None)

    def usable(self) -> list[Deck]:
        """The decks that are neither pulled nor failed."""
        return [deck for deck in self.here.values() if deck.stage not in ("pulled", "failed")]

    def playing(self) -> list[Deck]:
        """The usable decks that were not set aside because the shuffler is out of order."""
        return [deck for deck in self.usable() if deck.stage != "aside"]
