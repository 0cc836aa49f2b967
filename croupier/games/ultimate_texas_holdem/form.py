"""The submission form of Ultimate Texas Hold'Em Poker and the type of its choices."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import Display, EnvyChoices, LimitNotice, StackOrder
from croupier.games.forms.common_fields import (
    CHIPS,
    CommonClauses,
    common_fields,
    dealer_stack_order,
    peek_all_boxes,
)
from croupier.games.forms.declarations import (
    Choice,
    ComputedDefault,
    Form,
    MeterClauses,
    WagerOffer,
    always,
    offered,
    progressive_offered,
)
from croupier.games.forms.field_types import Flag, ListOf, OneOf, Reference
from croupier.games.forms.form_values import CheckContext, FormValues
from croupier.games.forms.payout_limit_fields import notice_fields, optional_limit
from croupier.games.forms.progressive_fields import (
    envy_on_folded_hand,
    envy_schedule,
    meter_rounding,
    partial_award_floor,
    progressive_after_fold,
    progressive_basis,
    progressive_stake,
)


class UltimateChoices(EnvyChoices, frozen=True, kw_only=True):
    """The operator's choices for Ultimate Texas Hold'Em Poker."""

    # The felt.
    notices_display: Display
    payout_limit_notice: LimitNotice
    # Dealing.
    peek_all_boxes: bool
    dealer_stack_order: StackOrder
    community_first: bool
    electronic_version: bool
    six_card_deal_position: Literal["after_hands"] | None
    six_card_deal_position_approval: str | None
    # Wagers.
    six_card_requires_trips: bool
    bad_beat_scope: Literal["either_hand", "player_hand"]
    bad_beat_after_fold: bool
    progressive_basis: Literal["best_five_of_seven", "own_two_plus_flop"] | None
    limit_covers_side_wagers: bool
    payout_limit_approval: str | None
    offers_six_card_bonus: bool
    offers_ultimate_pairs: bool
    offers_bad_beat: bool
    offers_play_the_board: bool


SIDE_WAGERS = ("ultimate_pairs", "bad_beat", "play_the_board")


def is_electronic(values: FormValues) -> bool:
    """Return whether the table is a dealer controlled electronic one (11.L)."""
    return values.is_true("electronic_version")


def deals_box_after_hands(values: FormValues) -> bool:
    """Return whether no chapter says when the Six Card box is dealt (A103)."""
    by_shoe = values.choice("dealing_method") == "automated_shoe"
    return not by_shoe and values.offers("six_card_bonus")


def names_box_position(values: FormValues) -> bool:
    """Return whether the box may be dealt without an automated shoe, also after one failed."""
    placed = values.choice("six_card_deal_position") is not None
    return placed and values.offers("six_card_bonus")


def limit_covers_sides(values: FormValues) -> bool:
    """Return whether a payout limit covers wagers that 12.F does not name (A64)."""
    return values.is_true("limit_covers_side_wagers") and values.choice("payout_limit") is not None


def has_limit_and_sides(values: FormValues) -> bool:
    """Return whether there is a payout limit, and a wager that 12.F does not name."""
    return values.choice("payout_limit") is not None and offered(*SIDE_WAGERS)(values)


def box_needs_position(context: CheckContext) -> None:
    """10.B.1 deals the Six Card box; chapters 8 and 9 do not mention it (A103)."""
    if deals_box_after_hands(context) and context.choice("six_card_deal_position") is None:
        method = context.choice("dealing_method")
        context.error(
            "paytables.six_card_bonus",
            f"only an automated_shoe deals its box, but table.dealing_method is {method}; "
            'choices.six_card_deal_position = "after_hands" would need an approval (A103)',
            clause="10.B.1",
            value=context.letters.get("six_card_bonus"),
            allowed="an automated_shoe, or six_card_deal_position",
        )


def board_first_needs_shoe(context: CheckContext) -> None:
    """10.F: only an automated shoe dispenses the board first."""
    method = context.choice("dealing_method")
    if context.is_true("community_first") and method != "automated_shoe":
        context.error(
            "choices.community_first",
            f"true requires automated_shoe, but table.dealing_method is {method}",
            clause="10.F",
            value=True,
            allowed="false, or an automated_shoe",
        )


def credits_are_electronic(context: CheckContext) -> None:
    """11.L: only a dealer controlled electronic table takes anything but chips and plaques."""
    instruments = context.choice("wagering_instruments")
    if "credits" in instruments and not is_electronic(context):
        context.error(
            "choices.wagering_instruments",
            '"credits" need choices.electronic_version = true (A80)',
            clause="11.L",
            value=context.stated.get("wagering_instruments"),
            allowed="chips, plaques",
        )


CLAUSES = CommonClauses(
    odds="2.B.7",
    boxes="2.D.1",
    tip_box="2.E",
    dealing="5.D.1",
    cut="5.F",
    idle="5.H.1",
    device="5.I",
    adjacent="7.G",
    states_adjacent=True,
    controls="11.J.2.c",
    void="13.B",
    showdown="11.H.2",
    instruments=ListOf(words=(*CHIPS, "credits")),
    odds_in_halves=always,
    electronic=is_electronic,
)

DEALING = (
    peek_all_boxes(),
    dealer_stack_order("10.B.3"),
    Choice(
        name="community_first",
        kind=Flag(),
        clause="10.F",
        note="Whether the shoe dispenses the board before the hands; 10.B does so anyway (A107).",
        default=ComputedDefault(
            "true with an automated shoe",
            lambda values: values.choice("dealing_method") == "automated_shoe",
        ),
    ),
    Choice(
        name="electronic_version",
        kind=Flag(),
        clause="11.L",
        note="Whether the table is a dealer controlled electronic one.",
        default=False,
    ),
)

SIX_CARD = (
    Choice(
        name="six_card_deal_position",
        kind=OneOf(words=("after_hands",)),
        clause="10.B.1",
        note="When the four cards of the box are dealt from a manual shoe or the hand; also for a "
        "change of method when an automated shoe fails.",
        reading="A103",
    ),
    Choice(
        name="six_card_deal_position_approval",
        kind=Reference(),
        clause="10.B.1",
        note="The approval of `six_card_deal_position`.",
        reading="A103",
        missing="outstanding",
        matters=names_box_position,
        when="`six_card_deal_position` and the Six Card Bonus",
    ),
    Choice(
        name="six_card_requires_trips",
        kind=Flag(only=True),
        clause="7.F.4.b",
        note="A Six Card Bonus wager requires a Trips wager.",
        default=True,
        reading="A73",
        matters=offered("six_card_bonus"),
        when="the Six Card Bonus",
    ),
)

BAD_BEAT = (
    Choice(
        name="bad_beat_scope",
        kind=OneOf(words=("either_hand", "player_hand")),
        clause="7.F.6",
        note="Whose losing hand of three of a kind or better is paid.",
        default="either_hand",
        reading="A15",
        missing="warning",
        matters=offered("bad_beat"),
        when="the Bad Beat",
    ),
    Choice(
        name="bad_beat_after_fold",
        kind=Flag(),
        clause="11.F.2",
        note="Whether the Bad Beat stays live after a fold.",
        default=True,
        reading="A17",
        missing="warning",
        matters=offered("bad_beat"),
        when="the Bad Beat",
    ),
)

PROGRESSIVE = (
    progressive_basis("1.B.6", "A1", ("best_five_of_seven", "own_two_plus_flop")),
    progressive_stake("12.D.6", only=(1, 5)),
    meter_rounding("12.D.1"),
    partial_award_floor("12.D.1.a.ii"),
    progressive_after_fold("11.F.2"),
    envy_on_folded_hand("11.J.2.e"),
    Choice(
        name="envy_holder_must_wager",
        kind=Flag(),
        clause="11.J.2.e.ii",
        note="Whether the holder of an envy hand must have made the progressive wager.",
        missing="error",
        matters=progressive_offered,
        when="a progressive",
    ),
    envy_schedule("12.D.5.b", ("A", "B", "C", "D")),
)

LIMIT = (
    optional_limit("12.F"),
    Choice(
        name="limit_covers_side_wagers",
        kind=Flag(),
        clause="12.F.2",
        note="Whether the limit also covers Ultimate Pairs, Bad Beat and Play the Board; never "
        "the progressive or the Six Card Bonus.",
        default=False,
        reading="A64",
        missing="warning",
        matters=has_limit_and_sides,
        when="a payout limit with one of these wagers",
    ),
    Choice(
        name="payout_limit_approval",
        kind=Reference(),
        clause="12.F.2",
        note="The approval of a limit that covers the side wagers.",
        reading="A64",
        missing="outstanding",
        matters=limit_covers_sides,
        when="`limit_covers_side_wagers` and a payout limit",
    ),
)

FORM = Form(
    offers=(
        WagerOffer(wager="blind", clause="7.F.1", letter_clause="12.B"),
        WagerOffer(wager="trips", clause="7.F.2", letter_clause="12.C"),
        WagerOffer(
            wager="progressive", flag="offers_progressive", clause="7.F.3", letter_clause="12.D.1"
        ),
        WagerOffer(
            wager="six_card_bonus",
            flag="offers_six_card_bonus",
            clause="7.F.4",
            letter_clause="12.E",
            usual_stake=5_00,
            usual_stake_reading="A20",
        ),
        WagerOffer(
            wager="ultimate_pairs",
            flag="offers_ultimate_pairs",
            clause="7.F.5",
            letter_clause="12.E#2",
        ),
        WagerOffer(
            wager="bad_beat", flag="offers_bad_beat", clause="7.F.6", letter_clause="12.F#2"
        ),
        WagerOffer(
            wager="play_the_board",
            flag="offers_play_the_board",
            clause="7.F.7",
            letter_clause="12.G",
        ),
    ),
    choices=(
        *common_fields(CLAUSES),
        *notice_fields("2.B.9", "2.B.8.d"),
        *DEALING,
        *SIX_CARD,
        *BAD_BEAT,
        *PROGRESSIVE,
        *LIMIT,
    ),
    meters=MeterClauses(section="12.D.3.b", rate="12.D.3.a", amount="12.D.3.b"),
    payout_limit="at_least",
    checks=(
        box_needs_position,
        board_first_needs_shoe,
        credits_are_electronic,
    ),
)
