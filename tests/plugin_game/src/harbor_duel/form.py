"""Submission form and choices of Harbor Duel."""

from __future__ import annotations

from croupier.games import Choices
from croupier.games.forms import Form, WagerOffer
from croupier.games.forms.common_fields import CommonClauses, common_fields, peek_all_boxes


class DuelChoices(Choices, frozen=True, kw_only=True):
    """The operator choices of Harbor Duel."""

    peek_all_boxes: bool
    offers_twin_bonus: bool
    wagering_instruments_approval: str | None


PLACES = CommonClauses(
    fewest_positions=6,
    odds="2.B",
    boxes="2.C",
    tip_box="2.C",
    dealing="5.A",
    cut="5.B",
    idle="5.C",
    device="5.A",
    adjacent="7.F",
    states_adjacent=True,
    controls="A144",
    void="13.A",
    showdown="11.C",
)

FORM = Form(
    offers=(
        WagerOffer(
            wager="twin_bonus", flag="offers_twin_bonus", clause="7.E.2", letter_clause="12.B"
        ),
    ),
    choices=(*common_fields(PLACES), peek_all_boxes()),
)
