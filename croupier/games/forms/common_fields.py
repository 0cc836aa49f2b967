"""The fields that every game's form has; only the clause ids differ between documents."""

from __future__ import annotations

import msgspec

from croupier.games.forms.declarations import (
    Choice,
    ComputedDefault,
    Condition,
    always,
    dealt_by,
    never,
    progressive_offered,
    several_boxes,
)
from croupier.games.forms.field_types import (
    ChipSet,
    Dollars,
    Flag,
    Hours,
    ListOf,
    OneOf,
    Reference,
    Text,
    WholeNumber,
)
from croupier.games.forms.form_values import FormValues
from croupier.games.game import DEALING_METHODS

SHUFFLES = ("manual", "shuffler", "counting_shuffler", "shuffler_loading_shoe")
CHIPS = ("chips", "plaques")
HAND_HOURS, SHOE_HOURS = 4, 8
MOST_POSITIONS = 6


def has_device_approval(values: FormValues) -> bool:
    """Return whether the approval of a continuous shuffling device is stated."""
    return "continuous_device_approval" in values.stated


class CommonClauses(msgspec.Struct, frozen=True, kw_only=True):
    """The clauses of one document on the common fields, and how its fields differ."""

    positions: str = "2.A"
    fewest_positions: int = 1
    odds: str = ""
    boxes: str = ""  # the drop box and the tip box
    tip_box: str = ""
    dealing: str = ""
    cut: str = ""
    idle: str = ""
    device: str = ""  # a continuous shuffling device
    adjacent: str = ""
    states_adjacent: bool = False  # whether the submission must state the number of boxes
    controls: str = ""
    void: str = ""  # the return of all wagers of a void round
    showdown: str = ""  # the order in which hands are turned up and wagers resolved
    showdown_orders: tuple[str, ...] = ("one_by_one", "all_first")
    most_boxes: int = MOST_POSITIONS
    instruments: ListOf = ListOf(words=CHIPS, others=True)
    odds_in_halves: Condition = never
    electronic: Condition = never  # whether wagers may be credits
    device_in_use: Condition = has_device_approval


def uses_shuffler(values: FormValues) -> bool:
    """Return whether a machine shuffles."""
    return bool(values.choice("shuffle_method") != "manual")


def max_deck_hours(values: FormValues) -> int:
    """Return how long a deck may stay at the table: 3.C, by the strictest method in use (A137)."""
    by_hand = values.dealing_method == "hand" or values.game.procedure.board_by_hand(values)
    return HAND_HOURS if by_hand else SHOE_HOURS


def _no_counting_shuffler(values: FormValues) -> bool:
    """Without one the stub is counted by hand (A126)."""
    return bool(values.choice("shuffle_method") != "counting_shuffler")


def _uses_continuous_device(values: FormValues) -> bool:
    return values.is_true("continuous_device")


def _other_tip_box(values: FormValues) -> bool:
    elsewhere = values.choice("drop_tip_box_position") != "opposite_sides_of_dealer"
    return elsewhere or values.choice("tip_box_alternative") is not None


def _other_instruments(values: FormValues) -> bool:
    known = (*CHIPS, "credits")
    return any(name not in known for name in values.choice("wagering_instruments") or ())


def table_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """The fields of [table]."""
    return (
        Choice(
            section="table",
            name="dealing_method",
            kind=OneOf(words=DEALING_METHODS),
            clause=clauses.dealing,
            note="How the cards are dealt. From the hand only with a shuffler.",
            default="automated_shoe",
        ),
        Choice(
            section="table",
            name="shuffle_method",
            kind=OneOf(words=SHUFFLES),
            clause="5.A",
            note="How the cards are shuffled; a counting shuffler also counts the deck after "
            "every shuffle.",
            default="counting_shuffler",
        ),
        Choice(
            section="table",
            name="decks",
            kind=WholeNumber(minimum=1, maximum=2),
            clause="3.B",
            note="Two decks with backs of two colors alternate; only with a shuffler.",
            default=ComputedDefault(
                "2 with a shuffler, otherwise 1", lambda values: 2 if uses_shuffler(values) else 1
            ),
        ),
        Choice(
            section="table",
            name="positions",
            kind=WholeNumber(minimum=clauses.fewest_positions, maximum=MOST_POSITIONS),
            clause=clauses.positions,
            note="The number of betting positions, numbered from the dealer's left.",
            default=MOST_POSITIONS,
        ),
        Choice(
            section="table",
            name="max_adjacent_boxes",
            kind=WholeNumber(minimum=1, maximum=clauses.most_boxes),
            clause=clauses.adjacent,
            note="The number of adjacent boxes that one player may bet in a round.",
            default=1,
            missing="outstanding" if clauses.states_adjacent else "",
        ),
    )


