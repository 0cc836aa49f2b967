"""The fields that every game's form has; only the clause ids differ from document to document."""

from __future__ import annotations

import msgspec

from croupier.games.forms.field_types import (
    ChipSet,
    Dollars,
    Flag,
    Hours,
    OneOf,
    Reference,
    Several,
    Text,
    Whole,
)
from croupier.games.forms.form import (
    Choice,
    Computed,
    When,
    dealt,
    never,
    progressive,
    several_boxes,
)
from croupier.games.forms.parse_context import ParseContext
from croupier.games.game import DEALING_METHODS

SHUFFLES = ("manual", "shuffler", "counting_shuffler", "shuffler_loading_shoe")
CHIPS = ("chips", "plaques")
HAND_HOURS, SHOE_HOURS = 4, 8


def device_named(filing: ParseContext) -> bool:
    """A device that reshuffles by itself is taken to be in use if its approval is named."""
    return "continuous_device_approval" in filing.given


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """Where one document speaks of what all of them ask, and how it differs from the others."""

    odds: str = ""
    boxes: str = ""  # the drop box and the tip box
    tip_box: str = ""
    dealing: str = ""
    cut: str = ""
    idle: str = ""
    device: str = ""  # a shoe that reshuffles and counts by itself
    adjacent: str = ""
    controls: str = ""
    most_boxes: int = 6
    instruments: Several = Several(words=CHIPS, others=True)
    odds_in_halves: When = never
    electronic: When = never  # whether wagers may be credits
    device_in_use: When = device_named


def shuffler(filing: ParseContext) -> bool:
    """Whether a machine shuffles."""
    return bool(filing.choice("shuffle_method") != "manual")


def most_hours(filing: ParseContext) -> int:
    """How long a deck may stay: 3.C, by the strictest method in use (A137)."""
    by_hand = filing.dealing_method == "hand" or filing.game.procedure.board_by_hand(filing)
    return HAND_HOURS if by_hand else SHOE_HOURS


def uncounted(filing: ParseContext) -> bool:
    """Whether no machine counts the deck after each shuffle (A126)."""
    return bool(filing.choice("shuffle_method") != "counting_shuffler")


def device_used(filing: ParseContext) -> bool:
    """Whether a shoe that reshuffles and counts by itself is in use."""
    return filing.says("continuous_device")


def other_tip_box(filing: ParseContext) -> bool:
    """Whether the tip box is elsewhere than the document has it."""
    away = filing.choice("drop_tip_box_position") != "opposite_sides_of_dealer"
    return away or filing.choice("tip_box_alternative") is not None


def other_instruments(filing: ParseContext) -> bool:
    """Whether something besides chips and plaques is wagered that needs an approval."""
    known = (*CHIPS, "credits")
    return any(name not in known for name in filing.choice("wagering_instruments") or ())


def table_fields(at: Places) -> tuple[Choice, ...]:
    """The fields of [table]."""
    return (
        Choice(
            section="table",
            name="dealing_method",
            kind=OneOf(words=DEALING_METHODS),
            clause=at.dealing,
            note="How the cards reach the layout. From the hand only with a shuffler.",
            default="automated_shoe",
        ),
        Choice(
            section="table",
            name="shuffle_method",
            kind=OneOf(words=SHUFFLES),
            clause="5.A",
            note="Who shuffles; a counting shuffler also counts the deck after every shuffle.",
            default="counting_shuffler",
        ),
        Choice(
            section="table",
            name="decks",
            kind=Whole(least=1, most=2),
            clause="3.B",
            note="Two decks with backs of two colours take turns; only with a shuffler.",
            default=Computed("2 with a shuffler, otherwise 1", lambda d: 2 if shuffler(d) else 1),
        ),
        Choice(
            section="table",
            name="max_adjacent_boxes",
            kind=Whole(least=1, most=at.most_boxes),
            clause=at.adjacent,
            note="On how many neighbouring boxes one player may bet in a round.",
            default=1,
        ),
    )


def layout(at: Places) -> tuple[Choice, ...]:
    """The felt and where the odds are shown."""
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
            clause=at.odds,
            note="Where the payout odds are shown.",
            default="felt",
        ),
    )


def boxes(at: Places) -> tuple[Choice, ...]:
    """Where the drop box and the tip box are."""
    return (
        Choice(
            name="drop_tip_box_position",
            kind=OneOf(words=("opposite_sides_of_dealer", "same_side_as_dealer")),
            clause=at.boxes,
            note="Drop box and tip box are on the dealer's side of the table, one on each hand of "
            "the dealer; `same_side_as_dealer` puts both on one hand, which is an alternative "
            "location.",
            default="opposite_sides_of_dealer",
        ),
        Choice(
            name="tip_box_alternative",
            kind=Text(),
            clause=at.tip_box,
            note="Another location of the tip box, where equipment stands in the way.",
        ),
        Choice(
            name="tip_box_obstruction",
            kind=Text(),
            clause=at.tip_box,
            note="The equipment that stands in the way.",
            missing="outstanding",
            matters=other_tip_box,
            when="another tip box location",
        ),
        Choice(
            name="tip_box_approval",
            kind=Reference(),
            clause=at.tip_box,
            note="The approval of the other tip box location.",
            missing="outstanding",
            matters=other_tip_box,
            when="another tip box location",
        ),
    )


