"""What a fold takes from a side wager, and what the wager is worth carried to the end."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.games import House
from croupier.games.expected_returns import named_counts, occurrences, returned, stake_of


def lost_by_folding(house: House, wager: str) -> dict[str, Fraction]:
    """What a fold takes from a wager, in cents, by the hand it is judged on."""
    stake, lost = stake_of(house, wager), {}
    for facts, hand, _ in occurrences(house, wager):
        (kept,), (folded,) = (
            house.settle(msgspec.structs.replace(facts, folded=ends)) for ends in (False, True)
        )
        lost[hand] = returned(house, kept, stake) - returned(house, folded, stake)
    return lost


def value_if_carried(house: House, wager: str) -> Fraction:
    """What a wager brings on average, in cents, carried to the end of every round."""
    stake, total = stake_of(house, wager), Fraction(0)
    for facts, _, count in occurrences(house, wager):
        (result,) = house.settle(facts)
        total += count * returned(house, result, stake)
    return total / sum(named_counts(house, wager).values()) - stake
