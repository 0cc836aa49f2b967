"""What players see on each street, as arrays: the words that rules of play may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.errors import BadInput
from croupier.games import Street
from croupier.study import starting, workers
from croupier.study.kernels import deals, sights, signatures
from croupier.study.pricing import in_order
from croupier.study.tables import tables

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ArraySight:
    """What is seen in many situations, one array by name, all of one shape.

    `classes` are the starting hands in them (numbers of `starting.hand_classes`); None where the
    suits of the own cards are not told.
    """

    street: str
    options: tuple[str, ...]
    arrays: Mapping[str, NDArray[Any]]
    classes: Longs | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What can be seen."""
        return tuple(self.arrays)

    def see(self, name: str) -> NDArray[Any]:
        """One number for each situation."""
        return self.arrays[name]

    def among(self, hands: frozenset[str]) -> NDArray[np.bool_]:
        """Where the own cards are among these starting hands."""
        if self.classes is None:
            raise BadInput(
                f"the {self.street} is told without the suits of one's own cards, so cards in "
                f'"..." cannot be asked there; expected {", ".join(self.names)}'
            )
        known = np.array([name in hands for name in starting.hand_classes().names])
        shape = self.see(self.names[0]).shape
        return np.broadcast_to(known[self.classes], shape)


def words_of(street: Street) -> tuple[str, ...]:
    """The options of a street, the one that risks least first."""
    return tuple(option.word for option in in_order(street))


def own_cards(cards: Longs) -> dict[str, Bytes]:
    """What is seen of two cards: [hand, card], the lower first."""
    low, high = (cards[:, 0] >> 2) + 2, (cards[:, 1] >> 2) + 2
    seen = {
        "high": high,
        "low": low,
        "pocket": np.where(low == high, high, 0),
        "suited": cards[:, 0] & 3 == cards[:, 1] & 3,
        "gap": np.where(low == high, 0, high - low),
    }
    return {name: values.astype(np.uint8) for name, values in seen.items()}


def first_hands() -> Longs:
    """One hand of each of the 169 classes."""
    _, first = np.unique(starting.hand_classes().ids[0], return_index=True)
    hands: Longs = deals.hands()[first]
    return hands


def of_starting_hands(street: Street) -> ArraySight:
    """The first street where only the own cards are seen: 169 starting hands."""
    return ArraySight(street.name, words_of(street), own_cards(first_hands()), np.arange(169))


def of_hand_and_card(street: Street) -> ArraySight:
    """The first street where one community card is seen too: 5,083 classes."""
    ids = starting.hand_and_card_classes().ids
    _, first = np.unique(ids, return_index=True)
    cards, hands = np.divmod(first[1:], deals.HANDS)  # the first is -1: the card in the hand
    held = deals.hands()[hands]
    seen = own_cards(held)
    ranks, card = held >> 2, cards >> 2
    matched = (ranks == card[:, None]).any(axis=1)
    of_suit = (held & 3 == (cards & 3)[:, None]).sum(axis=1)
    more = {
        "card": card + 2,
        "pair": np.where(seen["pocket"] > 0, seen["pocket"], np.where(matched, card + 2, 0)),
        "in_suit": np.where(of_suit == 2, 3, np.maximum(of_suit + 1, seen["suited"] + 1)),
        "over": (ranks > card[:, None]).sum(axis=1),
        "span": np.maximum(ranks.max(axis=1), card) - np.minimum(ranks.min(axis=1), card),
    }
    seen |= {name: values.astype(np.uint8) for name, values in more.items()}
    classes = starting.hand_classes().ids[0][hands]
    return ArraySight(street.name, words_of(street), seen, classes)


@lru_cache(maxsize=2)
def _early(size: int) -> Bytes:
    boards = deals.early_boards(size).cards
    out = np.zeros((len(boards), len(sights.EARLY_NAMES), deals.HANDS), np.uint8)
    ends = sights.completing()
    workers.over(
        len(boards),
        lambda first, last: sights.see_early(
            first, last, boards, deals.hands(), tables(), ends, out
        ),
    )
    return out


@cache
def _suited_hands() -> Bytes:
    return own_cards(deals.hands())["suited"]


def of_early_boards(street: Street) -> ArraySight:
    """Flops or turns up to suits, each with every hand: arrays [board, hand]."""
    seen = _early(street.shown)
    arrays = {name: seen[:, at] for at, name in enumerate(sights.EARLY_NAMES)}
    arrays["suited"] = np.broadcast_to(_suited_hands(), arrays["high"].shape)
    return ArraySight(street.name, words_of(street), arrays, starting.hand_classes().ids[0])


@cache
def _rivers() -> tuple[Bytes, Bytes]:
    numbering = signatures.numbering()
    boards = signatures.multisets(5)
    names = len(sights.RIVER_NAMES)
    plain = np.zeros((len(boards), names, signatures.RANK_PAIRS), np.uint8)
    suited = np.zeros((signatures.FLUSH_BOARDS, names, signatures.HAND_TYPES), np.uint8)
    workers.over(
        len(boards),
        lambda first, last: sights.see_rank_boards(first, last, boards, tables(), plain),
    )
    masks, outside = numbering.flush_masks, numbering.flush_outside
    workers.over(
        len(masks),
        lambda first, last: sights.see_flush_boards(first, last, masks, outside, tables(), suited),
    )
    return plain, suited


def of_rivers(street: Street) -> tuple[ArraySight, ArraySight]:
    """Boards without a flush, told by ranks, and boards with three or more of a suit."""
    plain, suited = (
        ArraySight(
            street.name,
            words_of(street),
            {name: seen[:, at] for at, name in enumerate(sights.RIVER_NAMES)},
        )
        for seen in _rivers()
    )
    return plain, suited


def rank_word(rank: int) -> str:
    """A rank as rules write it: 10 is T."""
    return RANKS[rank - 2] if rank >= 10 else str(rank)
