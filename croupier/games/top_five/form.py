"""The form of Top Five Poker, and the choices it leads to."""

from __future__ import annotations

from croupier.games.choices import Choices
from croupier.games.forms.common_fields import Places, common, peek_all_boxes
from croupier.games.forms.field_types import Flag
from croupier.games.forms.form import Choice, Form, WagerOffer


class TopFiveChoices(Choices, frozen=True, kw_only=True):
    """What an operator of Top Five chooses."""

    tie_break_extra_cards: bool
    peek_all_boxes: bool
    offers_top_five_bonus: bool
    offers_poker_bonus: bool
    wagering_instruments_approval: str | None


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
