"""The chips of a table: denominations with their colours, and what can be paid with them."""

from __future__ import annotations

from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.money import Cents

if TYPE_CHECKING:
    from croupier.games.house import House


class Chip(msgspec.Struct, frozen=True):
    """One kind of chip, coin or plaque."""

    cents: Cents
    colour: str


# What a table has whose submission names no set of its own.
USUAL = (
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
    """The usual set from the lowest chip up; without one there are coins for every cent."""
    if lowest is None:
        return (COIN, *USUAL)
    first = next((chip for chip in USUAL if chip.cents == lowest), Chip(lowest, "pink"))
    higher = (chip for chip in USUAL if chip.cents > lowest and chip.cents % lowest == 0)
    return (first, *higher)


def stake_unit(house: House[Any], wager: str) -> Cents:
    """What a stake is a multiple of, so that chips make it up and can pay what it wins (A24).

    A stake is whole chips. Where winnings are paid as they are (`exact`), the odds must come to
    whole chips too: 3 to 2 in chips of $1 needs an even stake.
    """
    lowest = house.lowest_chip
    if lowest is None:
        return 1
    unit = lowest * _parts(house, wager)
    if wager == house.game.ante.name:
        equal = [w.name for w in house.game.wagers if w.role == "matching"]
        unit = lcm(unit, *(lowest * _parts(house, name) for name in equal))
    return unit


def _parts(house: House[Any], wager: str) -> int:
    """How many chips a stake must be a multiple of for every posted odds to come out whole."""
    posted = wager in house.letters or wager in house.game.fixed_paytables
    if house.choices.chip_rounding != "exact" or not posted or wager == "progressive":
        return 1
    odds = (line.pays for line in house.paytable(wager).lines)
    return lcm(1, *(each.per // gcd(each.win, each.per) for each in odds if each.per > 1))
