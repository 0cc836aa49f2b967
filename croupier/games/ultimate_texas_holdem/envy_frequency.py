"""Frequency of envy bonuses where a fold forfeits them: two hands on one board, neither folded.

Only straight flushes earn an envy bonus, so few boards matter. The holder of such a hand never
folds, and the other player's folds are counted with the holder's cards out of the deck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.games import House
from croupier.games.hand_names import poker_hand
from croupier.games.ultimate_texas_holdem import folded_hands
from croupier.games.ultimate_texas_holdem.form import UltimateChoices
from croupier.ranking import poker_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from croupier.analysis.solvers import board_enumeration

OTHERS = comb(47, 2)  # hands of the other player, given a flop and one hand
RUNOUTS = comb(45, 2)  # runouts, given a flop and two hands
HOLDERS = comb(45, 2)  # hands of the holder, given a full board and one hand
BOARD_DEALS = comb(52, 3) * comb(49, 2) * comb(47, 2)  # flop, runout and one hand


def both_stay(house: House[UltimateChoices]) -> dict[str, Fraction]:
    """Return the probability of each envy hand at another seat if neither player has folded."""
    play = folded_hands.best_play(house)
    if house.choices.progressive_basis == "own_two_plus_flop":
        return _by_first_five(house, play)
    return _by_all_seven(house, play)


def enviable(house: House, cards: Sequence[Card]) -> str:
    """The name of a hand that earns others an envy bonus here, or ""."""
    hand = poker_hand(poker_value(cards))
    return hand if house.envy_line(hand) else ""


def straight_flushes() -> Iterator[tuple[Card, ...]]:
    """Yield the ten straight flushes in clubs; each represents all four suits."""
    for low in range(-1, 9):
        yield tuple((low + step) % 13 << 2 for step in range(5))


def _by_first_five(house: House, play: folded_hands.BestPlay) -> dict[str, Fraction]:
    flop_folds, turn_folds = folded_hands.fold_sums(play, 3), folded_hands.fold_sums(play, 4)
    probabilities: dict[str, Fraction] = {}
    for five in straight_flushes():
        hand = enviable(house, five)
        if not hand:
            continue
        for holder in combinations(five, 2):
            flop = [card for card in five if card not in holder]
            folds = int(others_fold(play, flop_folds, turn_folds, flop, holder).sum())
            stays = 1 - Fraction(folds, OTHERS * RUNOUTS)
            probabilities[hand] = probabilities.get(hand, Fraction(0)) + 4 * stays / (
                comb(52, 2) * comb(50, 3)
            )
    return probabilities


def others_fold(
    play: folded_hands.BestPlay,
    flop_folds: board_enumeration.Sums,
    turn_folds: board_enumeration.Sums,
    flop: Sequence[Card],
    holder: Sequence[Card],
) -> NDArray[np.int64]:
    """Count, by the other player's hand, the runouts without the holder's cards that it folds.

    By inclusion-exclusion: runouts with either of the holder's cards are subtracted, and the one
    with both, which was subtracted twice, is added back.
    """
    import numpy as np

    from croupier.analysis.kernels.enumerate import flops
    from croupier.analysis.kernels.enumerate.showdown_counts import FOLDS
    from croupier.analysis.kernels.hands import isomorphism

    numbers, orders = flops.flop_places()
    place, order = numbers[tuple(flop)], orders[tuple(flop)]
    ids = play.rules.openings.ids[0]
    on_flop = play.gains[place][flops.renamed_hands()[order]] > 0
    reaches_river = (play.openings[ids] == 0) & ~on_flop
    assert not reaches_river[flops.hand_number(holder)], "a straight flush on the flop must bet"
    folds = _sums(flop_folds, flop) - sum(_sums(turn_folds, [*flop, card]) for card in holder)
    mask = sum(1 << (card >> 2) for card in (*flop, *holder))
    board = isomorphism.flush_board_number(mask, [])
    folds = folds + (play.suited_above[board, flops.hand_types()[flop[0] & 3]] == FOLDS)
    disjoint = ~np.isin(flops.hands(), [*flop, *holder]).any(axis=1)
    counted: NDArray[np.int64] = np.where(reaches_river & disjoint, folds, 0)
    return counted


def _sums(sums: board_enumeration.Sums, board: Sequence[Card]) -> NDArray[np.int64]:
    """A sum over runouts for every hand beside an early board."""
    import numpy as np

    from croupier.analysis.kernels.enumerate import flops
    from croupier.analysis.kernels.hands import isomorphism
    from croupier.analysis.solvers import board_enumeration

    cards = np.array(sorted(board), np.int64)
    out = np.zeros(flops.HANDS, np.int64)
    _, hand_types, hand_ranks = board_enumeration.deal_tables()
    flops.value_early(
        cards, isomorphism.multiset_ids(len(board))[tuple(cards >> 2)], 0, hand_types, hand_ranks,
        isomorphism.numbering().masks, board_enumeration.starts(len(board)), sums.plain,
        sums.suited, out,
    )  # fmt: skip
    return out


def _by_all_seven(house: House, play: folded_hands.BestPlay) -> dict[str, Fraction]:
    """Count all envy hands, less those where the other player folds on the river."""
    import numpy as np

    from croupier.analysis.kernels.hands import isomorphism

    numbering = isomorphism.numbering()
    _, flush_times = folded_hands.river_folds(play)
    inside = [
        sum({1 << (kind - 13) for kind in pair if kind >= 13})
        for pair in numbering.type_pairs.tolist()
    ]
    sets, place = np.unique(np.array(inside), return_inverse=True)
    probabilities: dict[str, Fraction] = {}
    for suited in np.unique(numbering.flush_masks).tolist():
        rows = numbering.flush_masks == suited
        folds = np.bincount(place, flush_times[rows].sum(axis=0), len(sets)).astype(np.int64)
        boards = _board_count(suited)
        for held, hand in _makes(house, suited):
            holds = bin(held).count("1")
            outside = 39 - (5 - suited.bit_count())
            all_holders = boards * 10 * comb(outside, 2 - holds)
            probabilities[hand] = probabilities.get(hand, Fraction(0)) + Fraction(
                all_holders, comb(52, 3) * comb(49, 2) * comb(47, 2)
            )
            for other, count in zip(sets.tolist(), folds.tolist(), strict=True):
                if count and not held & other:
                    left = outside - (2 - other.bit_count())
                    gone = Fraction(count * comb(left, 2 - holds), BOARD_DEALS * HOLDERS)
                    probabilities[hand] -= gone
    return probabilities


def _board_count(suited: int) -> int:
    """How many boards have these ranks in one suit and other cards outside it."""
    return 4 * comb(39, 5 - suited.bit_count())


def _makes(house: House, suited: int) -> Iterator[tuple[int, str]]:
    """Yield the suited ranks a holder may add to the board, and the envy hand they make."""
    left = [rank for rank in range(13) if not suited >> rank & 1]
    board = [rank << 2 for rank in range(13) if suited >> rank & 1]
    for size in range(3):
        for ranks in combinations(left, size):
            cards = [*board, *(rank << 2 for rank in ranks)]
            if len(cards) >= 5 and (hand := enviable(house, cards)):
                yield sum(1 << rank for rank in ranks), hand
