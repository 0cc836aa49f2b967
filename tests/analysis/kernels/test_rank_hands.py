"""`rank_hands` against `poker_value`, and both against evaluators that others wrote."""

from __future__ import annotations

import warnings

import numpy as np
import phevaluator
import pytest

from croupier.cards import names
from croupier.ranking import poker_value, rank_hands

with warnings.catch_warnings():  # its parser of ranges, not used here, is behind the times
    warnings.simplefilter("ignore")
    import eval7


def random_hands(count: int, size: int, seed: int = 7) -> np.ndarray:
    """Hands of different cards."""
    order = np.random.default_rng(seed).random((count, 52)).argsort(axis=1)
    return order[:, :size].astype(np.uint8)


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("ace_low", [True, False])
def test_values_are_those_of_ranking(size: int, ace_low: bool) -> None:
    """The table-driven evaluator and the plain function agree on random hands."""
    hands = random_hands(4000, size)
    suited = random_hands(4000, size) // 4 % 13 * 4  # one suit only: duplicates make no hand
    suited = suited[[len(set(row)) == size for row in suited.tolist()]]
    hands = np.concatenate([hands, suited])

    expected = [poker_value(row, ace_low) for row in hands.tolist()]

    assert expected == rank_hands(hands, ace_low=ace_low, check_duplicates=True).tolist()


@pytest.mark.parametrize("size", [5, 6, 7])
def test_order_agrees_with_phevaluator_and_eval7(size: int) -> None:
    """Which of two hands is better is the same everywhere (theirs: phevaluator 1 is best)."""
    hands = random_hands(3000, size, seed=11)
    ours = rank_hands(hands).astype(np.int64)
    written = [names(row) for row in hands.tolist()]
    theirs = np.array([-phevaluator.evaluate_cards(*row) for row in written])
    others = np.array([eval7.evaluate([eval7.Card(card) for card in row]) for row in written])
    pairs = np.random.default_rng(3).integers(0, len(hands), (20000, 2)).T

    expected = np.sign(ours[pairs[0]] - ours[pairs[1]])

    assert (expected == np.sign(theirs[pairs[0]] - theirs[pairs[1]])).all()
    assert (expected == np.sign(others[pairs[0]] - others[pairs[1]])).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int32, np.int64, np.uint64])
def test_any_integer_type(dtype: type) -> None:
    """Cards may come in any whole numbers, in any memory order, as lists too."""
    hands = random_hands(50, 7)
    expected = rank_hands(hands).tolist()

    assert expected == rank_hands(hands.astype(dtype)).tolist()
    assert expected == rank_hands(np.asfortranarray(hands)).tolist()
    assert expected == rank_hands(hands.tolist()).tolist()


def test_no_hands() -> None:
    """No rows give no values."""
    assert [] == rank_hands(np.zeros((0, 7), np.uint8)).tolist()


@pytest.mark.parametrize(
    ("hands", "error", "words"),
    [
        (np.zeros((3, 4), np.uint8), ValueError, "n x 5, 6 or 7"),
        (np.zeros(7, np.uint8), ValueError, "n x 5, 6 or 7"),
        (np.zeros((1, 7)), TypeError, "float64"),
        ([[0, 1, 2, 3, 52]], ValueError, "row 0 .* 0 to 51"),
        ([[0, 1, 2, 3, 4], [0, 1, -2, 3, 4]], ValueError, "row 1 .* 0 to 51"),
        ([[0, 1, 2, 3, 300]], ValueError, "row 0 .* 0 to 51"),
        ([[0, 1, 2, 3, 3]], ValueError, "row 0 .* twice"),
    ],
)
def test_what_is_no_hand_is_refused(hands: object, error: type[Exception], words: str) -> None:
    """The message names the row and what was expected."""
    with pytest.raises(error, match=words):
        rank_hands(hands, check_duplicates=True)  # type: ignore[arg-type]


def test_duplicates_unchecked_read_nothing_outside() -> None:
    """Without the check a hand of one card seven times gives some value, and no crash."""
    everything = np.repeat(np.arange(52, dtype=np.uint8)[:, None], 7, axis=1)

    assert 52 == len(rank_hands(everything))
