"""The form of Top Five Poker."""

from __future__ import annotations

from croupier.submission.fields.choice import Choice, Form, Offer
from croupier.submission.fields.common import Places, common, peek_all_boxes
from croupier.submission.kinds import Flag

PLACES = Places(
    odds="2.B.4",
    boxes="2.C.1",
    tip_box="2.E",
    dealing="5.C.1",
    cut="5.D",
    idle="5.F.2",
    device="5.G",
    adjacent="7.F",
    controls="A144",
)

FORM = Form(
    offers=(
        Offer(
            wager="top_five_bonus",
            flag="offers_top_five_bonus",
            clause="7.E.2",
            letter_clause="12.B",
        ),
        Offer(
            wager="poker_bonus",
            flag="offers_poker_bonus",
            clause="7.E.2",
            letter_clause="12.B#2",
        ),
    ),
    choices=(
        *common(PLACES),
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
    ),
)
