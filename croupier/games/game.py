"""The vocabulary a game is written in: wagers, streets, options, and the functions it brings.

A game is data and a few functions of its own; what every table does is in `croupier.table`, which
asks the game. Clause ids are those of the game's own document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

from croupier.cards import Card, Face
from croupier.games.choices import Choices
from croupier.games.facts import Facts, Posted, Settled
from croupier.games.hand_names import POKER_HANDS
from croupier.games.immutable import freeze_mappings
from croupier.games.qualifier import Qualifier
from croupier.money import Cents
from croupier.rulebook import RuleDocument

if TYPE_CHECKING:
    from croupier.games.forms.declarations import Form
    from croupier.games.house import House

Role: TypeAlias = Literal["ante", "matching", "optional", "progressive", "decision"]
DealingMethod: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]
DEALING_METHODS: tuple[DealingMethod, ...] = ("manual_shoe", "hand", "automated_shoe")

# Where a card goes: a seat by its number, or one of the places every table has.
Slot: TypeAlias = int | str
DEALER, COMMUNITY, BURN, BOX = "dealer", "community", "burn", "box"

# A game's own functions are given Houses with the choices of that game.
AnyHouse: TypeAlias = "House[Any]"


class Terms(Protocol):
    """What a House and a submission that is still being read have in common."""

    @property
    def dealing_method(self) -> str: ...

    @property
    def choices(self) -> Any: ...


def never(terms: Terms) -> bool:
    """A rule that this game does not have."""
    return False


def always(terms: Terms) -> bool:
    """A rule that no choice changes."""
    return True


def nothing(terms: Terms) -> str:
    """No word to say."""
    return ""


def none(terms: Terms) -> tuple[str, ...]:
    """No names."""
    return ()


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What a wager is judged on: the name of its counts, and the words for people.

    Counts that come with Croupier are found by their name (`croupier.games.expected_returns`); a game with
    hands of its own brings them as `count`. `facts` makes a wager's facts of a counted name.
    """

    name: str
    words: str
    count: Callable[[], Mapping[str, int]] | None = None
    facts: Callable[[str, str], Facts] = Posted


def seven(words: str = "your best five of seven cards") -> Basis:
    """Two cards of one's own and the whole board."""
    return Basis(name="seven", words=words)


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
    # The wager that must lie beside this one, and whether a fold leaves this one live.
    needs: Callable[[AnyHouse], str] = nothing
    outlives_fold: Callable[[AnyHouse], bool] = always
    # What an optional or progressive wager is judged on.
    judged_on: Callable[[AnyHouse], Basis] | None = None
    # The names of hands that its facts carry, where it is paid by a table.
    hands: tuple[str, ...] = POKER_HANDS
    # The paytable that several wagers share, of a wager that has none of its own.
    pays_as: Callable[[AnyHouse], str] = nothing


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
    """The cap on what one box may win (readings A60 to A67).

    `best_deals` are the deals that can win the most; which of them does follows from the posted
    paytables and the readings (`croupier.games.payout_limit`).
    """

    clause: str
    floor_clause: str
    covers: tuple[str, ...]
    best_deals: tuple[Seen, ...]
    also_covers: Callable[[Terms], tuple[str, ...]] = none  # only if the operator chose so
    fixed_floor: Cents = 50_000_00


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that the layout owes the players; a House of which it is not true has no words.

    The clause that commands it is the duty `layout.notice.` with the notice's name.
    """

    name: str
    words: Callable[[AnyHouse], str]


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the felt (chapter 2).

    Community cards lie in a row, or on named lines through named places, each labelled as the
    wager of that name. `spots` are the areas of one position for the wagers of the main game, row
    by row from the dealer to the player and from the player's left to the right; a sign such as
    "=" stands between two of them. A game that names none has them in the order of its wagers.
    """

    places: tuple[str, ...] = ()
    lines: Mapping[str, tuple[int, ...]] = {}
    labels: tuple[str, ...] = ()
    spots: tuple[tuple[str, ...], ...] = ()
    notices: tuple[Notice, ...] = ()
    cloth: str = "#1b6a52"  # the colour of the felt

    def __post_init__(self) -> None:
        freeze_mappings(self)


ROW = Layout()


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """What a document commands beside the wagers, where the documents differ."""

    cover_cards: int = 2
    # Whether the board leaves the dealer's hand although a shoe deals the rest (A137).
    board_by_hand: Callable[[Terms], bool] = never
    # Whether only a floorperson may rule that the cards of a deck were misdealt.
    floor_rules_on_misdeal: Callable[[AnyHouse], bool] = never
    # Why a dealing method cannot take the place of another one, with the clause.
    why_not_dealt: Callable[[AnyHouse, DealingMethod], tuple[str, str] | None] = (
        lambda house, method: None
    )
    # Whether credits of an electronic table stand for chips.
    credits: Callable[[AnyHouse], bool] = never
    # Duties fulfilled by the first card dealt, and by showing a street.
    first_card_duties: Callable[[AnyHouse], tuple[str, ...]] = none
    show_duties: Callable[[AnyHouse], tuple[str, ...]] = none
    # Whether a player with several boxes sees all of them before deciding on the first (A78).
    peeks_all_boxes: Callable[[Terms], bool] = always
    # The last part of a duty's name where it differs within a dealing method.
    variant: Callable[[AnyHouse], str] = nothing


class AnalysisSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How the game is worked out. Code is named "module:name" and imported when it is asked for.

    `main` and `sides` are the paytables and readings that move money, each with its values, the
    default first. `main_values`, `net_distributions` and `folded_hands` are files of the game's
    package with the exact values of the main game by setting, how often each net result occurs, and
    the hands that the best play folds.
    """

    solver: str
    strategy: str
    main: Mapping[str, tuple[Any, ...]] = {}
    sides: Mapping[str, Mapping[str, tuple[Any, ...]]] = {}
    forfeits: str = ""  # counts hands that are folded, where a fold may end a side wager
    together: str = ""  # values the main game and such a wager, played for their sum
    knows: Mapping[str, str] = {}  # cards that may be seen ("dealer:1"), and who values that
    hand_counts: str = ""  # counts the bases that only this game has, by basis and hand
    detector: str = ""  # compares decisions with a hidden card
    pricing: str = ""  # prices a strategy
    envy: str = ""  # how often a hand of another is envied, where a fold may end that
    simulator: str = ""  # makes a House ready for the simulator's kernels
    # Numbers of cards that the solver takes too: of a player, of the dealer, or shown on a street.
    cards: Mapping[str, tuple[int, ...]] = {}
    main_values: str = ""
    net_distributions: str = ""
    folded_hands: str = ""

    def __post_init__(self) -> None:
        freeze_mappings(self)


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One game: a sixth is one module, its rule book and its tests."""

    key: str
    title: str
    edition: int
    tagline: str
    document: RuleDocument
    form: Form
    choices: type[Choices]
    analysis: AnalysisSpec
    aliases: tuple[str, ...] = ()
    menu_place: int = 100  # where it stands in lists; equal places by title
    player_cards: int
    dealer_cards: int
    community_cards: int
    qualifier: Qualifier | None = None  # None where a dealer always plays
    wagers: tuple[Wager, ...]
    streets: tuple[Street, ...]
    # Wagers in settlement order; a pass goes once around the table.
    passes: tuple[tuple[str, ...], ...]
    deal: Callable[[AnyHouse, Sequence[int]], tuple[tuple[Slot, ...], ...]]
    judge: Callable[[Seen, AnyHouse], Iterator[Facts]]
    settle: Callable[[Facts, AnyHouse], Settled]
    every_facts: Callable[[AnyHouse], Iterator[Facts]]
    announce_player: Callable[[Seen, AnyHouse], Announcement]
    announce_dealer: Callable[[Seen, AnyHouse], Announcement] | None = None
    # A hand with its ranks as people say it, and whether a card counts; shown, never recorded.
    speak: Callable[[Seen, AnyHouse], str] | None = None
    lives: Callable[[Card], bool] = lambda card: True
    # The hand that a progressive is judged on, by its finest name.
    progressive_hand: Callable[[Seen, AnyHouse], str] | None = None
    fixed_paytables: tuple[str, ...] = ()
    limit: PayoutLimit | None = None
    procedure: Procedure = Procedure()
    layout: Layout = ROW
    # Whether bets need not be whole multiples of the ante.
    any_amount: Callable[[AnyHouse], bool] = never
    # How many cards found face up are only set aside; the next one voids (chapter 13).
    face_up_tolerated: int = 0
    # The wager that is settled although the round is void, and whether the board is completed.
    saved_wager: str = ""
    saved_needs_board: bool = False
    skipped_player_sits_out: bool = False
    # Whether a board that lies face down is listed although everyone folded before it was shown.
    lists_unseen_board: bool = True
    # The community cards as they are listed; some may not have been seen yet.
    arrange_community: Callable[[Sequence[Face], AnyHouse], Sequence[Face]] = lambda cards, house: (
        cards
    )

    def __post_init__(self) -> None:
        asked, typed = self.form.choice_names, set(self.choices.__struct_fields__)
        assert asked == typed, f"{self.key}: form and choices differ in {sorted(asked ^ typed)}"

    def wager(self, name: str) -> Wager | None:
        """The wager of that name, if the game has it."""
        return self._named.get(name)

    @cached_property
    def _named(self) -> dict[str, Wager]:
        return {wager.name: wager for wager in self.wagers}

    @cached_property
    def ante(self) -> Wager:
        """The wager that opens a box."""
        for wager in self.wagers:
            if wager.role == "ante":
                return wager
        raise AssertionError(f"{self.key} has no ante")

    def __repr__(self) -> str:
        return f"<Game {self.key} edition {self.edition}>"


def singly(seats: Sequence[int], *others: Slot, times: int) -> tuple[Slot, ...]:
    """One card at a time to every seat and then to the others, so many times around."""
    return (*seats, *others) * times


def stacks(places: Sequence[Slot], size: int) -> tuple[Slot, ...]:
    """A stack of consecutive cards to each place in turn."""
    return tuple(place for place in places for _ in range(size))