def layout_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """The felt and the display of the odds."""
    return (
        Choice(
            name="layout_approval",
            kind=Reference(),
            clause="2.B",
            note="The layout's approval: reference and date (2031-02-14).",
            missing="outstanding",
        ),
        Choice(
            name="odds_display",
            kind=OneOf(words=("felt", "sign")),
            clause=clauses.odds,
            note="Where the payout odds are displayed.",
            default="felt",
        ),
    )


def box_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """The locations of the drop box and the tip box."""
    return (
        Choice(
            name="drop_tip_box_position",
            kind=OneOf(words=("opposite_sides_of_dealer", "same_side_as_dealer")),
            clause=clauses.boxes,
            note="The drop box and the tip box are on the dealer's side of the table, one to the "
            "left and one to the right of the dealer; `same_side_as_dealer` puts both on one "
            "side, which is an alternative location.",
            default="opposite_sides_of_dealer",
        ),
        Choice(
            name="tip_box_alternative",
            kind=Text(),
            clause=clauses.tip_box,
            note="Another location of the tip box, where equipment is in the way.",
        ),
        Choice(
            name="tip_box_obstruction",
            kind=Text(),
            clause=clauses.tip_box,
            note="The equipment that is in the way.",
            missing="outstanding",
            matters=_other_tip_box,
            when="another tip box location",
        ),
        Choice(
            name="tip_box_approval",
            kind=Reference(),
            clause=clauses.tip_box,
            note="The approval of the other tip box location.",
            missing="outstanding",
            matters=_other_tip_box,
            when="another tip box location",
        ),
    )


def device_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """Equipment and procedures that need their own approval."""
    return (
        Choice(
            name="continuous_device",
            kind=Flag(),
            clause=clauses.device,
            note="Whether a continuous shuffling device, which also counts the cards, is used.",
            default=ComputedDefault("true if its approval is given", clauses.device_in_use),
        ),
        Choice(
            name="continuous_device_approval",
            kind=Reference(),
            clause=clauses.device,
            note="The approval of the continuous shuffling device.",
            missing="outstanding",
            matters=_uses_continuous_device,
            when="`continuous_device`",
        ),
        Choice(
            name="manual_shoe_location",
            kind=Text(),
            clause="8.A",
            note="The approved location of a manual shoe on the table.",
            missing="outstanding",
            matters=dealt_by("manual_shoe"),
            when="a manual shoe",
        ),
        Choice(
            name="internal_controls_ref",
            kind=Reference(),
            clause=clauses.controls,
            note="The approved procedure for validating progressive awards.",
            missing="outstanding",
            matters=progressive_offered,
            when="a progressive",
        ),
    )


def card_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """Deck changes, counts and cuts."""
    return (
        Choice(
            name="deck_change_hours",
            kind=Hours(maximum=SHOE_HOURS),
            clause="3.C.2",
            note="How long a deck stays at the table.",
            default=ComputedDefault(
                "4 where cards are dealt by hand, 8 from a shoe", max_deck_hours
            ),
            reading="A137",
            missing="warning",
        ),
        Choice(
            name="stub_count_every",
            kind=WholeNumber(minimum=1, maximum=5),
            clause="8.E",
            note="After how many rounds the stub is counted.",
            default=5,
            reading="A127",
            missing="warning",
            matters=_no_counting_shuffler,
            when="no counting shuffler",
        ),
        Choice(
            name="cut_min_top",
            kind=WholeNumber(minimum=10, maximum=51),
            clause=clauses.cut,
            note="The minimum number of cards above the cover card when the deck is cut.",
            default=10,
        ),
        Choice(
            name="cut_min_bottom",
            kind=WholeNumber(minimum=0, maximum=41),
            clause=clauses.cut,
            note="The minimum number of cards below the cover card when the deck is cut.",
            default=0,
            reading="A136",
            missing="warning",
            matters=lambda values: not uses_shuffler(values),
            when="a manual shuffle",
        ),
        Choice(
            name="idle_minutes",
            kind=WholeNumber(minimum=0),
            clause=clauses.idle,
            note="After how many minutes without a bet the cards are spread.",
            default=0,
            reading="A146",
            missing="warning",
        ),
    )


