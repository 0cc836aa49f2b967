"""Counts of every named hand, for each basis a wager may be judged on.

The counts are constants of the deck. The games ship them precomputed
(`croupier.games.expected_returns`), so that valuing a side wager needs no compiled code;
`recount` computes them again, and a test compares.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING, TypeAlias

from croupier.cards import DIAMONDS, HEARTS, RANKS
from croupier.games import catalogue
from croupier.games.game import load_code
from croupier.games.hand_names import (
    POKER_HANDS,
    ROYAL_FLUSH,
    ROYALS,
    pocket_hand,
    poker_hand,
    six_card_hand,
)
from croupier.games.hand_names import pocket_hand_with_dealer as pocket_and_dealer_name
from croupier.ranking import CATEGORIES, poker_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Counts: TypeAlias = dict[str, int]


def recount() -> dict[str, Counts]:
    """The counts of every basis, computed by enumeration."""
    bases = {
        "five": poker(5),
        "five_ace_high": poker(5, ace_low=False),
        "six": six_cards(),
        "seven": poker(7),
        "seven_ace_high": poker(7, ace_low=False),
        "pocket": pockets(),
        "pocket_and_dealer": pockets_and_dealer(),
        "bad_beat": bad_beat(),
    }
    for game in catalogue():
        if game.analysis.hand_counts:
            bases |= load_code(game.analysis.hand_counts)()
    return bases


def poker(size: int, *, ace_low: bool = True) -> Counts:
    """Hands of five, six or seven cards; royal flushes in diamonds are counted separately."""
    import numpy as np

    from croupier.analysis import parallel
    from croupier.analysis.kernels.cross import cross_runs
    from croupier.analysis.kernels.hands import frequencies
    from croupier.analysis.lookup_tables import tables

    ranks = tables(ace_low)
    parts = []

    def count_with_top_card(top: int, _: int) -> None:
        part = np.zeros(cross_runs.CLASSES + 4, np.int64)
        parts.append(part)
        frequencies.count_hands(top, size, ranks, part)

    parallel.parallel_for(52, count_with_top_card, parts=52)
    counts = np.sum(parts, axis=0).tolist()
    by_name = dict(zip(POKER_HANDS, counts, strict=False))
    royals = counts[len(POKER_HANDS) :]
    other, diamonds = ROYALS
    assert by_name.pop(ROYAL_FLUSH) == sum(royals)
    return by_name | {other: sum(royals) - royals[DIAMONDS], diamonds: royals[DIAMONDS]}


def six_cards() -> Counts:
    """Six cards; super royals need six cards of one suit, so only those are enumerated again."""
    counts = poker(6)
    by_name = {hand: count for hand, count in counts.items() if hand not in ROYALS}
    by_name[ROYAL_FLUSH] = sum(counts[royal] for royal in ROYALS)
    for suit in range(4):
        for ranks in combinations(range(13), 6):
            cards = [rank << 2 | suit for rank in ranks]
            special, plain = six_card_hand(cards), poker_hand(poker_value(cards))
            if special != plain:
                by_name[special] = by_name.get(special, 0) + 1
                by_name[plain] -= 1
    return by_name


def pockets() -> Counts:
    """A player's two cards."""
    by_name: Counts = {}
    for cards in combinations(range(52), 2):
        by_name[pocket_hand(cards)] = by_name.get(pocket_hand(cards), 0) + 1
    return by_name


def pockets_and_dealer() -> Counts:
    """A player's two cards and a dealer's two."""
    by_name: Counts = {}
    ace = RANKS.index("A")
    for cards in combinations(range(52), 2):
        # The dealer's hand matters only if it is two aces; one other hand represents the rest.
        aces = [card for card in range(4 * ace, 52) if card not in cards]
        both = comb(len(aces), 2)
        other = [card for card in range(HEARTS, 4 * ace) if card not in cards][:2]
        for dealer, deals in ((aces[:2], both), (other, comb(50, 2) - both)):
            if deals:
                name = pocket_and_dealer_name(cards, dealer)
                by_name[name] = by_name.get(name, 0) + deals
    return by_name


def board_sizes() -> tuple[list[int], list[int]]:
    """The number of boards in each isomorphism class: rank boards without a flush, flush boards."""
    from croupier.analysis.kernels.hands import isomorphism
    from croupier.analysis.solvers.board_enumeration import ranks_of_flush_boards

    numbering = isomorphism.numbering()
    flush = []
    for outside in numbering.flush_outside.tolist():
        ranks = [rank for rank in outside if rank != isomorphism.NO_RANK]
        flush.append(4 * prod(comb(3, ranks.count(rank)) for rank in set(ranks)))
    plain = [
        prod(comb(4, ranks.count(rank)) for rank in set(ranks))
        for ranks in isomorphism.multisets(5).tolist()
    ]
    for board, size in zip(ranks_of_flush_boards().tolist(), flush, strict=True):
        plain[board] -= size
    return plain, flush


def bad_beat() -> Counts:
    """Player against dealer on all boards; "ahead/straight/pair" names the player's hand first."""
    import numpy as np

    from croupier.analysis.kernels.hands import frequencies, isomorphism
    from croupier.analysis.lookup_tables import tables

    numbering = isomorphism.numbering()
    plain, flush = board_sizes()
    boards = isomorphism.multisets(5)
    rank_times = np.zeros((len(boards), isomorphism.RANK_PAIRS), np.int64)
    flush_times = np.zeros((len(flush), isomorphism.HAND_TYPES), np.int64)
    frequencies.hand_times(
        boards, np.array(plain), numbering.flush_masks, numbering.flush_outside,
        np.array(flush), tables().weights, numbering.type_pairs, rank_times, flush_times,
    )  # fmt: skip
    return compared(rank_times, flush_times)


def compared(rank_times: NDArray[np.int64], flush_times: NDArray[np.int64]) -> Counts:
    """Player against dealer by name, with hands weighted by how often they occur."""
    import numpy as np

    from croupier.analysis.kernels.enumerate.showdown_counts import new_room
    from croupier.analysis.kernels.hands import frequencies, isomorphism
    from croupier.analysis.lookup_tables import tables
    from croupier.games import VERSUS

    numbering = isomorphism.numbering()
    tally = np.zeros((3, 10, 10), np.int64)
    frequencies.compare_all(
        isomorphism.multisets(5), rank_times, numbering.flush_masks, numbering.flush_outside,
        flush_times, tables(), numbering.type_pairs, tally, new_room(),
    )  # fmt: skip
    return {
        f"{VERSUS[at]}/{CATEGORIES[own]}/{CATEGORIES[dealer]}": int(tally[at, own, dealer])
        for at in range(3)
        for own in range(10)
        for dealer in range(10)
        if tally[at, own, dealer]
    }
