"""From a filing to a House, and the payout limit that follows from it."""

from __future__ import annotations

from typing import Any

from croupier.games import House, payout_floor, with_digest
from croupier.games.forms import Choice, ParseContext


def bind(filing: ParseContext) -> House[Any]:
    """The House of a filing in which no error was found."""
    return with_digest(_bound(filing))


def _bound(filing: ParseContext) -> House[Any]:
    game, proposal = filing.game, filing.proposal
    stated = {
        choice.name: _value(filing, choice)
        for choice in filing.form.every_choice
        if choice.name in game.choices.__struct_fields__
    }
    return House(
        game=game if proposal is None else proposal.played(game),
        # Whatever is printed or drawn names the operator, and so says what it is.
        operator=filing.operator if proposal is None else f"{filing.operator} (proposal)",
        dealing_method=filing.values["dealing_method"],
        shuffle_method=filing.values["shuffle_method"],
        decks=filing.values["decks"],
        max_adjacent_boxes=filing.values["max_adjacent_boxes"],
        limits=filing.limits,
        letters=filing.letters,
        choices=game.choices(operator_logo=filing.logo, **stated),
        meters=filing.meters,
        payout_limit=filing.values.get("payout_limit"),
        proposal=proposal,
    )


def _value(filing: ParseContext, choice: Choice) -> Any:
    """The value of a choice. Where a compulsory one is missing there will be no House, but the
    payout limit can still be judged with any of its words."""
    value = filing.values[choice.name]
    words: tuple[str, ...] = getattr(choice.kind, "words", ())
    return words[0] if value is None and choice.missing == "error" and words else value


def compute_limit(filing: ParseContext) -> None:
    """What the document sets as the payout limit, unless what it follows from has errors (A60)."""
    if filing.game.limit is None or filing.broken("limits", "paytables"):
        return
    filing.computed_limit = payout_floor(_bound(filing))
    if "payout_limit" not in filing.given:
        filing.values["payout_limit"] = filing.form.choice("payout_limit").default_for(filing)
