"""The submission form of Jackpot Hold 'Em and the type of its choices."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import Display, LimitNotice, ProgressiveChoices, StackOrder
from croupier.games.forms.common_fields import (
    CHIPS,
    CommonClauses,
    common_fields,
    dealer_stack_order,
    peek_all_boxes,
)
from croupier.games.forms.declarations import Form, MeterClauses, WagerOffer
from croupier.games.forms.field_types import ListOf
from croupier.games.forms.payout_limit_fields import notice_fields, optional_limit
from croupier.games.forms.progressive_fields import (
    meter_rounding,
    progressive_basis,
    progressive_stake,
)


class JackpotChoices(ProgressiveChoices, frozen=True, kw_only=True):
    """The operator's choices for Jackpot Hold 'Em."""

    notices_display: Display
    payout_limit_notice: LimitNotice
    progressive_basis: Literal["best_five_of_seven", "own_two_plus_first_three"] | None
    peek_all_boxes: bool
    dealer_stack_order: StackOrder
    offers_player_bonus: bool


# The document has two paragraphs for each meter: the rate, then the amounts.
METERS = ("star", "spade", "heart", "diamond", "club")

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
    controls="11.K.2.c",
    void="13.B",
    showdown="11.I.2",
    instruments=ListOf(words=CHIPS),
)

FORM = Form(
    offers=(
        WagerOffer(wager="xtra_bonus", clause="7.F.1", letter_clause="12.B"),
        WagerOffer(
            wager="player_bonus", flag="offers_player_bonus", clause="7.F.2", letter_clause="12.C"
        ),
        WagerOffer(
            wager="progressive", flag="offers_progressive", clause="7.F.3", letter_clause="12.D.1"
        ),
    ),
    choices=(
        *common_fields(CLAUSES),
        *notice_fields("2.B.9", "2.B.8.c"),
        peek_all_boxes(),
        dealer_stack_order("10.B.2"),
        progressive_basis("7.F.3", "A2", ("best_five_of_seven", "own_two_plus_first_three")),
        progressive_stake("12.D.1"),
        meter_rounding("12.D.1"),
        optional_limit("12.F"),
    ),
    meters=MeterClauses(
        section="12.E",
        rate_of={meter: f"12.E.{2 * index + 1}" for index, meter in enumerate(METERS)},
        amount_of={meter: f"12.E.{2 * index + 2}" for index, meter in enumerate(METERS)},
    ),
    payout_limit="at_least",
)
