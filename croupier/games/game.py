"""The vocabulary a game is written in: wagers, streets, options, and the functions it brings.

A game is data and a few functions of its own; what every table does is in `croupier.table`, which
asks the game. Clause ids are those of the game's own document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.games.facts import Facts, Settled
from croupier.money import Cents

if TYPE_CHECKING:
    from croupier.games.house import House

Role: TypeAlias = Literal["ante", "matching", "optional", "progressive", "decision"]
DealingMethod: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]
DEALING_METHODS: tuple[DealingMethod, ...] = ("manual_shoe", "hand", "automated_shoe")

# Where a card goes: a seat by its number, or one of the places every table has.
Slot: TypeAlias = int | str
DEALER, COMMUNITY, BURN, BOX = "dealer", "community", "burn", "box"


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One betting spot.

    An `ante` opens the box, a `matching` wager equals it, `optional` and `progressive` wagers are
    offered when the submission lists them, a `decision` wager is made during the round.
    """

    name: str
    title: str
    role: Role
    clause: str
    always_offered: bool = False


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One legal answer on a street; a bet has a wager and its multiple of the ante."""

    word: str
    clause: str
    wager: str = ""
    times: int = 0


class Street(msgspec.Struct, frozen=True, kw_only=True):
    """One round of decisions: how many community cards show, and what may be answered."""

    name: str
    when: str  # the moment as it is spoken: "before the flop"
    shown: int
    options: tuple[Option, ...]
    clause: str

    def option(self, word: str) -> Option | None:
        """The option of that word, if the street has it."""
        for option in self.options:
            if option.word == word:
                return option
        return None


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before the dealer when one box is judged. The community is in layout order."""

    cards: Sequence[Card]
    dealer: Sequence[Card]
    community: Sequence[Card]
    box: Sequence[Card]
    folded_at: str  # the street of the fold, or ""
    wagers: Iterable[str]

    @property
    def folded(self) -> bool:
        """Whether the box has folded; its cards stay while a wager on them is live."""
        return self.folded_at != ""


class Announcement(msgspec.Struct, frozen=True):
    """What the dealer says of a hand, and the duties that the saying fulfils."""

    hand: str
    duties: tuple[str, ...]


class PayoutLimit(msgspec.Struct, frozen=True, kw_only=True):
    """The cap on what one box may win (readings A60 to A67)."""

    clause: str
    floor_clause: str
    covers: tuple[str, ...]
    mandatory: bool
    most_at_minimum: Callable[[Mapping[str, Cents]], Cents]
    may_cover: tuple[str, ...] = ()  # only if the operator chose so
    fixed_floor: Cents = 50_000_00


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game: a sixth is one module, its paytables and its tests."""

    key: str
    title: str
    edition: int
    tagline: str
    player_cards: int
    dealer_cards: int
    community_cards: int
    wagers: tuple[Wager, ...]
    streets: tuple[Street, ...]
    # Wagers in settlement order; a pass goes once around the table.
    passes: tuple[tuple[str, ...], ...]
    deal: Callable[[House, Sequence[int]], tuple[tuple[Slot, ...], ...]]
    judge: Callable[[Seen, House], Iterator[Facts]]
    settle: Callable[[Facts, House], Settled]
    every_facts: Callable[[House], Iterator[Facts]]
    announce_player: Callable[[Seen, House], Announcement]
    announce_dealer: Callable[[Seen, House], Announcement] | None = None
    # The hand that a progressive is judged on, by its finest name.
    progressive_hand: Callable[[Seen, House], str] | None = None
    fixed_paytables: tuple[str, ...] = ()
    limit: PayoutLimit | None = None
    # How many cards found face up are only set aside; the next one voids (chapter 13).
    face_up_tolerated: int = 0
    # The wager that is settled although the round is void, and whether the board is completed.
    saved_wager: str = ""
    saved_needs_board: bool = False
    skipped_player_sits_out: bool = False
    # Whether a board that lies face down is listed although everyone folded before it was shown.
    lists_unseen_board: bool = True
    arrange_community: Callable[[Sequence[Card], House], Sequence[Card]] = lambda cards, house: (
        cards
    )

    def wager(self, name: str) -> Wager | None:
        """The wager of that name, if the game has it."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        return None

    @property
    def ante(self) -> Wager:
        """The wager that opens a box."""
        return next(wager for wager in self.wagers if wager.role == "ante")


def singly(seats: Sequence[int], *others: Slot, times: int) -> tuple[Slot, ...]:
    """One card at a time to every seat and then to the others, so many times around."""
    return (*seats, *others) * times


def stacks(places: Sequence[Slot], size: int) -> tuple[Slot, ...]:
    """A stack of consecutive cards to each place in turn."""
    return tuple(place for place in places for _ in range(size))
