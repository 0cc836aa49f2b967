"""Side wagers that a fold forfeits: the loss by hand, and the value if never folded."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.games import House
from croupier.games.expected_returns import (
    amount_returned,
    occurrences,
    reference_stake,
    wager_hand_counts,
)


def lost_by_folding(house: House, wager: str) -> dict[str, Fraction]:
    """The amount that a fold forfeits, in cents, by the hand the wager is judged on."""
    stake, lost = reference_stake(house, wager), {}
    for facts, hand, _ in occurrences(house, wager):
        (played,), (folded,) = (
            house.settle(msgspec.structs.replace(facts, folded=ends)) for ends in (False, True)
        )
        lost[hand] = amount_returned(house, played, stake) - amount_returned(house, folded, stake)
    return lost


def value_if_carried(house: House, wager: str) -> Fraction:
    """The average net result of a wager, in cents, if every round is played to the end."""
    stake, total = reference_stake(house, wager), Fraction(0)
    for facts, _, count in occurrences(house, wager):
        (result,) = house.settle(facts)
        total += count * amount_returned(house, result, stake)
    return total / sum(wager_hand_counts(house, wager).values()) - stake
