"""The payout limit: what the documents compute, and how far an operator may depart from it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games.forms.field_types import Dollars, OneOf, write_dollars
from croupier.games.forms.form import Choice, Computed
from croupier.games.forms.parse_context import ParseContext
from croupier.money import Cents


def fixed_limit(clause: str, note: str) -> Choice:
    """A limit that the document sets, so that the field may be left out."""
    return Choice(
        name="payout_limit",
        kind=Dollars(),
        clause=clause,
        note=note,
        default=Computed("computed", lambda filing: filing.computed_limit),
        reading="A60",
    )


def chosen_limit(clause: str) -> Choice:
    """A limit that the operator may set or leave."""
    return Choice(
        name="payout_limit",
        kind=Dollars(),
        clause=clause,
        note="The most that one hand may win: the greater of 50,000 and what a player could win "
        "at the minimum, or more. Left out, there is no limit.",
        reading="A60",
    )


def notices(display_clause: str, notice_clause: str) -> tuple[Choice, ...]:
    """Where and how the notices are shown."""
    return (
        Choice(
            name="notices_display",
            kind=OneOf(words=("felt", "sign")),
            clause=display_clause,
            note="Where the notices that the layout owes the players are shown.",
            default="felt",
        ),
        Choice(
            name="payout_limit_notice",
            kind=OneOf(words=("amount", "generic_reference")),
            clause=notice_clause,
            note="Whether the notice gives the payout limit or only says that one is posted.",
            default="amount",
        ),
    )


def exact_limit(filing: ParseContext) -> None:
    """Texas 12.C: the limit is that amount, neither more nor less (A61)."""
    for stated, computed in stated_and_computed(filing):
        if stated != computed:
            refuse(
                filing,
                f"is not the limit that the document sets, {write_dollars(computed)} (A61)",
                allowed=write_dollars(computed),
            )


def highest_limit(filing: ParseContext) -> None:
    """Run 'Em Twice 12.C: never above that amount, below it only with an approval (A62)."""
    for stated, computed in stated_and_computed(filing):
        most = write_dollars(computed)
        if stated > computed:
            refuse(filing, f"is above the limit of {most} (A62)", allowed=most)
        elif stated < computed and filing.choice("payout_limit_approval") is None:
            needed = f"is below {most}: choices.payout_limit_approval is needed (A62)"
            refuse(filing, needed, allowed=most)


def lowest_limit(filing: ParseContext) -> None:
    """Ultimate and Jackpot 12.F.1: a limit that the operator sets is at least that amount."""
    for stated, computed in stated_and_computed(filing):
        if stated < computed and filing.game.limit is not None:
            least = write_dollars(computed)
            refuse(
                filing,
                f"is below the least limit of {least}",
                allowed=f"at least {least}",
                clause=filing.game.limit.floor_clause,
            )


def stated_and_computed(filing: ParseContext) -> Iterator[tuple[Cents, Cents]]:
    """The limit of the file and that of the document, where there are both.

    The document's follows from the minimums and the paytables, so not while those have errors.
    """
    stated: Cents | None = filing.choice("payout_limit")
    if "payout_limit" in filing.given and stated is not None and filing.computed_limit is not None:
        yield stated, filing.computed_limit


def refuse(filing: ParseContext, problem: str, *, allowed: str, clause: str = "") -> None:
    """The error of a limit that the document does not allow."""
    assert filing.game.limit is not None, f"{filing.game.key} has no payout limit"
    filing.error(
        "choices.payout_limit",
        f"{write_dollars(filing.choice('payout_limit'))} {problem}",
        clause=clause or filing.game.limit.clause,
        value=filing.given["payout_limit"],
        allowed=allowed,
    )
