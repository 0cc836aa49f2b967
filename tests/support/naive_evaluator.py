"""Naive hand evaluators that fast code is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from croupier.cards import rank_of, suit_of

TopFive = tuple[int, tuple[int, ...], list[int]]


def five_cards(cards: Sequence[int], ace_low: bool = True) -> tuple[int, ...]:
    """Return a five-card hand as (category, deciding ranks); tuples compare as hands do."""
    counts = Counter(rank_of(card) for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({suit_of(card) for card in cards}) == 1
    straight = len(counts) == 5 and max(counts) - min(counts) == 4
    if ace_low and set(counts) == {12, 0, 1, 2, 3}:
        straight, ranks = True, [3, 2, 1, 0, -1]
    if flush and straight:
        return (9,) if ranks[0] == 12 else (8, ranks[0])
    if shape == [4, 1]:
        return (7, *ranks)
    if shape == [3, 2]:
        return (6, *ranks)
    if flush:
        return (5, *ranks)
    if straight:
        return (4, ranks[0])
    return ({(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), *ranks)


def poker_hand(cards: Sequence[int], ace_low: bool = True) -> tuple[int, ...]:
    """Return the best five-card hand of the cards."""
    return max(five_cards(five, ace_low) for five in combinations(cards, 5))


def top_five(cards: Sequence[int], extra_cards: bool = True) -> TopFive:
    """Return a Top Five hand: the number of live cards, the best five of them, and the rest."""
    live = [card for card in cards if rank_of(card) >= 8]
    best: tuple[tuple[int, ...], list[int]] = ((-1,), [])
    for five in combinations(live, min(5, len(live))):
        counts = Counter(rank_of(card) for card in five)
        ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
        shape = tuple(sorted(counts.values(), reverse=True))
        if len(counts) == 5:
            royal = len({suit_of(card) for card in five}) == 1
            value: tuple[int, ...] = (9,) if royal else (4,)
        else:
            names = {4: 7, 3: 3, 2: 1}
            category = names.get(shape[0], 0) if shape else 0
            if shape[:2] == (3, 2):
                category = 6
            if shape[:2] == (2, 2):
                category = 2
            value = (category, *ranks)
        rest = sorted((rank_of(card) for card in live if card not in five), reverse=True)
        best = max(best, (value, rest if extra_cards else []))
    return (len(live), *best)
