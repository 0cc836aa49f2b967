"""The exact expected returns of the other values that an operator could choose.

Only settings that change returns are covered: paytable letters and the readings that the game's
analysis names. One setting is changed at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games import House
from croupier.games.expected_returns import kept_main, setting, side_return, side_wagers
from croupier.games.house_settings import with_settings
from croupier.rulebook import letters


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a setting, and the expected return of one unit of a wager under it.

    `wager` is "main" for the main game, whose return is per unit of one ante.
    """

    wager: str
    value: str
    share: Fraction
    chosen: bool


class Alternatives(msgspec.Struct, frozen=True, kw_only=True):
    """Every value of one field of the submission, in the order of the document."""

    field: str
    values: tuple[Alternative, ...]


def alternatives(
    house: House[Any], open_fields: Collection[str] = (), only: str = ""
) -> list[Alternatives]:
    """Return the alternatives of every setting that has any, or `only` of the setting named.

    No value of `open_fields` is marked as chosen.
    """
    settings = [("main", name, values) for name, values in _main_settings(house)]
    for wager in side_wagers(house):
        settings += [(wager, *item) for item in _side_settings(house, wager).items()]
    priced = [_price(house, *item) for item in settings if only in ("", item[1])]
    return [
        _without_choice(item) if item.field in open_fields else item
        for item in priced
        if len(item.values) > 1
    ]


def _main_settings(house: House[Any]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    # Solving a main game takes minutes, so only precomputed values are offered here.
    for name, values in house.game.analysis.main.items():
        yield name, tuple(v for v in values if kept_main(_with_value(house, name, v)) is not None)


def _side_settings(house: House[Any], wager: str) -> Mapping[str, tuple[Any, ...]]:
    readings = house.game.analysis.sides.get(wager, {})
    if house.proposal is not None and wager in house.proposal.pays:
        return readings  # the proposed paytable replaces every letter
    return {wager: letters(house.game.document, wager), **readings}


def _price(house: House[Any], wager: str, name: str, values: tuple[Any, ...]) -> Alternatives:
    current = setting(house, name)
    priced = []
    for value in values:
        other = _with_value(house, name, value)
        share = kept_main(other) if wager == "main" else side_return(other, wager)
        assert share is not None, f"{name}: no precomputed value of the main game"
        priced.append(
            Alternative(wager=wager, value=_text(name, value), share=share, chosen=value == current)
        )
    section = "paytables" if name in house.letters else "choices"
    return Alternatives(field=f"{section}.{name}", values=tuple(priced))


def _with_value(house: House[Any], name: str, value: Any) -> House[Any]:
    return house if setting(house, name) == value else with_settings(house, {name: value})


def _without_choice(alternatives: Alternatives) -> Alternatives:
    values = tuple(msgspec.structs.replace(value, chosen=False) for value in alternatives.values)
    return msgspec.structs.replace(alternatives, values=values)


def _text(name: str, value: Any) -> str:
    if name == "progressive_stake":  # cents in a House, dollars in the file
        return f"{value // 100}"
    return str(value).lower() if isinstance(value, bool) else str(value)
