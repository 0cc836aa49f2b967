"""The settings of a game that change payouts (paytables and readings), and Houses with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from croupier.games import House, ProgressiveChoices, with_digest
from croupier.games.house_codec import with_settings
from croupier.rulebook import letters
from croupier.submission import example

__all__ = ["STANDARD_STAKE", "combinations_of", "standard_house", "with_settings"]

STANDARD_STAKE = 1_00  # of a progressive, where the stake is not a setting


def standard_house(game_key: str) -> House[Any]:
    """A House that offers every wager with its first paytable and the default readings."""
    offering = example(game_key)
    game = offering.game
    first: dict[str, Any] = {
        wager.name: letters(game.document, wager.name)[0]
        for wager in game.wagers
        if letters(game.document, wager.name)
    }
    if isinstance(offering.choices, ProgressiveChoices):
        first["progressive_stake"] = STANDARD_STAKE
    for settings in (game.analysis.main, *game.analysis.sides.values()):
        first |= {name: values[0] for name, values in settings.items()}
    house = with_settings(offering, first)
    # Without limits a wager with dollar awards is valued at `STANDARD_STAKE`.
    return with_digest(replace(house, operator="standard", limits={}, payout_limit=None))


def combinations_of(names: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """The Cartesian product of the settings' values, as dictionaries."""
    for values in product(*names.values()):
        yield dict(zip(names, values, strict=True))
