"""The form of Jackpot Hold 'Em, and the choices it leads to."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import Display, LimitNotice, ProgressiveChoices, StackOrder
from croupier.games.forms.common_fields import (
    CHIPS,
    Places,
    common,
    dealer_stack_order,
    peek_all_boxes,
)
from croupier.games.forms.field_types import Several
from croupier.games.forms.form import Form, MeterClauses, WagerOffer
from croupier.games.forms.payout_limit_fields import chosen_limit, lowest_limit, notices
from croupier.games.forms.progressive_fields import basis, meter_rounding, stake


class JackpotChoices(ProgressiveChoices, frozen=True, kw_only=True):
    """What an operator of Jackpot Hold 'Em chooses."""

    notices_display: Display
    payout_limit_notice: LimitNotice
    progressive_basis: Literal["best_five_of_seven", "own_two_plus_first_three"] | None
    peek_all_boxes: bool
    dealer_stack_order: StackOrder
    offers_player_bonus: bool


# The document asks for each meter in two paragraphs of its own: the rate, then the amounts.
METERS = ("star", "spade", "heart", "diamond", "club")

PLACES = Places(
    odds="2.B.7",
    boxes="2.D.1",
    tip_box="2.E",
    dealing="5.D.1",
    cut="5.F",
    idle="5.H.1",
    device="5.I",
    adjacent="7.G",
    controls="11.K.2.c",
    instruments=Several(words=CHIPS),
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
        *common(PLACES),
        *notices("2.B.9", "2.B.8.c"),
        peek_all_boxes(),
        dealer_stack_order("10.B.2"),
        basis("7.F.3", "A2", ("best_five_of_seven", "own_two_plus_first_three")),
        stake("12.D.1"),
        meter_rounding("12.D.1"),
        chosen_limit("12.F"),
    ),
    meters=MeterClauses(
        section="12.E",
        rate_of={meter: f"12.E.{2 * place + 1}" for place, meter in enumerate(METERS)},
        amount_of={meter: f"12.E.{2 * place + 2}" for place, meter in enumerate(METERS)},
    ),
    checks=(lowest_limit,),
)
