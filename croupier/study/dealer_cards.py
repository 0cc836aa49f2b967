"""Hold'em against a dealer one or both of whose cards are known, or none beside a board's card.

A known card lies inside a suit or outside it, as that suit sees it. Boards are valued once for
each of these views, against the dealer's hands that are left; sums over runouts leave the known
cards out, and early boards are told apart up to the suits that are not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, Card
from croupier.errors import BadInput
from croupier.games import House
from croupier.study import holdem, play_games, starting, texas, workers
from croupier.study.kernels import deals, known, levels, signatures
from croupier.study.tables import tables

Longs = NDArray[np.int64]
Worths = tuple[Fraction, dict[str, Fraction], dict[str, Fraction]]


class Known(NamedTuple):
    """Cards of the dealer up to suits, in suits from clubs on, and how often they come."""

    name: str
    cards: tuple[Card, ...]
    share: Fraction

    @property
    def suits(self) -> list[int]:
        """The suits that are known."""
        return sorted({card & 3 for card in self.cards})

    @property
    def views(self) -> Longs:
        """By suit, which of the views below it has; suits that hold nothing known share one."""
        return np.array([self.suits.index(suit) if suit in self.suits else len(self.suits)
                         for suit in range(4)])  # fmt: skip

    def types(self, view: int) -> Longs:
        """The known cards as types, as a view sees them."""
        suit = self.suits[view] if view < len(self.suits) else -1
        return np.array([(card >> 2) + 13 * (card & 3 == suit) for card in self.cards])

    def outside(self, view: int) -> Longs:
        """The known cards outside a view's suit, by rank."""
        return np.bincount([kind for kind in self.types(view) if kind < 13], minlength=13)

    @property
    def ranks(self) -> Longs:
        """The known cards by rank."""
        return np.array([card >> 2 for card in self.cards])

    @property
    def opponents(self) -> int:
        """Hands of the dealer beside a board and a hand of the player."""
        return comb(45 - len(self.cards), 2 - len(self.cards))

    def left(self, taken: int, drawn: int) -> int:
        """Ways to draw so many cards when others are taken besides those that are known."""
        return comb(52 - len(self.cards) - taken, drawn)


def every_known(count: int) -> Iterator[Known]:
    """One card by rank, or both as a starting hand; without any, the one way to know nothing."""
    if count == 0:
        yield Known("", (), Fraction(1))
        return
    if count == 1:
        for rank in range(13):
            yield Known(RANKS[rank], (rank << 2,), Fraction(1, 13))
        return
    hands = starting.hand_classes()
    for name, size in zip(hands.names, hands.sizes.tolist(), strict=True):
        high, low = (RANKS.index(rank) for rank in name[:2])
        suit = 0 if name.endswith("s") else 1
        yield Known(name, (high << 2, low << 2 | suit), Fraction(size, 1326))


def orders(suits: Sequence[int]) -> NDArray[np.bool_]:
    """Which renamings of suits leave these alone."""
    every = deals.suit_orders()
    kept: NDArray[np.bool_] = (every[:, list(suits)] == list(suits)).all(axis=1)
    return kept


@lru_cache(maxsize=2)
def boards_beside(cards: tuple[Card, ...], size: int) -> deals.Boards:
    """Flops or turns without the known cards, up to a renaming of the other suits."""
    left = [card for card in range(52) if card not in cards]
    every = np.array(list(combinations(left, size)), np.int64)
    suits = sorted({card & 3 for card in cards})
    return deals.representatives(every, deals.suit_orders()[orders(suits)])


@lru_cache(maxsize=4)
def openings(suits: tuple[int, ...], shown: bool) -> tuple[Longs, int]:
    """What is known at the first decision up to the suits that are not known, numbered."""
    cards = np.arange(52 if shown else 1)
    least = np.full((len(cards), deals.HANDS), np.iinfo(np.int64).max)
    kept = orders(suits)
    for order, hands in zip(deals.suit_orders()[kept], deals.renamed_hands()[kept], strict=True):
        renamed = cards >> 2 << 2 | order[cards & 3]
        np.minimum(least, renamed[:, None] * deals.HANDS + hands[None, :], out=least)
    names, ids = np.unique(least, return_inverse=True)
    return ids.reshape(least.shape).astype(np.int64), len(names)


class Order(NamedTuple):
    """Hands beside every board in their order; see `levels`."""

    levels: NDArray[np.uint16]  # [board, hand type]
    kinds: NDArray[np.uint8]
    least: NDArray[np.uint16]  # by board: the first level that qualifies

    @classmethod
    def of(cls, boards: int, hands: int) -> Order:
        """Room for so many boards and hands."""
        shape = boards, hands
        return cls(
            np.zeros(shape, np.uint16), np.zeros(shape, np.uint8), np.zeros(boards, np.uint16)
        )


