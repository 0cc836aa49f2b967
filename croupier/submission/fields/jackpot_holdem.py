"""The form of Jackpot Hold 'Em."""

from __future__ import annotations

from croupier.submission.fields.choice import Form, MeterClauses, Offer
from croupier.submission.fields.common import (
    CHIPS,
    Places,
    common,
    dealer_stack_order,
    peek_all_boxes,
)
from croupier.submission.fields.limits import chosen_limit, lowest_limit, notices
from croupier.submission.fields.progressives import basis, meter_rounding, stake
from croupier.submission.kinds import Several

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
        Offer(wager="xtra_bonus", clause="7.F.1", letter_clause="12.B"),
        Offer(
            wager="player_bonus", flag="offers_player_bonus", clause="7.F.2", letter_clause="12.C"
        ),
        Offer(
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