def round_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """How a round ends."""
    return (
        Choice(
            name="void_returns_folded",
            kind=Flag(),
            clause=clauses.void,
            note="Whether a void round also returns the wagers that were collected at a fold.",
            default=True,
            reading="A147",
            missing="warning",
        ),
        Choice(
            name="showdown_order",
            kind=OneOf(words=clauses.showdown_orders),
            clause=clauses.showdown,
            note="Whether each player's wagers are resolved before the next hand is turned up, or "
            "all hands are turned up first.",
            default="one_by_one",
            reading="A150",
            missing="warning",
            matters=always if len(clauses.showdown_orders) > 1 else never,
        ),
    )


def chip_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """What is wagered and paid."""
    return (
        Choice(
            name="chip_rounding",
            kind=OneOf(words=("exact", "up_to_chip", "require_even_ante")),
            clause="12.A",
            note="How winnings that are not whole chips are paid; never less than the odds.",
            default="exact",
            reading="A24",
            missing="warning",
            matters=clauses.odds_in_halves,
            when="odds of 3 to 2",
        ),
        Choice(
            name="lowest_chip",
            kind=Dollars(),
            clause="12.A",
            note="The lowest chip of the table: wagers and purchases are whole chips, and "
            "`up_to_chip` rounds up to it.",
            missing="error",
            matters=lambda values: values.choice("chip_rounding") == "up_to_chip",
            when='chip_rounding = "up_to_chip"',
        ),
        Choice(
            name="chip_set",
            kind=ChipSet(),
            clause="7.A",
            note="The chips of the table by denomination, with their colors. If stated, the tray, "
            "fills and credits are counted by denomination.",
        ),
        Choice(
            name="wagering_instruments",
            kind=clauses.instruments,
            clause="7.A",
            note="The instruments accepted for wagers; must include chips.",
            default=CHIPS,
            reading="A80",
            missing="warning",
            matters=clauses.electronic,
            when="`electronic_version`",
        ),
        Choice(
            name="accept_player_edge",
            kind=Flag(),
            clause="12.A",
            note="Accepts wagers that return more than their stake, progressives at their reset "
            "amounts; otherwise `croupier check` refuses such a submission.",
            default=False,
        ),
    )


def _instruments_approval() -> Choice:
    return Choice(
        name="wagering_instruments_approval",
        kind=Reference(),
        clause="7.A",
        note="The approval of instruments other than chips and plaques.",
        missing="outstanding",
        matters=_other_instruments,
        when="other instruments",
    )


def common_fields(clauses: CommonClauses) -> tuple[Choice, ...]:
    """Every common field, those of [table] first."""
    return (
        *table_fields(clauses),
        *layout_fields(clauses),
        *box_fields(clauses),
        *device_fields(clauses),
        *card_fields(clauses),
        *round_fields(clauses),
        *chip_fields(clauses),
        *((_instruments_approval(),) if clauses.instruments.others else ()),
    )


def peek_all_boxes() -> Choice:
    """Whether a player with several boxes may look at all of them first (A78)."""
    return Choice(
        name="peek_all_boxes",
        kind=Flag(),
        clause="11.A",
        note="Whether a player with several boxes sees all of them before the first decision.",
        default=True,
        reading="A78",
        missing="warning",
        matters=several_boxes,
        when="more than one box",
    )


def dealer_stack_order(clause: str) -> Choice:
    """Whether the dealer's stack leaves the shuffler first or last (A106)."""
    return Choice(
        name="dealer_stack_order",
        kind=OneOf(words=("dealer_first", "dealer_in_shuffler")),
        clause=clause,
        note="Whether the dealer's cards come with the players' or stay in the shuffler until the "
        "players have acted.",
        default="dealer_first",
        reading="A106",
        missing="warning",
        matters=dealt_by("automated_shoe"),
        when="an automated shoe",
    )
