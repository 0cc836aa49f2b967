"""The most one player can win at the table's minimum (A60), from what is posted and read here.

The deals that can win the most are dealt, judged and settled by the game itself, every wager
offered at its minimum and every later bet at its highest; the best of them counts.
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
    """The most, wager by wager, and the deal that wins it."""

    total: Cents
    shares: tuple[WagerWin, ...]
    deal: DealtHand


def covered_wagers(house: House, limit: PayoutLimit) -> tuple[str, ...]:
    """The wagers that the payout limit reaches here, in the order they are paid."""
    return limit.covers + limit.also_covers(house)


def maximum_win_at_minimum(house: House) -> MaximumWin:
    """The most that the covered wagers of one box can win; the game must have a payout limit."""
    limit = house.game.limit
    assert limit is not None, f"{house.game.key} has no payout limit to compute"
    return max((_worth(house, limit, deal) for deal in limit.best_deals), key=lambda m: m.total)


def payout_floor(house: House) -> Cents:
    """The greater of the fixed amount and the most one player could win at the minimum."""
    limit = house.game.limit
    assert limit is not None, f"{house.game.key} has no payout limit to compute"
    return max(limit.fixed_floor, maximum_win_at_minimum(house).total)


def _worth(house: House, limit: PayoutLimit, deal: DealtHand) -> MaximumWin:
    covered = covered_wagers(house, limit)
    stakes = {wager: stake for wager in covered if (stake := _stake(house, wager))}
    seen = msgspec.structs.replace(deal, wagers=tuple(stakes))
    shares = []
    for facts in house.game.judge(seen, house):
        for result in house.settle(facts):
            stake = stakes.get(result.wager, 0)
            if result.outcome == "win" and stake:
                amount = up_to_cent(result.pays.winnings(stake))
                shares.append(WagerWin(result.wager, stake, result.pays, amount))
    shares.sort(key=lambda share: covered.index(share.wager))
    return MaximumWin(sum(share.amount for share in shares), tuple(shares), seen)


def _stake(house: House, name: str) -> Cents:
    """The minimum of a wager, a later bet at its highest multiple; nothing if it is not offered."""
    wager = house.game.wager(name)
    assert wager is not None, f"{name} is covered by a limit and is no wager"
    if not house.offers(name):
        return 0
    ante = house.limits[house.game.ante.name].minimum
    if wager.role == "optional":
        return house.limits[name].minimum
    bets = [o.times for street in house.game.streets for o in street.options if o.wager == name]
    return max(bets) * ante if bets else ante
