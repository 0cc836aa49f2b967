"""Value of hold'em to a player who knows cards of the dealer, another seat, or the board.

Relative to a suit, a known card is inside or outside it (a view). Boards are valued once for each
view, against the remaining dealer hands; sums over runouts exclude the known cards, and early
boards are grouped into classes under permutations of the other suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import parallel
from croupier.analysis.exposure.known_cards import (
    KnownCards,
    Longs,
    Worths,
    boards_beside,
    by_shown,
    count_openings,
    openings,
)
from croupier.analysis.kernels.enumerate import known_card_sums as known
from croupier.analysis.kernels.enumerate import ranked_boards as levels
from croupier.analysis.kernels.hands import isomorphism
from croupier.analysis.lookup_tables import tables
from croupier.analysis.solvers import board_enumeration, single_raise
from croupier.errors import BadInput
from croupier.games import House


class HandOrder(NamedTuple):
    """Levels of all hands on every board; see `ranked_boards`."""

    levels: NDArray[np.uint16]  # [board, hand type]
    kinds: NDArray[np.uint8]
    least: NDArray[np.uint16]  # by board: the first level that qualifies

    @classmethod
    def of(cls, boards: int, hands: int) -> HandOrder:
        """Empty arrays for these numbers of boards and hands."""
        shape = boards, hands
        return cls(
            np.zeros(shape, np.uint16), np.zeros(shape, np.uint8), np.zeros(boards, np.uint16)
        )


@lru_cache(maxsize=1)
def orders_of_hands(qualifying: int) -> tuple[HandOrder, HandOrder]:
    """Rank all hands on rank boards and on flush boards; reused for every exposure."""
    numbering, ranks = isomorphism.numbering(), tables()
    plain = HandOrder.of(board_enumeration.RANK_BOARDS, isomorphism.HAND_TYPES)
    suited = HandOrder.of(isomorphism.FLUSH_BOARDS, isomorphism.HAND_TYPES)
    parallel.parallel_for(
        board_enumeration.RANK_BOARDS,
        lambda first, last: levels.rank_boards_in_order(
            first, last, isomorphism.multisets(5), ranks, qualifying, *plain
        ),
    )
    parallel.parallel_for(
        isomorphism.FLUSH_BOARDS,
        lambda first, last: levels.flush_boards_in_order(
            first, last, numbering.flush_masks, numbering.flush_outside, ranks, qualifying, *suited
        ),
    )
    return plain, suited


class Early(NamedTuple):
    """Sums over the runouts of flops or turns: by ranks, and what suits change, by view."""

    plain: Longs
    suited: NDArray[Any]


def terms_of(pay: Longs, opponents: int) -> Longs:
    """Payoffs by row and kind of hand as `levels.value_board` adds them up.

    Outcomes are unqualified, then qualified; each behind, tied, ahead.
    """
    terms = np.zeros((len(pay), levels.KINDS, levels.TERMS), np.int64)
    for category in range(pay.shape[1]):
        low_lost, low_tied, low_won, lost, tied, won = pay[:, category].T
        least = 2 * category, 2 * category + 1
        # A hand below the qualifier beats only unqualified dealers; one above it beats all of them.
        terms[:, least[0]] = np.stack(
            [opponents * lost, low_lost - lost, low_won - low_lost, low_tied - low_lost], axis=1
        )
        terms[:, least[1]] = np.stack(
            [opponents * lost, low_won - won, won - lost, tied - lost], axis=1
        )
    return terms


def early_sums(
    what: KnownCards, pay: Longs, floors: Longs, qualifying: int, early: Sequence[int] = (3,)
) -> list[Early]:
    """Every hand against the dealer's hands that are left, over runouts without the known cards.

    `early` lists the requested sizes: flops (3), turns (4).
    """
    if not what.cards:
        summed = board_enumeration.showdowns(pay, floors, qualifying, early).sums
        return [Early(sums.plain, sums.suited[None]) for sums in summed]
    numbering, weights = isomorphism.numbering(), tables()[-1]
    by_rank, by_suit = orders_of_hands(qualifying)
    terms = terms_of(pay, what.opponents)
    plain = np.zeros((board_enumeration.RANK_BOARDS, len(pay), isomorphism.RANK_PAIRS), np.int64)
    parallel.parallel_for(
        board_enumeration.RANK_BOARDS,
        lambda first, last: levels.value_rank_boards(
            first, last, isomorphism.multisets(5), weights, *what.ranks, by_rank, terms, floors,
            plain,
        ),
    )  # fmt: skip
    most = 2 * what.opponents * int(np.abs(pay).max())

    def by_view(view: int) -> dict[int, NDArray[Any]]:
        def value(first: int, last: int, out: NDArray[np.int32]) -> None:
            levels.value_flush_boards(
                first, last, numbering.flush_masks, numbering.flush_outside, weights,
                numbering.rank_pairs, board_enumeration.ranks_of_flush_boards(), *what.types(view),
                by_suit, terms, floors, plain, out,
            )  # fmt: skip

        return board_enumeration.suit_sums(value, len(pay), early, what.outside(view), most)

    views = [by_view(view) for view in range(len(what.suits) + 1)]
    gone = np.bincount(np.concatenate(what.ranks), minlength=13)
    return [
        Early(
            board_enumeration.rank_sums(plain, size, gone), np.stack([sums[size] for sums in views])
        )
        for size in early
    ]


class Board(NamedTuple):
    """Board cards known before the first decision: exposed ones and open ones."""

    known: tuple[str, ...] = ()  # the street of each: "flop", "turn" or "river"
    open: int = 0

    @property
    def shown(self) -> int:
        """The number of known board cards at the first decision."""
        return self.open + len(self.known)

    @property
    def early(self) -> int:
        """The number of known board cards once the flop is dealt."""
        return 3 + sum(place != "flop" for place in self.known)


def board_of(places: tuple[str, ...], lie_open: int) -> Board:
    """Return the board of exposed and open cards; raises `BadInput` if unsupported."""
    board = Board(places, lie_open)
    if board.shown > 2 or board.early > 4:
        raise BadInput(
            f"knowing {' and '.join(places)} besides {lie_open} open board cards is "
            f"not supported; expected at most two known cards, one of them after the flop"
        )
    return board


def one_play_bet(
    house: House, every: Sequence[KnownCards], places: tuple[str, ...], report: parallel.Progress
) -> Worths:
    """Games with one Play bet; each kind of knowledge costs about as much as one solve."""
    rules = single_raise.PlayRules(house)
    board = board_of(places, rules.opening.shown)
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    actions = dict.fromkeys(words, Fraction(0))
    by_card: dict[str, Fraction] = {}
    ev = Fraction(0)
    for at, what in enumerate(every):
        report(at / len(every), what.name or "boards")
        totals, times = value_openings(rules, what, board)
        best, hands = totals.max(axis=1), int(times.sum())
        per_hand = what.left(2 + board.early, 5 - board.early) * what.opponents * rules.scale
        worth = Fraction(sum(best.tolist()), hands * per_hand)
        by_card |= by_known_card(what, worth, best, board, hands * per_hand)
        ev += what.share * worth
        for option, word in enumerate(words):
            taken = totals.argmax(axis=1) == option
            actions[word] += what.share * Fraction(int(times[taken].sum()), hands)
    return ev, by_card, actions


def by_known_card(
    what: KnownCards, worth: Fraction, best: Longs, board: Board, every_deal: int
) -> dict[str, Fraction]:
    """Return the value of the game by known card: of a hand if any, else of the board."""
    if what.cards:
        return {what.name: worth}
    sums = by_shown(best, board.shown, len(board.known))
    return {name: total / every_deal for name, total in sums.items()}


def value_openings(
    rules: single_raise.PlayRules, what: KnownCards, board: Board
) -> tuple[Longs, Longs]:
    """Sums by opening and option, and deals of hand and early board by opening.

    The bet after the opening is made on boards of `early` cards, any of which may have been shown.
    """
    early, shown = board.early, board.shown
    rows = single_raise.basis(rules)
    floors = rows.floors(rules, what.opponents)
    (sums,) = early_sums(what, rows.pay, floors, rules.qualifying, (early,))
    totals = rows.totals(over_boards(known.decide_flops, what, early, sums, shown))
    return totals, what.left(2 + shown, early - shown) * count_openings(what, shown)


def over_boards(
    kernel: Any, what: KnownCards, early: int, sums: Early, shown: int, *more: int
) -> Longs:
    """Run a summing kernel over flops or turns; returns sums by opening and payoff row."""
    classes = openings(tuple(what.suits), shown)
    beside = boards_beside(what.cards, early)
    rank_boards = isomorphism.multiset_ids(early)[tuple((beside.cards >> 2).T)]
    held, parts = np.array(what.cards, np.int64), []

    def work(first: int, last: int) -> None:
        parts.append(part := np.zeros((classes.size, sums.plain.shape[1]), np.int64))
        kernel(
            first, last, held, beside.cards, beside.sizes, rank_boards,
            board_enumeration.deal_tables(), isomorphism.numbering().masks,
            board_enumeration.starts(early), *sums, what.views, shown, classes.ids, *more, part,
        )  # fmt: skip

    parallel.parallel_for(len(beside.cards), work, parts=32 if shown < 2 else 2 * parallel.cores())
    total: Longs = np.sum(parts, axis=0)
    return total


def runouts(what: KnownCards, board: Board) -> int:
    """Return the number of ordered runouts times dealer hands for one opening."""
    early, shown = board.early, board.shown
    orders = 2 if early == 3 else 1
    flops = what.left(2 + shown, early - shown)
    return flops * orders * what.left(2 + early, 5 - early) * what.opponents
