"""Chip denominations of a table, and the stakes that can be paid with them."""

from __future__ import annotations

from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.money import Cents

if TYPE_CHECKING:
    from croupier.games.house import House


class Chip(msgspec.Struct, frozen=True):
    """One denomination of chip, coin or plaque."""

    cents: Cents
    colour: str


# The chips of a table whose submission does not list a chip set.
STANDARD = (
    Chip(1_00, "white"),
    Chip(5_00, "red"),
    Chip(25_00, "green"),
    Chip(100_00, "black"),
    Chip(500_00, "purple"),
    Chip(1_000_00, "yellow"),
    Chip(5_000_00, "brown"),
)
COIN = Chip(1, "coin")


def standard_chips(lowest: Cents | None) -> tuple[Chip, ...]:
    """The standard chips from the lowest chip up; with one-cent coins if there is no lowest."""
    if lowest is None:
        return (COIN, *STANDARD)
    first = next((chip for chip in STANDARD if chip.cents == lowest), Chip(lowest, "pink"))
    higher = (chip for chip in STANDARD if chip.cents > lowest and chip.cents % lowest == 0)
    return (first, *higher)


def stake_unit(house: House[Any], wager: str) -> Cents:
    """The unit that stakes on a wager must be a multiple of, in cents (A24).

    A stake is whole chips. With exact payouts (`chip_rounding`), its winnings must be whole chips
    too: at 3 to 2 with $1 chips the stake must be even.
    """
    lowest = house.lowest_chip
    if lowest is None:
        return 1
    unit = lowest * _chips_per_unit(house, wager)
    if wager == house.game.ante.name:
        matching = [w.name for w in house.game.wagers if w.role == "matching"]
        unit = lcm(unit, *(lowest * _chips_per_unit(house, name) for name in matching))
    return unit


def _chips_per_unit(house: House[Any], wager: str) -> int:
    """The least number of chips on which every line of the paytable pays whole chips."""
    has_paytable = wager in house.letters or wager in house.game.fixed_paytables
    if house.choices.chip_rounding != "exact" or not has_paytable or wager == "progressive":
        return 1
    odds = (line.pays for line in house.paytable(wager).lines)
    return lcm(1, *(pays.per // gcd(pays.win, pays.per) for pays in odds if pays.per > 1))
