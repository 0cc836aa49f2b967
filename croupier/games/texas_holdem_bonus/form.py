"""The submission form of Texas Hold 'Em Bonus Poker and the type of its choices."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import Choices, Display, LimitNotice
from croupier.games.forms.common_fields import CommonClauses, common_fields, has_device_approval
from croupier.games.forms.declarations import Choice, Form, WagerOffer
from croupier.games.forms.field_types import Flag, OneOf
from croupier.games.forms.form_values import CheckContext, FormValues
from croupier.games.forms.payout_limit_fields import fixed_limit, notice_fields


class TexasChoices(Choices, frozen=True, kw_only=True):
    """The operator's choices for Texas Hold 'Em Bonus Poker."""

    notices_display: Display
    payout_limit_notice: LimitNotice
    ante_return_threshold: Literal["straight", "flush"]
    community_first: bool
    offers_bonus: bool
    wagering_instruments_approval: str | None


def dispenses_board_first(values: FormValues) -> bool:
    """Return whether the shoe dispenses the board before the hands (10.I)."""
    return values.is_true("community_first")


def board_first_needs_device(context: CheckContext) -> None:
    """10.I.1: only a continuous shuffling shoe may dispense the board first."""
    if not dispenses_board_first(context):
        return
    method = context.choice("dealing_method")
    if method != "automated_shoe":
        problem = f"requires automated_shoe, but table.dealing_method is {method}"
    elif not context.is_true("continuous_device"):
        problem = "requires a continuous shuffling shoe, but choices.continuous_device is false"
    else:
        return
    context.error(
        "choices.community_first",
        f"true {problem}",
        clause="10.I.1",
        value=True,
        allowed="false, or a continuous shuffling shoe",
    )


CLAUSES = CommonClauses(
    odds="2.B.6",
    boxes="2.C.1",
    tip_box="2.D",
    dealing="5.D.1",
    cut="5.F",
    idle="5.H.1",
    device="5.I",
    adjacent="7.H",
    controls="A144",
    void="13.B",
    showdown="11.I.3",
    showdown_orders=("one_by_one",),
    most_boxes=1,
    device_in_use=lambda values: has_device_approval(values) or dispenses_board_first(values),
)

FORM = Form(
    offers=(
        WagerOffer(
            wager="texas_holdem_bonus",
            flag="offers_bonus",
            clause="7.F.2",
            letter_clause="12.B",
        ),
    ),
    choices=(
        *common_fields(CLAUSES),
        *notice_fields("2.B.8", "2.B.7.b"),
        Choice(
            name="ante_return_threshold",
            kind=OneOf(words=("straight", "flush")),
            clause="11.I.3.d.iii",
            note="The lowest winning hand that is paid on the Ante; otherwise the Ante pushes.",
            missing="error",
        ),
        fixed_limit(
            "12.C",
            "The maximum that one hand may win. The document sets it, so another value is refused.",
        ),
        Choice(
            name="community_first",
            kind=Flag(),
            clause="10.I.1",
            note="Whether a continuous shuffling shoe dispenses the board before the hands.",
            default=False,
        ),
    ),
    payout_limit="equal",
    checks=(board_first_needs_device,),
)
