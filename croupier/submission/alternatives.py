"""What else an operator could choose, and what each choice returns, exactly and at once.

Only settings that move money are here: the letters of paytables and the readings that a game's
study names. One setting is changed at a time, everything else stays as the House has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.games import House
from croupier.games.expected_returns import (
    precomputed_main_return,
    setting_value,
    side_return,
    side_wagers,
)
from croupier.games.house_codec import with_settings
from croupier.rulebook import letters


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a setting: what comes back of one unit of a wager under it.

    `wager` is "main" for the whole main game, per unit of one ante.
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
    """Every setting of a House that could be another, or `only` the one of that name.

    Of `open_fields` none is chosen yet.
    """
    settings = [("main", name, values) for name, values in _main_settings(house)]
    for wager in side_wagers(house):
        settings += [(wager, *each) for each in _side_settings(house, wager).items()]
    found = [_priced(house, *each) for each in settings if only in ("", each[1])]
    opened = [_opened(each) if each.field in open_fields else each for each in found]
    return [each for each in opened if len(each.values) > 1]


def _main_settings(house: House[Any]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    # A main game that nobody has kept takes minutes to solve; it is for `croupier analyze`.
    for name, values in house.game.analysis.main.items():
        yield (
            name,
            tuple(v for v in values if precomputed_main_return(_other(house, name, v)) is not None),
        )


def _side_settings(house: House[Any], wager: str) -> Mapping[str, tuple[Any, ...]]:
    readings = house.game.analysis.sides.get(wager, {})
    if house.proposal is not None and wager in house.proposal.pays:
        return readings  # no letter is played for
    return {wager: letters(house.game.document, wager), **readings}


def _priced(house: House[Any], wager: str, name: str, values: tuple[Any, ...]) -> Alternatives:
    now = setting_value(house, name)
    priced = []
    for value in values:
        other = _other(house, name, value)
        share = precomputed_main_return(other) if wager == "main" else side_return(other, wager)
        assert share is not None, f"{name}: only kept values of a main game are asked for"
        priced.append(
            Alternative(wager=wager, value=_text(name, value), share=share, chosen=value == now)
        )
    section = "paytables" if name in house.letters else "choices"
    return Alternatives(field=f"{section}.{name}", values=tuple(priced))


def _other(house: House[Any], name: str, value: Any) -> House[Any]:
    return house if setting_value(house, name) == value else with_settings(house, {name: value})


def _opened(each: Alternatives) -> Alternatives:
    values = tuple(msgspec.structs.replace(value, chosen=False) for value in each.values)
    return msgspec.structs.replace(each, values=values)


def _text(name: str, value: Any) -> str:
    if name == "progressive_stake":  # cents in a House, dollars in the file
        return f"{value // 100}"
    return str(value).lower() if isinstance(value, bool) else str(value)
