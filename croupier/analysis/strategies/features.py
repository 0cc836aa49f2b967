"""Features of the situations on each street, as arrays: the names that rules may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.kernels.enumerate import board_features, flops
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import starting_hands
from croupier.analysis.strategies.cost import ordered_options
from croupier.errors import BadInput
from croupier.games import Street

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
PART_BYTES = 2**24


@dataclass(frozen=True, slots=True, eq=False)
class FeatureArrays:
    """Features of many situations: one array per name, all of the same shape.

    `classes` are their starting hands (numbers of `starting_hands.hand_classes`); None where the
    isomorphism classes of the street do not determine the suits of the own cards.
    """

    street: str
    options: tuple[str, ...]
    arrays: Mapping[str, NDArray[Any]]
    classes: Longs | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(self.arrays)

    def values(self, name: str) -> NDArray[Any]:
        """One value for each situation."""
        return self.arrays[name]

    def in_range(self, hands: frozenset[str]) -> NDArray[np.bool_]:
        """Whether the own cards are among these starting hands; raises `BadInput` if unknown."""
        if self.classes is None:
            raise BadInput(
                f"on the {self.street} the suits of the own cards are not known, so cards in "
                f'"..." cannot be used; expected {", ".join(self.names)}'
            )
        included = np.array([name in hands for name in starting_hands.hand_classes().names])
        shape = self.values(self.names[0]).shape
        return np.broadcast_to(included[self.classes], shape)


def option_words(street: Street) -> tuple[str, ...]:
    """The options of a street, the one that risks least first."""
    return tuple(option.word for option in ordered_options(street))


def own_cards(cards: Longs) -> dict[str, Bytes]:
    """Features of two own cards: [hand, card], the lower first."""
    low, high = (cards[:, 0] >> 2) + 2, (cards[:, 1] >> 2) + 2
    values = {
        "high": high,
        "low": low,
        "pocket": np.where(low == high, high, 0),
        "suited": cards[:, 0] & 3 == cards[:, 1] & 3,
        "gap": np.where(low == high, 0, high - low),
    }
    return {name: array.astype(np.uint8) for name, array in values.items()}


def first_hands() -> Longs:
    """One hand of each of the 169 classes."""
    _, first = np.unique(starting_hands.hand_classes().ids[0], return_index=True)
    hands: Longs = flops.hands()[first]
    return hands


def of_starting_hands(street: Street) -> FeatureArrays:
    """A first street on which only the own cards are known: 169 starting hands."""
    return FeatureArrays(
        street.name, option_words(street), own_cards(first_hands()), np.arange(169)
    )


def of_hand_and_card(street: Street) -> FeatureArrays:
    """A first street on which one community card is known too: 5,083 classes."""
    ids = starting_hands.hand_and_card_classes().ids
    _, first = np.unique(ids, return_index=True)
    cards, hands = np.divmod(first[1:], flops.HANDS)  # the first is -1: the card is in the hand
    held = flops.hands()[hands]
    arrays = own_cards(held)
    ranks, card = held >> 2, cards >> 2
    matched = (ranks == card[:, None]).any(axis=1)
    of_suit = (held & 3 == (cards & 3)[:, None]).sum(axis=1)
    more = {
        "card": card + 2,
        "pair": np.where(arrays["pocket"] > 0, arrays["pocket"], np.where(matched, card + 2, 0)),
        "in_suit": np.where(of_suit == 2, 3, np.maximum(of_suit + 1, arrays["suited"] + 1)),
        "over": (ranks > card[:, None]).sum(axis=1),
        "span": np.maximum(ranks.max(axis=1), card) - np.minimum(ranks.min(axis=1), card),
    }
    arrays |= {name: values.astype(np.uint8) for name, values in more.items()}
    classes = starting_hands.hand_classes().ids[0][hands]
    return FeatureArrays(street.name, option_words(street), arrays, classes)


class BoardPart(NamedTuple):
    """A slice of a street's boards, and the function that computes their features."""

    compute: Callable[[int, int], FeatureArrays]
    first: int
    last: int


class FeatureParts(Sequence[FeatureArrays]):
    """The features of a street's boards in slices, each computed on access.

    All of them together would take hundreds of megabytes.
    """

    def __init__(self, parts: Sequence[BoardPart]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, at: Any) -> Any:
        compute, first, last = self.parts[at]
        return compute(first, last)


def split_boards(
    compute: Callable[[int, int], FeatureArrays], boards: int, bytes_each: int
) -> FeatureParts:
    """Split boards into slices of `PART_BYTES`."""
    step = max(1, PART_BYTES // bytes_each)
    return FeatureParts(
        [BoardPart(compute, low, min(low + step, boards)) for low in range(0, boards, step)]
    )


@cache
def _suited_hands() -> Bytes:
    return own_cards(flops.hands())["suited"]


def of_early_boards(street: Street) -> FeatureParts:
    """Flop or turn classes, each with every hand: arrays [board, hand]."""
    boards, ends = flops.early_boards(street.shown).cards, board_features.straight_completions()
    hands, names = flops.hands(), board_features.EARLY_NAMES

    def compute(first: int, last: int) -> FeatureArrays:
        part = boards[first:last]
        out = np.empty((len(part), len(names), flops.HANDS), np.uint8)
        parallel.parallel_for(
            len(part),
            lambda low, high: board_features.early_features(
                low, high, part, hands, tables(), ends, out
            ),
        )
        arrays = {name: out[:, at] for at, name in enumerate(names)}
        arrays["suited"] = np.broadcast_to(_suited_hands(), arrays["high"].shape)
        return FeatureArrays(
            street.name, option_words(street), arrays, starting_hands.hand_classes().ids[0]
        )

    return split_boards(compute, len(boards), len(names) * flops.HANDS)


def _river(street: Street, out: Bytes) -> FeatureArrays:
    arrays = {name: out[:, at] for at, name in enumerate(board_features.RIVER_NAMES)}
    return FeatureArrays(street.name, option_words(street), arrays)


def of_rank_rivers(street: Street) -> FeatureParts:
    """Boards without a flush, by ranks: arrays [board, pair of ranks]."""
    boards, names = isomorphism.multisets(5), len(board_features.RIVER_NAMES)

    def compute(first: int, last: int) -> FeatureArrays:
        part = boards[first:last]
        out = np.zeros((len(part), names, isomorphism.RANK_PAIRS), np.uint8)
        parallel.parallel_for(
            len(part),
            lambda low, high: board_features.rank_board_features(low, high, part, tables(), out),
        )
        return _river(street, out)

    return split_boards(compute, len(boards), names * isomorphism.RANK_PAIRS)


def of_flush_rivers(street: Street) -> FeatureParts:
    """Boards with three or more of a suit: arrays [board, hand type]."""
    numbering, names = isomorphism.numbering(), len(board_features.RIVER_NAMES)

    def compute(first: int, last: int) -> FeatureArrays:
        masks, outside = numbering.flush_masks[first:last], numbering.flush_outside[first:last]
        out = np.zeros((len(masks), names, isomorphism.HAND_TYPES), np.uint8)
        parallel.parallel_for(
            len(masks),
            lambda low, high: board_features.flush_board_features(
                low, high, masks, outside, tables(), out
            ),
        )
        return _river(street, out)

    return split_boards(compute, isomorphism.FLUSH_BOARDS, names * isomorphism.HAND_TYPES)
