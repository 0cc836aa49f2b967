"""What the other players bet, and the chips that they need for it."""

from __future__ import annotations

from croupier.games import House
from croupier.money import Cents
from croupier.table.drivers.bots import choose_option, passive_option
from croupier.terminal.render.bet_slip import Stakes, least, smallest

__all__ = ["choose_option", "enough", "passive_option", "stakes_of"]


def stakes_of(house: House) -> Stakes:
    """The smallest bets, and the progressive where there is one."""
    stakes = smallest(house)
    for wager in house.game.wagers:
        if wager.role == "progressive" and house.offers(wager.name):
            stakes[wager.name] = least(house, wager)
    return stakes


def enough(house: House) -> Cents:
    """The chips for one round of theirs, however high they bet in it."""
    stakes = stakes_of(house)
    highest = sum(max(option.times for option in street.options) for street in house.game.streets)
    return sum(stakes.values()) + highest * stakes[house.game.ante.name]