def devices(at: Places) -> tuple[Choice, ...]:
    """Equipment and procedures that need an approval of their own."""
    return (
        Choice(
            name="continuous_device",
            kind=Flag(),
            clause=at.device,
            note="Whether a shoe or device that reshuffles and counts by itself is used.",
            default=Computed("true if its approval is given", at.device_in_use),
        ),
        Choice(
            name="continuous_device_approval",
            kind=Reference(),
            clause=at.device,
            note="The approval of a device that reshuffles and counts by itself.",
            missing="outstanding",
            matters=device_used,
            when="`continuous_device`",
        ),
        Choice(
            name="manual_shoe_location",
            kind=Text(),
            clause="8.A",
            note="The approved place of a manual shoe on the table.",
            missing="outstanding",
            matters=dealt("manual_shoe"),
            when="a manual shoe",
        ),
        Choice(
            name="internal_controls_ref",
            kind=Reference(),
            clause=at.controls,
            note="The approved procedure by which progressive awards are validated.",
            missing="outstanding",
            matters=progressive,
            when="a progressive",
        ),
    )


def cards(at: Places) -> tuple[Choice, ...]:
    """How the cards are looked after."""
    return (
        Choice(
            name="deck_change_hours",
            kind=Hours(most=SHOE_HOURS),
            clause="3.C.2",
            note="How long a deck stays at the table.",
            default=Computed("4 where cards leave the hand, 8 from a shoe", most_hours),
            reading="A137",
            missing="warning",
        ),
        Choice(
            name="stub_count_every",
            kind=Whole(least=1, most=5),
            clause="8.E",
            note="In rounds, how often the stub is counted.",
            default=5,
            reading="A127",
            missing="warning",
            matters=uncounted,
            when="no counting shuffler",
        ),
        Choice(
            name="cut_min_top",
            kind=Whole(least=10, most=51),
            clause=at.cut,
            note="The least number of cards above the cover card when the deck is cut.",
            default=10,
        ),
        Choice(
            name="cut_min_bottom",
            kind=Whole(least=0, most=41),
            clause=at.cut,
            note="The least number of cards below the cover card when the deck is cut.",
            default=0,
            reading="A136",
            missing="warning",
            matters=lambda filing: not shuffler(filing),
            when="a manual shuffle",
        ),
        Choice(
            name="idle_minutes",
            kind=Whole(least=0),
            clause=at.idle,
            note="After how many minutes without a bet the cards are spread.",
            default=0,
            reading="A146",
            missing="warning",
        ),
    )


def chips(at: Places) -> tuple[Choice, ...]:
    """What is wagered and paid."""
    return (
        Choice(
            name="chip_rounding",
            kind=OneOf(words=("exact", "up_to_chip", "require_even_ante")),
            clause="12.A",
            note="What happens to winnings that are not whole chips; never less than the odds.",
            default="exact",
            reading="A24",
            missing="warning",
            matters=at.odds_in_halves,
            when="odds of 3 to 2",
        ),
        Choice(
            name="lowest_chip",
            kind=Dollars(),
            clause="12.A",
            note="The lowest chip of the table: wagers and purchases are whole chips, and "
            "`up_to_chip` rounds up to it.",
            missing="error",
            matters=lambda filing: filing.choice("chip_rounding") == "up_to_chip",
            when='chip_rounding = "up_to_chip"',
        ),
        Choice(
            name="chip_set",
            kind=ChipSet(),
            clause="7.A",
            note="The chips of the table by denomination, with their colours. Stated, every count "
            "of the tray, of a fill and of a credit is by denomination.",
        ),
        Choice(
            name="wagering_instruments",
            kind=at.instruments,
            clause="7.A",
            note="What wagers are made with; chips at the least.",
            default=CHIPS,
            reading="A80",
            missing="warning",
            matters=at.electronic,
            when="`electronic_version`",
        ),
        Choice(
            name="accept_player_edge",
            kind=Flag(),
            clause="12.A",
            note="Says that a wager returning more than its stake is meant, progressives at their "
            "reset amounts; without it `croupier check` refuses such a submission.",
            default=False,
        ),
    )


def instruments_approval() -> Choice:
    """The approval of what is neither chip nor plaque, where a document knows such a thing."""
    return Choice(
        name="wagering_instruments_approval",
        kind=Reference(),
        clause="7.A",
        note="The approval of instruments other than chips and plaques.",
        missing="outstanding",
        matters=other_instruments,
        when="other instruments",
    )


def common(at: Places) -> tuple[Choice, ...]:
    """Every common field, [table] first."""
    more = (instruments_approval(),) if at.instruments.others else ()
    return (
        *table_fields(at),
        *layout(at),
        *boxes(at),
        *devices(at),
        *cards(at),
        *chips(at),
        *more,
    )


def peek_all_boxes() -> Choice:
    """Whether a player with several boxes may look at all of them first (A78)."""
    return Choice(
        name="peek_all_boxes",
        kind=Flag(),
        clause="11.A",
        note="Whether a player with several boxes sees all of them before deciding on the first.",
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
        note="Whether the dealer's two cards come first or stay in the shuffler until the end.",
        default="dealer_first",
        reading="A106",
        missing="warning",
        matters=dealt("automated_shoe"),
        when="an automated shoe",
    )
