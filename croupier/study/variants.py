"""Every way of offering a game that moves money: paytables, readings, and Houses with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec

from croupier.games import EnvyChoices, Game, House, Meter, ProgressiveChoices, with_digest
from croupier.rulebook import letters, meter_floors
from croupier.submission import example

STAKE = 1_00  # of a progressive, where its stake is no setting


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


def standard(game_key: str) -> House[Any]:
    """A House that offers everything at the first paytable and the default readings."""
    offering = example(game_key)
    game = offering.game
    first: dict[str, Any] = {
        wager.name: letters(game.document, wager.name)[0]
        for wager in game.wagers
        if letters(game.document, wager.name)
    }
    if isinstance(offering.choices, ProgressiveChoices):
        first["progressive_stake"] = STAKE
    for settings in (game.study.main, *game.study.sides.values()):
        first |= {name: values[0] for name, values in settings.items()}
    house = with_settings(offering, first)
    # Without limits a wager that pays dollars is studied at its usual stake.
    return with_digest(replace(house, operator="standard", limits={}, payout_limit=None))


def combinations_of(names: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Every combination of values."""
    for values in product(*names.values()):
        yield dict(zip(names, values, strict=True))
