"""The submission form of Top Five Poker and the type of its choices."""

from __future__ import annotations

from croupier.games.choices import Choices, StackOrder
from croupier.games.forms.common_fields import (
    CommonClauses,
    common_fields,
    dealer_stack_order,
    peek_all_boxes,
)
from croupier.games.forms.declarations import Choice, Form, WagerOffer
from croupier.games.forms.field_types import Flag


class TopFiveChoices(Choices, frozen=True, kw_only=True):
    """The operator's choices for Top Five Poker."""

    tie_break_extra_cards: bool
    peek_all_boxes: bool
    dealer_stack_order: StackOrder
    offers_top_five_bonus: bool
    offers_poker_bonus: bool
    wagering_instruments_approval: str | None


CLAUSES = CommonClauses(
    positions="2.A.1",
    fewest_positions=6,
    odds="2.B.4",
    boxes="2.C.1",
    tip_box="2.E",
    dealing="5.C.1",
    cut="5.D",
    idle="5.F.2",
    device="5.G",
    adjacent="7.F",
    states_adjacent=True,
    controls="A144",
    void="13.A",
    showdown="11.C",
)

FORM = Form(
    offers=(
        WagerOffer(
            wager="top_five_bonus",
            flag="offers_top_five_bonus",
            clause="7.E.2",
            letter_clause="12.B",
        ),
        WagerOffer(
            wager="poker_bonus",
            flag="offers_poker_bonus",
            clause="7.E.2",
            letter_clause="12.B#2",
        ),
    ),
    choices=(
        *common_fields(CLAUSES),
        Choice(
            name="tie_break_extra_cards",
            kind=Flag(),
            clause="11.C.3.e",
            note="Whether a sixth and seventh live card break a tie of the best five.",
            default=True,
            reading="A11",
            missing="warning",
        ),
        peek_all_boxes(),
        dealer_stack_order("11.B.4"),
    ),
)
