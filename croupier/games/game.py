"""The definition of a casino game: `Game` and the records it consists of.

A game is data plus a few functions (`deal`, `judge`, `settle`, ...). What all tables have in common
is in `croupier.table`, which reads the game. Clause ids are those of the game's own document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec
from immutabledict import immutabledict

from croupier.cards import Card, Face
from croupier.games.choices import Choices
from croupier.games.facts import Facts, PaytableFacts, Results
from croupier.games.hand_names import POKER_HANDS
from croupier.games.qualifier import Qualifier
from croupier.money import Cents
from croupier.rulebook import RuleDocument

if TYPE_CHECKING:
    from croupier.games.forms.declarations import Form
    from croupier.games.house import House

Role: TypeAlias = Literal["ante", "matching", "optional", "progressive", "decision"]
DealingMethod: TypeAlias = Literal["manual_shoe", "hand", "automated_shoe"]
DEALING_METHODS: tuple[DealingMethod, ...] = ("manual_shoe", "hand", "automated_shoe")

# Where a card is dealt: a seat by its number, or one of the fixed places.
Slot: TypeAlias = int | str
DEALER, COMMUNITY, BURN, BOX = "dealer", "community", "burn", "box"

# The functions of a game receive Houses whose choices are of that game's type.
AnyHouse: TypeAlias = "House[Any]"


class Terms(Protocol):
    """What a House and a submission that is being parsed have in common."""

    @property
    def dealing_method(self) -> str: ...

    @property
    def choices(self) -> Any: ...


# Defaults of optional rules.
def _never(terms: Terms) -> bool:
    return False


def _always(terms: Terms) -> bool:
    return True


def _no_name(terms: Terms) -> str:
    return ""


def _no_names(terms: Terms) -> tuple[str, ...]:
    return ()


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that decide a side wager ("your best five of seven cards").

    The counts of its hands are precomputed under `name` (`croupier.games.expected_returns`), or
    computed by `count` for hands that only this game has.
    """

    name: str
    words: str  # for players
    board_only: bool = False  # whether the player's own cards do not count
    count: Callable[[], Mapping[str, int]] | None = None
    facts: Callable[[str, str], Facts] = PaytableFacts  # the facts of a wager and a counted hand


def best_of_seven() -> Basis:
    """The best five of the player's two cards and the whole board."""
    return Basis(name="seven", words="your best five of seven cards")


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One betting spot.

    An `ante` opens the box, a `matching` wager equals the ante, `optional` and `progressive` wagers
    are offered if the submission lists them, and a `decision` wager is made during the round.
    """

    name: str
    title: str
    role: Role
    clause: str
    always_offered: bool = False
    prerequisite: str = ""  # the wager that a player must also make
    # Whether the wager stays live when its box folds.
    outlives_fold: Callable[[AnyHouse], bool] = _always
    # The cards that decide an optional or progressive wager.
    judged_on: Callable[[AnyHouse], Basis] | None = None
    # The hands that the facts of a wager with a paytable may name.
    hands: tuple[str, ...] = POKER_HANDS
    # The shared paytable of a wager without its own, or "".
    pays_as: Callable[[AnyHouse], str] = _no_name


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One legal decision on a street; a bet has a wager and a multiple of the ante."""

    word: str
    clause: str
    wager: str = ""
    times: int = 0


class Street(msgspec.Struct, frozen=True, kw_only=True):
    """One round of decisions."""

    name: str
    when: str  # for players: "before the flop"
    shown: int  # the number of community cards face up
    options: tuple[Option, ...]
    clause: str

    def option(self, word: str) -> Option | None:
        """The option with this word, or None."""
        for option in self.options:
            if option.word == word:
                return option
        return None


class DealtHand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards and wagers that decide one player's box."""

    cards: Sequence[Card]  # the player's
    dealer: Sequence[Card]
    community: Sequence[Card]  # in layout order
    box: Sequence[Card]  # of a separate box, such as the one of a six-card bonus
    folded_at: str  # the street of the fold, or ""
    wagers: Iterable[str]  # the wagers that were made

    @property
    def folded(self) -> bool:
        """Whether the box has folded; its cards stay while one of its wagers is live."""
        return self.folded_at != ""


class Announcement(msgspec.Struct, frozen=True):
    """What the dealer announces about a hand, and the duties that this fulfills."""

    hand: str
    duties: tuple[str, ...]


