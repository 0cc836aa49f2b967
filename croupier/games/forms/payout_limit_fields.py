"""The fields of the payout limit and of the notices that announce it."""

from __future__ import annotations

from croupier.games.forms.declarations import Choice, ComputedDefault
from croupier.games.forms.field_types import Dollars, OneOf


def fixed_limit(clause: str, note: str) -> Choice:
    """A limit that the document sets, so the field may be left out."""
    return Choice(
        name="payout_limit",
        kind=Dollars(),
        clause=clause,
        note=note,
        default=ComputedDefault("computed", lambda values: values.computed_limit),
        reading="A60",
    )


def optional_limit(clause: str) -> Choice:
    """A limit that the operator may set; without the field there is none."""
    return Choice(
        name="payout_limit",
        kind=Dollars(),
        clause=clause,
        note="The maximum that one hand may win: at least the greater of 50,000 and what a player "
        "could win at the minimum. If left out, there is no limit.",
        reading="A60",
    )


def notice_fields(display_clause: str, notice_clause: str) -> tuple[Choice, ...]:
    """Where the notices are displayed and what they say of the payout limit."""
    return (
        Choice(
            name="notices_display",
            kind=OneOf(words=("felt", "sign")),
            clause=display_clause,
            note="Where the required notices to players are displayed.",
            default="felt",
        ),
        Choice(
            name="payout_limit_notice",
            kind=OneOf(words=("amount", "generic_reference")),
            clause=notice_clause,
            note="Whether the notice states the payout limit or only refers to a posted one.",
            default="amount",
        ),
    )
