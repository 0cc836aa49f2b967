"""The least hand with which a dealer qualifies: what it is worth, and how it is said.

It is written as the ranks it holds, best first ("QJ", "44", "A"), or as the name of a hand ("pair",
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
MOST_RANKS = 4  # a fifth rank would make straights of some
_KINDS = {
    (1,): HIGH_CARD,
    (2,): PAIR,
    (2, 2): TWO_PAIR,
    (3,): THREE_OF_A_KIND,
    (4,): FOUR_OF_A_KIND,
}
_WITHOUT_ARTICLE = ("two_pair", "three_of_a_kind", "four_of_a_kind", *LIVE_COUNTS)


class Qualifier(msgspec.Struct, frozen=True):
    """What a dealer has to hold, and the function that says what such a hand is worth."""

    hand: str
    least: Callable[[str], int]

    @property
    def value(self) -> int:
        """The least value that qualifies."""
        return self.least(self.hand)

    @property
    def words(self) -> str:
        """The hand as it is said: "a pair", "queen-jack"; "" where every hand qualifies."""
        return spoken_qualifier(self.hand)


@lru_cache(maxsize=64)
def least_poker(hand: str) -> int:
    """The least poker value of a qualifying hand: a category, or up to four ranks of it."""
    if hand == EVERY_HAND:
        return 0
    if hand in CATEGORIES:
        return CATEGORIES.index(hand) << CATEGORY_SHIFT
    held = _ranks(hand, RANKS, f"{EVERY_HAND}, {', '.join(CATEGORIES[1:])}")
    groups = sorted(held.items(), key=lambda group: (group[1], group[0]), reverse=True)
    kind = _KINDS[tuple(count for _, count in groups if count > 1) or (1,)]
    value = kind << CATEGORY_SHIFT
    for place, (rank, _) in enumerate(groups):
        value |= rank << 16 - 4 * place
    return value


@lru_cache(maxsize=64)
def least_live(hand: str) -> int:
    """The least Top Five value of a qualifying hand: so many live cards, or exactly these ranks."""
    if hand == EVERY_HAND:
        return 0
    if hand in LIVE_COUNTS:
        return LIVE_COUNTS.index(hand) << LIVE_COUNT_SHIFT
    held = _ranks(hand, RANKS[LOWEST_LIVE_RANK:], f"{EVERY_HAND}, {', '.join(LIVE_COUNTS[1:])}")
    cards = [rank << 2 | suit for rank, count in held.items() for suit in range(count)]
    return live_card_value(cards)


def _ranks(hand: str, known: str, names: str) -> Counter[int]:
    """How often each rank is held."""
    fits = 1 <= len(hand) <= MOST_RANKS and all(rank in known for rank in hand)
    if not fits:
        raise BadInput(
            f"{hand!r} is no qualifying hand; expected one to {MOST_RANKS} of the ranks {known} "
            f"such as {known[-3] * 2}, or {names}"
        )
    return Counter(RANKS.index(rank) for rank in hand)


def spoken_qualifier(hand: str) -> str:
    """The words for a qualifying hand."""
    if hand == EVERY_HAND:
        return ""
    if hand in CATEGORIES or hand in LIVE_COUNTS:
        return title(hand) if hand in _WITHOUT_ARTICLE else f"a {title(hand)}"
    if len(hand) == 1:
        return f"{SINGULARS[hand]} high"
    if len(set(hand)) == 1:
        return f"{('a pair of', 'three', 'four')[len(hand) - 2]} {PLURALS[hand[0]]}"
    return "-".join(SINGULARS[rank] for rank in hand)