@lru_cache(maxsize=1)
def orders_of_hands(qualifying: int) -> tuple[Order, Order]:
    """Of rank boards and of flush boards, once for everything that may be known."""
    numbering, ranks = signatures.numbering(), tables()
    plain = Order.of(holdem.RANK_BOARDS, signatures.HAND_TYPES)
    suited = Order.of(signatures.FLUSH_BOARDS, signatures.HAND_TYPES)
    workers.over(
        holdem.RANK_BOARDS,
        lambda first, last: levels.rank_boards_in_order(
            first, last, signatures.multisets(5), ranks, qualifying, *plain
        ),
    )
    workers.over(
        signatures.FLUSH_BOARDS,
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
        # Who does not qualify himself is ahead of dealers that do not; who does, of all of those.
        terms[:, least[0]] = np.stack(
            [opponents * lost, low_lost - lost, low_won - low_lost, low_tied - low_lost], axis=1
        )
        terms[:, least[1]] = np.stack(
            [opponents * lost, low_won - won, won - lost, tied - lost], axis=1
        )
    return terms


def early_sums(
    what: Known, pay: Longs, floors: Longs, qualifying: int, early: Sequence[int] = (3,)
) -> list[Early]:
    """Every hand against the dealer's hands that are left, over runouts without the known cards.

    For flops (3) or turns (4), as they are asked for.
    """
    if not what.cards:
        found = holdem.showdowns(pay, floors, qualifying, early).sums
        return [Early(sums.plain, sums.suited[None]) for sums in found]
    numbering, weights = signatures.numbering(), tables()[-1]
    by_rank, by_suit = orders_of_hands(qualifying)
    terms = terms_of(pay, what.opponents)
    plain = np.zeros((holdem.RANK_BOARDS, len(pay), signatures.RANK_PAIRS), np.int64)
    workers.over(
        holdem.RANK_BOARDS,
        lambda first, last: levels.value_rank_boards(
            first, last, signatures.multisets(5), weights, what.ranks, by_rank, terms, floors, plain
        ),
    )
    most = 2 * what.opponents * int(np.abs(pay).max())

    def by_view(view: int) -> dict[int, NDArray[Any]]:
        def value(first: int, last: int, out: NDArray[np.int32]) -> None:
            levels.value_flush_boards(
                first, last, numbering.flush_masks, numbering.flush_outside, weights,
                numbering.rank_pairs, holdem.ranks_of_flush_boards(), what.types(view), by_suit,
                terms, floors, plain, out,
            )  # fmt: skip

        return holdem.suit_sums(value, len(pay), early, what.outside(view), most)

    views = [by_view(view) for view in range(len(what.suits) + 1)]
    gone = np.bincount(what.ranks, minlength=13)
    return [
        Early(holdem.rank_sums(plain, size, gone), np.stack([sums[size] for sums in views]))
        for size in early
    ]


def one_play_bet(
    house: House, count: int, report: workers.Progress, board_card: str = ""
) -> Worths:
    """Ultimate and Jackpot: each known card is about the work of one solve.

    A card of the board that is known before the first decision lies on the "flop", or is one of
    the two that follow: then the bet on the flop is made on four cards.
    """
    rules = play_games.PlayRules(house)
    if board_card and rules.opening.shown:
        raise BadInput(
            f"a card of the board shows already before the first decision; expected knowledge of "
            f"the dealer's cards alone, not of the {board_card}"
        )
    early = 4 if board_card in ("turn", "river") else 3
    shown = bool(board_card) or rules.opening.shown > 0
    words = ["check", *(bet.word for bet in rules.opening_bets)]
    actions = dict.fromkeys(words, Fraction(0))
    by_card: dict[str, Fraction] = {}
    ev = Fraction(0)
    every = list(every_known(count))
    for at, what in enumerate(every):
        report(at / len(every), f"dealer's {what.name}" if count else "boards")
        totals, times = value_openings(rules, what, shown, early)
        hands = what.left(0, 2) * what.left(2, early) * (early if shown else 1)
        per_hand = what.left(2 + early, 5 - early) * what.opponents * rules.scale
        best = totals.max(axis=1)
        worth = Fraction(sum(best.tolist()), hands * per_hand)
        if count:
            by_card[what.name] = worth
        else:
            ids, _ = openings((), shown)
            for rank in range(13):
                of_rank = sum(best[np.unique(ids[rank << 2])].tolist())
                by_card[RANKS[rank]] = Fraction(13 * of_rank, hands * per_hand)
        ev += what.share * worth
        for option, word in enumerate(words):
            taken = totals.argmax(axis=1) == option
            actions[word] += what.share * Fraction(int(times[taken].sum()), hands)
    return ev, by_card, actions


def value_openings(
    rules: play_games.PlayRules, what: Known, shown: bool, early: int = 3
) -> tuple[Longs, Longs]:
    """Sums by opening and option, and deals of hand and early board by opening.

    The bet after the opening is made on boards of `early` cards, any of which may have been shown.
    """
    ids, count = openings(tuple(what.suits), shown)
    rows = play_games.basis(rules)
    floors = rows.floors(rules, what.opponents)
    ((plain, suited),) = early_sums(what, rows.pay, floors, rules.qualifying, (early,))
    boards = boards_beside(what.cards, early)
    rank_boards = signatures.multiset_ids(early)[tuple((boards.cards >> 2).T)]
    held, parts = np.array(what.cards, np.int64), []

    def work(first: int, last: int) -> None:
        parts.append(part := np.zeros((count, len(rows.pay)), np.int64))
        known.decide_flops(
            first, last, held, boards.cards, boards.sizes, rank_boards, holdem.deal_tables(),
            signatures.numbering().masks, holdem.starts(early), plain, suited, what.views, ids,
            part,
        )  # fmt: skip

    workers.over(len(boards.cards), work)
    totals = rows.totals(np.sum(parts, axis=0))
    times = np.zeros(count, np.int64)
    apart = ~np.isin(deals.hands(), held).any(axis=1)
    if not shown:
        np.add.at(times, ids[0, apart], what.left(2, early))
        return totals, times
    for first_card in set(range(52)) - set(what.cards):
        free = apart & ~(deals.hands() == first_card).any(axis=1)
        np.add.at(times, ids[first_card, free], what.left(3, early - 1))
    return totals, times


def texas_bonus(house: House, count: int, report: workers.Progress) -> Worths:
    """Texas: the same, with one more level."""
    rules = texas.TexasRules(house)
    by_card: dict[str, Fraction] = {}
    ev, plays = Fraction(0), Fraction(0)
    every = list(every_known(count))
    for at, what in enumerate(every):
        report(at / len(every), f"dealer's {what.name}")
        totals, fold, hands = texas_openings(rules, what)
        per_hand = _deals_beside(what)
        worth = sum(np.maximum(totals, fold).tolist())
        by_card[what.name] = Fraction(worth, what.left(0, 2) * per_hand * rules.scale)
        ev += what.share * by_card[what.name]
        plays += what.share * Fraction(int(hands[totals > fold].sum()), what.left(0, 2))
    return ev, by_card, {rules.opening.word: plays, "fold": 1 - plays}


def _deals_beside(what: Known) -> int:
    """Boards by their order of turn and river, and hands of the dealer, beside one hand."""
    return what.left(2, 3) * 2 * what.left(5, 2) * what.opponents


def texas_openings(rules: texas.TexasRules, what: Known) -> tuple[Longs, Longs, Longs]:
    """By starting hand: what playing and what folding add up to, and how many hands it is."""
    floors = np.full(2, holdem.NO_FLOOR, np.int64)
    sums = early_sums(what, rules.pay, floors, texas.ALWAYS_QUALIFIES, (3, 4))
    flops, turns = (sum_early(what, *early) for early in zip((3, 4), sums, strict=True))
    # A deal is counted once per order of turn and river, four flops to every turn.
    totals = 2 * (flops[:, 0] + flops[:, 1]) + 4 * turns[:, 1]
    ids, size = openings(tuple(what.suits), False)
    apart = ~np.isin(deals.hands(), what.cards).any(axis=1)
    hands = np.bincount(ids[0, apart], minlength=size)
    return totals, int(rules.fold * rules.scale) * _deals_beside(what) * hands, hands


def sum_early(what: Known, early: int, sums: Early) -> Longs:
    """By starting hand: sums over flops or turns, and of the bet there where it gains."""
    plain, suited = sums
    ids, count = openings(tuple(what.suits), False)
    beside = boards_beside(what.cards, early)
    rank_boards = signatures.multiset_ids(early)[tuple((beside.cards >> 2).T)]
    held, parts = np.array(what.cards), []

    def work(first: int, last: int) -> None:
        parts.append(part := np.zeros((count, 2), np.int64))
        known.sum_early(
            first, last, held, beside.cards, beside.sizes, rank_boards, holdem.deal_tables(),
            signatures.numbering().masks, holdem.starts(early), plain, suited, what.views,
            ids[0], part,
        )  # fmt: skip

    workers.over(len(beside.cards), work)
    total: Longs = np.sum(parts, axis=0)
    return total
