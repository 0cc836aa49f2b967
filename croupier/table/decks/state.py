"""What a table remembers of its decks."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.table.people import Account

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
    pulled_by: Account | None = None


@dataclass(slots=True)
class Decks:
    """Every deck at the table, and how the stub of the round in progress was handled."""

    here: dict[str, Deck] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of every deck that was ever here
    last: str = ""  # the deck of the last round
    rounds_since_count: int = 0
    stub: str = ""  # "", "done" or "differs"
    stub_counted: bool = False

    def in_play(self) -> Deck | None:
        """The deck that is loaded."""
        for deck in self.here.values():
            if deck.stage == "loaded":
                return deck
        return None

    def usable(self) -> list[Deck]:
        """The decks that are not on their way out."""
        return [deck for deck in self.here.values() if deck.stage not in ("pulled", "failed")]
