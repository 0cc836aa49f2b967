"""Builds the House of a parsed submission, and computes its payout limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.games import House, with_digest
from croupier.games.forms import Choice
from croupier.submission.parse_context import ParseContext
from croupier.submission.payout_limit_floor import payout_floor


def build_house(context: ParseContext) -> House[Any]:
    """Return the House of a submission without errors."""
    return with_digest(_house(context))


def _house(context: ParseContext) -> House[Any]:
    game, proposal = context.game, context.proposal
    choices = {
        choice.name: _choice_value(context, choice)
        for choice in context.form.every_choice
        if choice.name in game.choices.__struct_fields__
    }
    return House(
        game=game if proposal is None else proposal.played(game),
        # Every document prints the operator, and so marks a proposal.
        operator=context.operator if proposal is None else f"{context.operator} (proposal)",
        dealing_method=context.values["dealing_method"],
        shuffle_method=context.values["shuffle_method"],
        decks=context.values["decks"],
        positions=context.values["positions"],
        max_adjacent_boxes=context.values["max_adjacent_boxes"],
        limits=context.limits,
        letters=context.letters,
        choices=game.choices(operator_logo=context.logo, **choices),
        meters=context.meters,
        payout_limit=context.values.get("payout_limit"),
        unstated=tuple(_unstated(context)),
        proposal=proposal,
    )


def _unstated(context: ParseContext) -> Iterator[str]:
    """The fields that the submission must state and does not, although they have a default."""
    for choice in context.form.every_choice:
        defaulted = choice.name not in context.stated and context.choice(choice.name) is not None
        if choice.missing == "outstanding" and defaulted and choice.matters(context):
            yield choice.field


def _choice_value(context: ParseContext, choice: Choice) -> Any:
    """The value of a choice; the first allowed word if a compulsory choice is missing.

    Such a House is never played under; it only serves to compute limits and prices.
    """
    value = context.values[choice.name]
    words: tuple[str, ...] = getattr(choice.kind, "words", ())
    return words[0] if value is None and choice.missing == "error" and words else value


def compute_limit(context: ParseContext) -> None:
    """Set the payout limit of the document, unless its inputs have errors (A60)."""
    if context.game.limit is None or context.has_errors("limits", "paytables"):
        return
    context.computed_limit = payout_floor(_house(context))
    if "payout_limit" not in context.stated:
        context.values["payout_limit"] = context.form.choice("payout_limit").default_for(context)
