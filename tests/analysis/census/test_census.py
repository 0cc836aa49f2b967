"""Exact counts as text: every category of five, six and seven cards, every class of boards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from croupier.analysis import hand_frequencies
from croupier.analysis.kernels.enumerate import flops
from croupier.analysis.kernels.hands import isomorphism
from croupier.games.expected_returns import load_hand_counts
from croupier.games.run_em_twice import hand_counts as runs
from croupier.games.top_five import hand_counts as live_cards
from croupier.games.top_five import solver
from croupier.ranking import CATEGORIES

HERE = Path(__file__).parent


def read(name: str) -> dict[str, int]:
    """A census file: a name and a count per line."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return {name: int(count) for name, count in (line.split() for line in lines)}


def by_category(counts: hand_frequencies.Counts) -> dict[str, int]:
    """Counts by finest name, added up by category."""
    result = dict.fromkeys(CATEGORIES, 0)
    for hand, count in counts.items():
        royal = hand.startswith("super_royal")
        names = (name for name in reversed(CATEGORIES) if hand.startswith(name))
        result["royal_flush" if royal else next(names)] += count
    return result


@pytest.mark.parametrize(("size", "word"), [(5, "five"), (6, "six"), (7, "seven")])
def test_hands_of_a_size(size: int, word: str) -> None:
    """The kernel finds every category as often as the census says."""
    expected = read(f"{word}-card-hands.txt")

    actual = by_category(hand_frequencies.poker(size))

    assert {name: expected[name] for name in CATEGORIES} == actual
    assert expected["total"] == sum(actual.values())


def test_classes_of_boards() -> None:
    """Boards, flops and turns up to suits, and what the solver works on instead."""
    expected = read("boards.txt")
    for name, size in (("flop", 3), ("turn", 4), ("board", 5)):
        boards = flops.early_boards(size)
        assert expected[f"{name}s"] == boards.sizes.sum()
        assert expected[f"{name}-classes"] == len(boards.cards)
    assert expected["flop-and-hand-classes"] == flops.flop_classes().sum()
    plain, flush = hand_frequencies.board_sizes()
    assert expected["flush-boards"] == len(flush) == isomorphism.FLUSH_BOARDS
    assert expected["rank-boards"] == sum(size > 0 for size in plain)
    assert expected["boards"] == sum(plain) + sum(flush)
    sets = solver.live_sets()
    assert expected["live-card-sets"] == len(sets.masks)
    assert expected["live-card-classes"] == len(np.unique(sets.least))


@pytest.mark.parametrize(
    "basis", ["five", "five_ace_high", "six", "seven", "seven_ace_high", "pocket"]
)
def test_kept_counts_of_hands(basis: str) -> None:
    """What side wagers are valued by is what the deck holds."""
    ace_low = not basis.endswith("ace_high")
    if basis == "pocket":
        result = hand_frequencies.pockets()
    elif basis == "six":
        result = hand_frequencies.six_cards()
    else:
        result = hand_frequencies.poker(5 if basis.startswith("five") else 7, ace_low=ace_low)

    assert load_hand_counts()[basis] == result


def test_kept_counts_of_two_hands() -> None:
    """Player and dealer together, and Top Five."""
    assert load_hand_counts()["pocket_and_dealer"] == hand_frequencies.pockets_and_dealer()
    assert load_hand_counts()["bad_beat"] == hand_frequencies.bad_beat()
    for basis, result in live_cards.hand_counts().items():
        assert load_hand_counts()[basis] == result


@pytest.mark.slow
@pytest.mark.parametrize("ace_low", [True, False])
def test_kept_counts_of_the_higher_run(ace_low: bool) -> None:
    """The better of two runs over all 84,284,272,800 crosses."""
    basis = "higher_run" if ace_low else "higher_run_ace_high"

    assert load_hand_counts()[basis] == runs.higher_run(ace_low=ace_low)
