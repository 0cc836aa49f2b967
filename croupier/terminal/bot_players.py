"""Accounts at the terminal's table, and the bets of the bot players."""

from __future__ import annotations

from croupier.games import House
from croupier.money import Cents
from croupier.table import Account
from croupier.terminal.render.bet_slip import Stakes, minimum_stake, minimum_stakes

YOU = Account("you", "player")
DEALER = Account("dealer", "system")  # deals at practice tables, which have no staff


def bot_stakes(house: House) -> Stakes:
    """The stakes of a bot: the minimum bets, and the progressive if there is one."""
    stakes = minimum_stakes(house)
    for wager in house.game.wagers:
        if wager.role == "progressive" and house.offers(wager.name):
            stakes[wager.name] = minimum_stake(house, wager)
    return stakes


def chips_needed(house: House) -> Cents:
    """The chips a bot needs for one round with the highest bets."""
    stakes = bot_stakes(house)
    highest = sum(max(option.times for option in street.options) for street in house.game.streets)
    return sum(stakes.values()) + highest * stakes[house.game.ante.name]
