"""Side wagers that a fold forfeits: the loss by hand, and the value if never folded."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.games import House
from croupier.games.expected_returns import named_counts, occurrences, returned, stake_of


def lost_by_folding(house: House, wager: str) -> dict[str, Fraction]:
    """The amount that a fold forfeits, in cents, by the hand the wager is judged on."""
    stake, lost = stake_of(house, wager), {}
    for facts, hand, _ in occurrences(house, wager):
        (played,), (folded,) = (
            house.settle(msgspec.structs.replace(facts, folded=ends)) for ends in (False, True)
        )
        lost[hand] = returned(house, played, stake) - returned(house, folded, stake)
    return lost


def value_if_carried(house: House, wager: str) -> Fraction:
    """The average net result of a wager, in cents, if every round is played to the end."""
    stake, total = stake_of(house, wager), Fraction(0)
    for facts, _, count in occurrences(house, wager):
        (result,) = house.settle(facts)
        total += count * returned(house, result, stake)
    return total / sum(named_counts(house, wager).values()) - stake
