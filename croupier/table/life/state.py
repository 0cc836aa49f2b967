"""What a table remembers besides its rounds: a fold over events, compared field by field."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.money import Cents
from croupier.table.life.people import Person, Role

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
    pulled_by: Person | None = None


@dataclass(slots=True)
class Document:
    """A payout document; what it says never changes, only what was done with it."""

    serial: int
    round: int
    seat: int
    player: str
    wager: str
    winnings: Cents
    witness: str
    surveillance: bool
    by_check: bool
    prepared_by: str
    witnessed: bool = False
    notified: bool = False
    void: bool = False

    @property
    def complete(self) -> bool:
        """Whether the payout may be made."""
        return self.witnessed and (self.notified or not self.surveillance)


@dataclass(slots=True)
class Award:
    """A meter award that the dealer has checked."""

    meter: str
    amount: Cents
    light: bool
    verified_by: Person
    validated: bool = False


@dataclass(slots=True)
class Notice:
    """Limits that were announced."""

    minimum: Cents
    maximum: Cents | None
    given: int
    effective: int


@dataclass(slots=True)
class Counted:
    """A dealer's count that a second person has to agree with."""

    chips: Cents
    by: Person


@dataclass(slots=True)
class Life:
    """Everything but the rounds and the meters, which the round engine keeps."""

    latest: int = 0  # the highest time seen: a clock set back makes no deck younger
    posts: dict[str, Role] = field(default_factory=dict)
    dealer: str = ""
    equipment: bool = False
    open: bool = False
    count: Counted | None = None
    decks: dict[str, Deck] = field(default_factory=dict)
    deck_names: set[str] = field(default_factory=set)
    last_deck: str = ""
    rounds_since_count: int = 0
    devices: dict[str, str] = field(default_factory=dict)  # working, failed or marked
    method: str = ""
    seats: dict[int, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)
    unseen: bool = False  # everybody had left: a newcomer must be shown the cards
    last_bet_at: int = 0
    tray: Cents = 0
    drop: Cents = 0
    racks: dict[str, Cents] = field(default_factory=dict)
    held: dict[str, Cents] = field(default_factory=dict)
    fills: dict[str, Counted] = field(default_factory=dict)
    credits: dict[str, Counted] = field(default_factory=dict)
    slips: set[str] = field(default_factory=set)
    limits: dict[str, tuple[Cents, Cents | None]] = field(default_factory=dict)
    notices: dict[str, Notice] = field(default_factory=dict)
    # The round in progress; forgotten when it closes.
    stub: str = ""  # "", "done" or "differs"
    stub_counted: bool = False
    collected: bool = False
    count_differs: tuple[int, int] | None = None  # chips counted, wagers accepted
    awards: dict[int, Award] = field(default_factory=dict)
    documents: dict[int, Document] = field(default_factory=dict)

    def seat_of(self, player: str) -> int | None:
        """Where a player sits."""
        for seat, name in self.seats.items():
            if name == player:
                return seat
        return None

    def in_play(self) -> Deck | None:
        """The deck that is loaded."""
        for deck in self.decks.values():
            if deck.stage == "loaded":
                return deck
        return None

    def usable(self) -> list[Deck]:
        """The decks that are not on their way out."""
        return [deck for deck in self.decks.values() if deck.stage not in ("pulled", "failed")]
