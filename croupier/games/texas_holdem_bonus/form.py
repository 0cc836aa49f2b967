"""The form of Texas Hold 'Em Bonus Poker, and the choices it leads to."""

from __future__ import annotations

from typing import Literal

from croupier.games.choices import Choices, Display, LimitNotice
from croupier.games.forms.common_fields import Places, common, device_named
from croupier.games.forms.field_types import Flag, OneOf
from croupier.games.forms.form import Choice, Form, WagerOffer
from croupier.games.forms.parse_context import ParseContext
from croupier.games.forms.payout_limit_fields import exact_limit, fixed_limit, notices


class TexasChoices(Choices, frozen=True, kw_only=True):
    """What an operator of Texas Hold 'Em Bonus chooses."""

    notices_display: Display
    payout_limit_notice: LimitNotice
    ante_return_threshold: Literal["straight", "flush"]
    community_first: bool
    offers_bonus: bool
    wagering_instruments_approval: str | None


def dispenses_board(filing: ParseContext) -> bool:
    """Whether the shoe dispenses the board before the hands (10.I)."""
    return filing.says("community_first")


def board_first_needs_device(filing: ParseContext) -> None:
    """10.I.1: only a shoe that reshuffles by itself may dispense the board first."""
    if not dispenses_board(filing):
        return
    method = filing.choice("dealing_method")
    if method != "automated_shoe":
        problem = f"needs an automated_shoe, table.dealing_method is {method}"
    elif not filing.says("continuous_device"):
        problem = "needs a shoe that reshuffles by itself, choices.continuous_device is false"
    else:
        return
    filing.error(
        "choices.community_first",
        f"true {problem}",
        clause="10.I.1",
        value=True,
        allowed="false, or a shoe that reshuffles by itself",
    )


PLACES = Places(
    odds="2.B.6",
    boxes="2.C.1",
    tip_box="2.D",
    dealing="5.D.1",
    cut="5.F",
    idle="5.H.1",
    device="5.I",
    adjacent="7.H",
    controls="A144",
    most_boxes=1,
    device_in_use=lambda filing: device_named(filing) or dispenses_board(filing),
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
        *common(PLACES),
        *notices("2.B.8", "2.B.7.b"),
        Choice(
            name="ante_return_threshold",
            kind=OneOf(words=("straight", "flush")),
            clause="11.I.3.d.iii",
            note="The lowest winning hand that is paid on the Ante; below it the Ante goes back.",
            missing="error",
        ),
        fixed_limit(
            "12.C",
            "The most that one hand may win; the document sets it, so it may only be repeated.",
        ),
        Choice(
            name="community_first",
            kind=Flag(),
            clause="10.I.1",
            note="Whether a shoe that reshuffles by itself dispenses the board before the hands.",
            default=False,
        ),
    ),
    checks=(board_first_needs_device, exact_limit),
)