class PayoutLimit(msgspec.Struct, frozen=True, kw_only=True):
    """The aggregate payout limit of one box (readings A60 to A67).

    `best_deals` are the candidates for the highest win; which one it is depends on the posted
    paytables and the readings (`croupier.submission.payout_limit_floor`).
    """

    clause: str
    floor_clause: str
    covers: tuple[str, ...]
    best_deals: tuple[DealtHand, ...]
    also_covers: Callable[[Terms], tuple[str, ...]] = _no_names  # by the operator's choice
    fixed_floor: Cents = 50_000_00


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that the layout or a sign must show.

    The duty `layout.notice.NAME` cites the clause that requires it.
    """

    name: str
    words: Callable[[AnyHouse], str]  # "" where the notice does not apply


def freeze_mappings(record: msgspec.Struct) -> None:
    """Replace every mapping of a frozen record by an immutable copy, nested mappings included.

    All Houses of a game share its records, so a mutable mapping would let one House change all.
    """
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Mapping):
            msgspec.structs.force_setattr(record, name, _frozen(value))


def _frozen(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return immutabledict({key: _frozen(inner) for key, inner in value.items()})


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """The table layout (chapter 2).

    By default the community cards are in a row and the betting spots in the order of the wagers.
    """

    # Community cards elsewhere than in a row: their places, the lines through these places by
    # title, and for each place the wager whose title is printed there.
    places: tuple[str, ...] = ()
    lines: Mapping[str, tuple[int, ...]] = {}
    labels: tuple[str, ...] = ()
    # The betting spots of the main game at one position, in rows from the dealer to the player and
    # from the player's left to right, with symbols such as "=" between two spots.
    spots: tuple[tuple[str, ...], ...] = ()
    # Whether each position has another betting area, without a wager (duty `layout.spot.blank`).
    blank_area: Callable[[AnyHouse], bool] = _never
    notices: tuple[Notice, ...] = ()
    cloth: str = "#1b6a52"  # the color of the felt

    def __post_init__(self) -> None:
        freeze_mappings(self)


ROW = Layout()


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """Dealing procedures in which the documents differ."""

    cover_cards: int = 2
    # Whether the board is dealt by hand although a shoe deals the other cards (A137).
    board_by_hand: Callable[[Terms], bool] = _never
    # Whether only a floorperson may declare a misdeal.
    floor_rules_on_misdeal: Callable[[AnyHouse], bool] = _never
    # Why the table cannot switch to a dealing method, with the clause; None if it can.
    why_not_dealt: Callable[[AnyHouse, DealingMethod], tuple[str, str] | None] = (
        lambda house, method: None
    )
    # Whether the table is electronic and plays with credits instead of chips.
    credits: Callable[[AnyHouse], bool] = _never
    # Duties fulfilled by dealing the first card, and by turning up the cards of a street.
    first_card_duties: Callable[[AnyHouse], tuple[str, ...]] = _no_names
    show_duties: Callable[[AnyHouse], tuple[str, ...]] = _no_names
    # Whether a player with several boxes may look at all of them before the first decision (A78).
    peeks_all_boxes: Callable[[Terms], bool] = _always
    # Whether the dealer's cards stay in the device until the players have acted (A106).
    dealer_waits: Callable[[AnyHouse], bool] = _never
    # The suffix of duties that differ within a dealing method, or "".
    variant: Callable[[AnyHouse], str] = _no_name


class AnalysisSpec(msgspec.Struct, frozen=True, kw_only=True):
    """How the mathematics of the game is computed.

    Code is referenced as "module:name" and imported when it is used (`load_code`). Optional parts
    are "" or empty.
    """

    solver: str
    strategy: str
    # The paytables and readings that change the value of the main game and of each side wager, with
    # all their values, the default first.
    main: Mapping[str, tuple[Any, ...]] = {}
    sides: Mapping[str, Mapping[str, tuple[Any, ...]]] = {}
    fold_counter: str = ""  # counts folded hands, for side wagers that a fold forfeits
    together: str = ""  # solves the main game jointly with such a side wager
    knows: Mapping[str, str] = {}  # solver by exposed cards ("dealer:1"), for card exposure
    hand_counts: str = ""  # counts the hands that only this game has, by basis and hand
    detector: str = ""  # compares a player's decisions with hidden cards
    cost_model: str = ""  # computes what a strategy costs against perfect play
    envy: str = ""  # frequency of enviable hands, where a fold forfeits the envy bonus
    simulator: str = ""  # prepares a House for the simulation kernels
    # Other numbers of cards that the solver accepts: "player", "dealer", or shown on a street.
    cards: Mapping[str, tuple[int, ...]] = {}
    # Files of precomputed values in the game's package (`croupier.games.expected_returns`).
    main_values: str = ""
    net_distributions: str = ""
    folded_hands: str = ""
    practical_costs: str = ""

    def __post_init__(self) -> None:
        freeze_mappings(self)


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One casino game: rules as data and functions, its rule document, form and analysis.

    The functions are pure. `edition` changes when a chip could move differently; Houses and records
    keep the edition they were made with.
    """

    key: str
    title: str
    edition: int
    tagline: str
    document: RuleDocument
    form: Form
    choices: type[Choices]
    analysis: AnalysisSpec
    aliases: tuple[str, ...] = ()
    menu_place: int = 100  # position in lists of games; ties are sorted by title
    player_cards: int
    dealer_cards: int
    community_cards: int
    qualifier: Qualifier | None = None  # None if the dealer always qualifies
    wagers: tuple[Wager, ...]
    streets: tuple[Street, ...]
    # Wagers in settlement order. The dealer settles one pass at every box, then the next pass.
    passes: tuple[tuple[str, ...], ...]
    # The places to deal to, card by card: one tuple before each street, and one after the last
    # street if the board is not complete by then.
    deal: Callable[[AnyHouse, Sequence[int]], tuple[tuple[Slot, ...], ...]]
    # The facts of a dealt hand, the results of facts, and all facts that can occur in a House.
    judge: Callable[[DealtHand, AnyHouse], Iterator[Facts]]
    settle: Callable[[Facts, AnyHouse], Results]
    every_facts: Callable[[AnyHouse], Iterator[Facts]]
    announce_player: Callable[[DealtHand, AnyHouse], Announcement]
    announce_dealer: Callable[[DealtHand, AnyHouse], Announcement] | None = None
    # For display only: a hand with its ranks ("pair of nines"), and whether a card counts.
    describe_hand: Callable[[DealtHand, AnyHouse], str] | None = None
    is_live: Callable[[Card], bool] = lambda card: True
    # The hand that decides the progressive, by its most specific name.
    progressive_hand: Callable[[DealtHand, AnyHouse], str] | None = None
    fixed_paytables: tuple[str, ...] = ()  # paytables without a choice of letters
    limit: PayoutLimit | None = None
    procedure: Procedure = Procedure()
    layout: Layout = ROW
    # Whether a bet may be any amount between the lowest and the highest multiple of the ante.
    any_amount: Callable[[AnyHouse], bool] = _never
    # The number of exposed cards that are set aside; one more voids the round (chapter 13).
    face_up_tolerated: int = 0
    # The wager that is settled in a void round, and whether the board is completed for it.
    saved_wager: str = ""
    saved_needs_board: bool = False
    skipped_player_sits_out: bool = False
    # Whether a face-down board is listed in the record if everyone folds before it is shown.
    lists_unseen_board: bool = True
    # The community cards in layout order; some may still be face down.
    arrange_community: Callable[[Sequence[Face], AnyHouse], Sequence[Face]] = lambda cards, house: (
        cards
    )

    def __post_init__(self) -> None:
        form, choices = self.form.choice_names, set(self.choices.__struct_fields__)
        assert form == choices, f"{self.key}: form and choices differ in {sorted(form ^ choices)}"

    def wager(self, name: str) -> Wager | None:
        """The wager with this name, or None."""
        return self._wagers_by_name.get(name)

    @cached_property
    def _wagers_by_name(self) -> dict[str, Wager]:
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
    """Deal one card at a time to every seat and then to the others, `times` times around."""
    return (*seats, *others) * times


def stacks(places: Sequence[Slot], size: int) -> tuple[Slot, ...]:
    """Deal a stack of `size` consecutive cards to each place."""
    return tuple(place for place in places for _ in range(size))


def leaves_dealer_in_shuffler(house: AnyHouse) -> bool:
    """Whether an automated shoe keeps the dealer's cards by choice of the operator (A106)."""
    stays = house.choices.dealer_stack_order == "dealer_in_shuffler"
    return stays and house.dealing_method == "automated_shoe"


def load_code(reference: str) -> Any:
    """Import the object that a reference of the form "module:name" stands for."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
