"""The floor of the payout limit: the most one player can win at minimum bets (A60).

The candidate deals of the game (`PayoutLimit.best_deals`) are judged and settled with every offered
wager at its minimum and every later bet at its highest multiple; the highest win counts.
"""

from __future__ import annotations

import msgspec

from croupier.games.game import DealtHand, PayoutLimit
from croupier.games.house import House
from croupier.money import Cents, Pays, up_to_cent


class WagerWin(msgspec.Struct, frozen=True):
    """What one wager wins on the best deal."""

    wager: str
    stake: Cents
    pays: Pays
    amount: Cents


class MaximumWin(msgspec.Struct, frozen=True):
    """The highest win, by wager, and the deal that wins it."""

    total: Cents
    shares: tuple[WagerWin, ...]
    deal: DealtHand


def covered_wagers(house: House, limit: PayoutLimit) -> tuple[str, ...]:
    """The wagers that the payout limit covers in this House, in settlement order."""
    return limit.covers + limit.also_covers(house)


def maximum_win_at_minimum(house: House) -> MaximumWin:
    """The most that the covered wagers of one box can win; the game must have a limit."""
    limit = house.game.limit
    assert limit is not None, f"{house.game.key} has no payout limit"
    return max((_win(house, limit, deal) for deal in limit.best_deals), key=lambda m: m.total)


def payout_floor(house: House) -> Cents:
    """The lowest payout limit allowed: the fixed floor or the maximum win, if higher."""
    limit = house.game.limit
    assert limit is not None, f"{house.game.key} has no payout limit"
    return max(limit.fixed_floor, maximum_win_at_minimum(house).total)


def _win(house: House, limit: PayoutLimit, deal: DealtHand) -> MaximumWin:
    covered = covered_wagers(house, limit)
    stakes = {wager: stake for wager in covered if (stake := _stake(house, wager))}
    dealt = msgspec.structs.replace(deal, wagers=tuple(stakes))
    shares = []
    for facts in house.game.judge(dealt, house):
        for result in house.settle(facts):
            stake = stakes.get(result.wager, 0)
            if result.outcome == "win" and stake:
                amount = up_to_cent(result.pays.winnings(stake))
                shares.append(WagerWin(result.wager, stake, result.pays, amount))
    shares.sort(key=lambda share: covered.index(share.wager))
    return MaximumWin(sum(share.amount for share in shares), tuple(shares), dealt)


def _stake(house: House, name: str) -> Cents:
    """The minimum stake, or the highest multiple of a later bet; 0 if it is not offered."""
    wager = house.game.wager(name)
    assert wager is not None, f"{name} is covered by the limit but is not a wager"
    if not house.offers(name):
        return 0
    ante = house.limits[house.game.ante.name].minimum
    if wager.role == "optional":
        return house.limits[name].minimum
    bets = [o.times for street in house.game.streets for o in street.options if o.wager == name]
    return max(bets) * ante if bets else ante
