"""A House with other settings: other paytables, other readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games.choices import EnvyChoices
from croupier.games.game import Game
from croupier.games.house import House, Meter
from croupier.games.house_codec import with_digest
from croupier.rulebook import meter_floors


def with_settings(house: House[Any], settings: Mapping[str, Any]) -> House[Any]:
    """The same House with other paytables and readings."""
    wagers = {wager.name for wager in house.game.wagers}
    chosen = {**house.letters, **{k: v for k, v in settings.items() if k in wagers}}
    meters = house.meters
    if "progressive" in settings:
        meters = least_meters(house.game, settings["progressive"])
    changed: dict[str, Any] = {k: v for k, v in settings.items() if k not in wagers}
    if isinstance(house.choices, EnvyChoices) and "progressive" in chosen:
        changed["envy_schedule"] = chosen["progressive"]
    choices = msgspec.structs.replace(house.choices, **changed)
    return with_digest(replace(house, letters=chosen, choices=choices, meters=meters))


def least_meters(game: Game, letter: str) -> dict[str, Meter]:
    """The meters of a progressive paytable at their least reset amounts."""
    return {
        floor.meter: Meter(
            name=floor.meter,
            initial=floor.minimum_dollars * 100,
            reset=floor.minimum_dollars * 100,
            rate_percent=Fraction(1),
        )
        for floor in meter_floors(game.document, letter)
    }
