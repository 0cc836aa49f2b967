"""What an operator may fill in, game by game, as data.

Reading, checking, the operator's page and the JSON Schema all go through the same records.
"""

from __future__ import annotations

from typing import Any

from croupier.games.game import Game
from croupier.rulebook.paytables import letters
from croupier.submission.fields import (
    jackpot_holdem,
    run_em_twice,
    texas_holdem_bonus,
    top_five,
    ultimate_texas_holdem,
)
from croupier.submission.fields.choice import Choice, Form, Offer
from croupier.submission.fields.common import Places, common

FORMS: dict[str, Form] = {
    "texas_holdem_bonus": texas_holdem_bonus.FORM,
    "top_five": top_five.FORM,
    "ultimate_texas_holdem": ultimate_texas_holdem.FORM,
    "jackpot_holdem": jackpot_holdem.FORM,
    "run_em_twice": run_em_twice.FORM,
}

__all__ = ["FORMS", "Choice", "Form", "Offer", "form_of", "markdown", "schema"]


def form_of(game: Game) -> Form:
    """The form of a game; one that has no fields of its own gets those that all games share."""
    if game.key in FORMS:
        return FORMS[game.key]
    offers = (
        Offer(wager=wager.name, clause=wager.clause, letter_clause=wager.clause)
        for wager in game.wagers
        if letters(game.key, wager.name)
    )
    return Form(choices=common(Places()), offers=tuple(offers))


def markdown() -> str:
    """The tables of the operator's page."""
    from croupier.submission.fields.pages import markdown as tables

    return tables()


def schema() -> dict[str, Any]:
    """The JSON Schema of a submission."""
    from croupier.submission.fields.schemas import schema as shape

    return shape()
