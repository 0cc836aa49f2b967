"""The submission form of Run 'Em Twice Poker and the type of its choices."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import EnvyChoices
from croupier.games.forms.common_fields import CommonClauses, common_fields
from croupier.games.forms.declarations import (
    Choice,
    Form,
    MeterClauses,
    WagerOffer,
    never,
    progressive_offered,
    several_boxes,
)
from croupier.games.forms.field_types import Flag, OneOf, Permutation, Reference
from croupier.games.forms.form_values import CheckContext
from croupier.games.forms.payout_limit_fields import fixed_limit
from croupier.games.forms.progressive_fields import (
    envy_on_folded_hand,
    envy_schedule,
    meter_rounding,
    partial_award_floor,
    progressive_after_fold,
    progressive_basis,
    progressive_stake,
)


class RunChoices(EnvyChoices, frozen=True, kw_only=True):
    """The operator's choices for Run 'Em Twice Poker."""

    ace_low_straight: bool
    ante_rule: Literal["own_run", "better_run"]
    center_rule: Literal["higher_run_table", "even_money"]
    run_bet_steps: Literal["whole_multiples", "any_amount"]
    cross_order: tuple[str, ...]
    sixth_area: Literal["none", "blank"]
    progressive_basis: Literal["higher_run", "first_run", "best_five_of_seven"] | None
    max_adjacent_boxes_approval: str | None
    payout_limit_approval: str | None
    offers_five_card_bonus: bool
    offers_ultimate_pairs_bonus: bool
    wagering_instruments_approval: str | None


CLAUSES = CommonClauses(
    positions="2.A.1",
    fewest_positions=6,
    odds="2.B.5",
    boxes="2.C.1",
    tip_box="2.E",
    dealing="5.C.1",
    cut="5.D",
    idle="5.F.2",
    device="5.G",
    adjacent="A77",
    controls="A55",
    void="13.A",
    showdown="11.I",
)


def boxes_need_approval(context: CheckContext) -> None:
    """The document is silent on several boxes: one, unless more are approved (A77)."""
    if several_boxes(context) and context.choice("max_adjacent_boxes_approval") is None:
        context.error(
            "table.max_adjacent_boxes",
            f"{context.choice('max_adjacent_boxes')} is more than 1: "
            "choices.max_adjacent_boxes_approval is needed",
            clause="A77",
            value=context.stated.get("max_adjacent_boxes"),
            allowed="1, or more with an approval",
        )


def first_run_is_not_the_highest(context: CheckContext) -> None:
    """12.F.5 pays only the highest hand formed; the first run alone may not be it (A3)."""
    if context.offers("progressive") and context.choice("progressive_basis") == "first_run":
        context.warn(
            "choices.progressive_basis",
            '"first_run" judges the 1st Run hand alone, also where another hand of the player is '
            "higher (A3)",
            clause="12.F.5",
            allowed=context.game.form.choice("progressive_basis").kind.allowed,
        )


def six_areas_per_seat(context: CheckContext) -> None:
    """2.B.2 counts six areas; the five main wagers and no side wager leave a seat with five."""
    if not context.letters and context.choice("sixth_area") == "none":
        context.warn(
            "choices.sixth_area",
            '"none" leaves every seat with five betting areas, as no side wager is offered (A139)',
            clause="2.B.2",
            allowed='"blank", or a side wager',
        )


READINGS = (
    Choice(
        name="ace_low_straight",
        kind=Flag(),
        clause="6.C.6",
        note="Whether A-2-3-4-5 is a straight; displayed either way.",
        default=True,
        reading="A8",
        missing="warning",
    ),
    Choice(
        name="ante_rule",
        kind=OneOf(words=("own_run", "better_run")),
        clause="12.A",
        note="Whether each Ante follows its own run, or both follow the better one.",
        default="own_run",
        reading="A29",
        missing="warning",
    ),
    Choice(
        name="center_rule",
        kind=OneOf(words=("higher_run_table", "even_money")),
        clause="11.I.3.e",
        note="What a winning Center is paid: the odds of the higher run, or even money.",
        default="higher_run_table",
        reading="A30",
        missing="warning",
    ),
    Choice(
        name="run_bet_steps",
        kind=OneOf(words=("whole_multiples", "any_amount")),
        clause="11.B.1.a",
        note="Whether a run is bet at one, two or three times the Ante, or any amount between.",
        default="whole_multiples",
        reading="A32",
        missing="warning",
    ),
    Choice(
        name="cross_order",
        kind=Permutation(words=("left", "right", "top", "bottom", "center")),
        clause="10.B.1",
        note="The order in which the five cards of the cross are dealt.",
        default=("left", "right", "top", "bottom", "center"),
        reading="A108",
        missing="warning",
    ),
)

PROGRESSIVE = (
    progressive_basis("12.F.5", "A3", ("higher_run", "first_run", "best_five_of_seven")),
    progressive_stake("12.H", only=(1, 5)),
    meter_rounding("12.F"),
    partial_award_floor("12.F.1.b"),
    progressive_after_fold("11.B.3", always=True),
    envy_on_folded_hand("12.G.1"),
    Choice(
        name="envy_holder_must_wager",
        kind=Flag(),
        clause="12.G.1",
        note="Whether the holder of an envy hand must have made the progressive wager.",
        default=False,
        reading="A54",
        missing="warning",
        matters=progressive_offered,
        when="a progressive",
    ),
    envy_schedule("12.G.2", ("A", "B", "C", "D")),
)

FORM = Form(
    offers=(
        WagerOffer(
            wager="five_card_bonus",
            flag="offers_five_card_bonus",
            clause="7.E.2",
            letter_clause="12.D",
        ),
        WagerOffer(
            wager="ultimate_pairs_bonus",
            flag="offers_ultimate_pairs_bonus",
            clause="7.E.2",
            letter_clause="12.E",
        ),
        WagerOffer(
            wager="progressive", flag="offers_progressive", clause="7.E.2", letter_clause="12.F"
        ),
    ),
    choices=(
        *common_fields(CLAUSES),
        Choice(
            name="max_adjacent_boxes_approval",
            kind=Reference(),
            clause="A77",
            note="The approval of more than one box for a player.",
            matters=never,
        ),
        Choice(
            name="sixth_area",
            kind=OneOf(words=("none", "blank")),
            clause="2.B.2",
            note="Whether each seat has a blank sixth betting area besides the five of the main "
            "game and those of side wagers.",
            default="none",
            reading="A139",
        ),
        *READINGS,
        *PROGRESSIVE,
        fixed_limit(
            "12.C",
            "The maximum that the runs and the Center of one hand may win; lower than the computed "
            "amount only with `payout_limit_approval`.",
        ),
        Choice(
            name="payout_limit_approval",
            kind=Reference(),
            clause="12.C",
            note="The approval of a lower payout limit.",
            reading="A62",
        ),
    ),
    meters=MeterClauses(section="12.F.6.b", rate="12.F.6.a", amount="12.F.6.b"),
    payout_limit="at_most",
    checks=(boxes_need_approval, first_run_is_not_the_highest, six_areas_per_seat),
)
