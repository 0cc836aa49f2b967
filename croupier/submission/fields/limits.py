"""The payout limit: what the documents compute, and how far an operator may depart from it."""

from __future__ import annotations

from croupier.money import Cents
from croupier.submission.draft import Draft
from croupier.submission.fields.choice import Choice, Computed
from croupier.submission.kinds import Dollars, OneOf, write_dollars


def computed_limit(draft: Draft) -> Cents:
    """The greater of the fixed amount and the most one player could win at the minimum (A60)."""
    limit = draft.game.limit
    assert limit is not None, f"{draft.game.key} has no payout limit to compute"
    return max(limit.fixed_floor, limit.most_at_minimum(draft.minimums))


def fixed_limit(clause: str, note: str) -> Choice:
    """A limit that the document sets, so that the field may be left out."""
    return Choice(
        name="payout_limit",
        kind=Dollars(),
        clause=clause,
        note=note,
        default=Computed("computed", computed_limit),
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


def exact_limit(draft: Draft) -> None:
    """Texas 12.C: the limit is that amount, neither more nor less (A61)."""
    stated = stated_limit(draft)
    computed = computed_limit(draft)
    if stated is not None and stated != computed:
        draft.error(
            "choices.payout_limit",
            f"{write_dollars(stated)} is not the limit that the document sets, "
            f"{write_dollars(computed)} (A61)",
            clause=limit_clause(draft),
            value=draft.given["payout_limit"],
            allowed=write_dollars(computed),
        )


def highest_limit(draft: Draft) -> None:
    """Run 'Em Twice 12.C: never above that amount, below it only with an approval (A62)."""
    stated = stated_limit(draft)
    computed = computed_limit(draft)
    if stated is None or stated == computed:
        return
    if stated > computed:
        problem = f"is above the limit of {write_dollars(computed)}"
    elif draft.choice("payout_limit_approval") is None:
        problem = f"is below {write_dollars(computed)}: choices.payout_limit_approval is needed"
    else:
        return
    draft.error(
        "choices.payout_limit",
        f"{write_dollars(stated)} {problem} (A62)",
        clause=limit_clause(draft),
        value=draft.given["payout_limit"],
        allowed=write_dollars(computed),
    )


def lowest_limit(draft: Draft) -> None:
    """Ultimate and Jackpot 12.F.1: a limit that the operator sets is at least that amount."""
    stated = stated_limit(draft)
    computed = computed_limit(draft)
    limit = draft.game.limit
    if stated is not None and stated < computed and limit is not None:
        draft.error(
            "choices.payout_limit",
            f"{write_dollars(stated)} is below the least limit of {write_dollars(computed)}",
            clause=limit.floor_clause,
            value=draft.given["payout_limit"],
            allowed=f"at least {write_dollars(computed)}",
        )


def stated_limit(draft: Draft) -> Cents | None:
    """The limit that the file gives, if it can be judged: not while the minimums are unread."""
    if "payout_limit" not in draft.given or draft.broken("limits", "paytables"):
        return None
    stated: Cents | None = draft.choice("payout_limit")
    return stated


def limit_clause(draft: Draft) -> str:
    """The clause that speaks of the limit."""
    return draft.game.limit.clause if draft.game.limit else ""
