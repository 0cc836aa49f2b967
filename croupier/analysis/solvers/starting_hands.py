"""Suit isomorphism classes of what a player sees before the first decision."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.enumerate import flops
from croupier.cards import NAMES, RANKS

Longs = NDArray[np.int64]


class StartingHandClasses(NamedTuple):
    """Isomorphism classes of the information at the first decision."""

    ids: Longs  # [community card or 0, hand]; -1 where the card is in the hand
    names: tuple[str, ...]
    sizes: Longs  # deals per class


def hand_name(low: int, high: int) -> str:
    """The usual name of a starting hand: "AKs", "T9o", "77"."""
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if low & 3 == high & 3 else "o")


@cache
def hand_classes() -> StartingHandClasses:
    """The 169 starting hands, aces first."""
    by_hand = [hand_name(int(low), int(high)) for low, high in flops.hands()]
    names = sorted(
        set(by_hand), key=lambda name: (-RANKS.index(name[0]), -RANKS.index(name[1]), name[2:])
    )
    number = {name: at for at, name in enumerate(names)}
    ids = np.array([[number[name] for name in by_hand]], np.int64)
    return StartingHandClasses(ids, tuple(names), np.bincount(ids[0]).astype(np.int64))


@cache
def hand_and_card_classes() -> StartingHandClasses:
    """A starting hand and one community card, up to suits: "AKs with Qs in suit"."""
    cards = np.arange(52)
    hands = flops.hands()
    orders, renamed = flops.suit_orders(), flops.renamed_hands()
    least = np.full((52, flops.HANDS), np.iinfo(np.int64).max)
    for order, new_hands in zip(orders, renamed, strict=True):
        new_cards = cards >> 2 << 2 | order[cards & 3]
        np.minimum(least, new_cards[:, None] * flops.HANDS + new_hands[None, :], out=least)
    clash = (cards[:, None] == hands[:, 0]) | (cards[:, None] == hands[:, 1])
    least[clash] = -1
    keys, ids, sizes = np.unique(least, return_inverse=True, return_counts=True)
    ids = ids.reshape(least.shape) - 1  # the first key is -1: card in hand
    names = tuple(_hand_and_card_name(int(key)) for key in keys[1:])
    return StartingHandClasses(ids, names, sizes[1:].astype(np.int64))


def _hand_and_card_name(key: int) -> str:
    card, hand = divmod(key, flops.HANDS)
    low, high = (int(held) for held in flops.hands()[hand])
    return f"{NAMES[high]}{NAMES[low]} | {NAMES[card]}"
