"""The dealer's qualifier: the lowest hand with which the dealer qualifies.

The hand is given as its ranks, best first ("QJ", "44", "A"), or as the name of a hand ("pair",
"count_3"); with "none" every hand qualifies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import msgspec

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games.hand_names import LIVE_COUNTS, PLURALS, SINGULARS, title
from croupier.ranking import (
    CATEGORIES,
    CATEGORY_SHIFT,
    FOUR_OF_A_KIND,
    HIGH_CARD,
    LIVE_COUNT_SHIFT,
    LOWEST_LIVE_RANK,
    PAIR,
    THREE_OF_A_KIND,
    TWO_PAIR,
    live_card_value,
)

EVERY_HAND = "none"
MAX_RANKS = 4  # five ranks could make a straight
_KINDS = {
    (1,): HIGH_CARD,
    (2,): PAIR,
    (2, 2): TWO_PAIR,
    (3,): THREE_OF_A_KIND,
    (4,): FOUR_OF_A_KIND,
}
_WITHOUT_ARTICLE = ("two_pair", "three_of_a_kind", "four_of_a_kind", *LIVE_COUNTS)


class Qualifier(msgspec.Struct, frozen=True):
    """The lowest qualifying hand, and the function that evaluates it for a kind of game."""

    hand: str
    minimum_value: Callable[[str], int]

    @property
    def value(self) -> int:
        """The lowest value that qualifies."""
        return self.minimum_value(self.hand)

    @property
    def words(self) -> str:
        """The hand for people: "a pair", "queen-jack"; "" if every hand qualifies."""
        return _describe(self.hand)


@lru_cache(maxsize=64)
def minimum_poker_value(hand: str) -> int:
    """The lowest poker value of a category or of up to four ranks. Raises `BadInput`."""
    if hand == EVERY_HAND:
        return 0
    if hand in CATEGORIES:
        return CATEGORIES.index(hand) << CATEGORY_SHIFT
    ranks = _count_ranks(hand, RANKS, f"{EVERY_HAND}, {', '.join(CATEGORIES[1:])}")
    groups = sorted(ranks.items(), key=lambda group: (group[1], group[0]), reverse=True)
    kind = _KINDS[tuple(count for _, count in groups if count > 1) or (1,)]
    value = kind << CATEGORY_SHIFT
    for place, (rank, _) in enumerate(groups):
        value |= rank << 16 - 4 * place
    return value


@lru_cache(maxsize=64)
def minimum_live_card_value(hand: str) -> int:
    """The lowest live-card value of a number of live cards or of ranks. Raises `BadInput`."""
    if hand == EVERY_HAND:
        return 0
    if hand in LIVE_COUNTS:
        return LIVE_COUNTS.index(hand) << LIVE_COUNT_SHIFT
    ranks = _count_ranks(
        hand, RANKS[LOWEST_LIVE_RANK:], f"{EVERY_HAND}, {', '.join(LIVE_COUNTS[1:])}"
    )
    cards = [rank << 2 | suit for rank, count in ranks.items() for suit in range(count)]
    return live_card_value(cards)


def _count_ranks(hand: str, allowed: str, names: str) -> Counter[int]:
    if not (1 <= len(hand) <= MAX_RANKS and all(rank in allowed for rank in hand)):
        raise BadInput(
            f"{hand!r} is not a qualifying hand; expected one to {MAX_RANKS} of the ranks "
            f"{allowed}, for example {allowed[-3] * 2}, or {names}"
        )
    return Counter(RANKS.index(rank) for rank in hand)


def _describe(hand: str) -> str:
    if hand == EVERY_HAND:
        return ""
    if hand in CATEGORIES or hand in LIVE_COUNTS:
        return title(hand) if hand in _WITHOUT_ARTICLE else f"a {title(hand)}"
    if len(hand) == 1:
        return f"{SINGULARS[hand]} high"
    if len(set(hand)) == 1:
        return f"{('a pair of', 'three', 'four')[len(hand) - 2]} {PLURALS[hand[0]]}"
    return "-".join(SINGULARS[rank] for rank in hand)
