"""Naive hand ranking for the naive replay: every choice of five cards is tried."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

from tests.table.scenario.scenario_shapes import HandRank

RANKS = "23456789TJQKA"
SUITS = "cdhs"
TEN, JACK, QUEEN, KING, ACE = 10, 11, 12, 13, 14

CATEGORIES = [
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]
PAIR, TRIPS, STRAIGHT, FLUSH = 1, 3, 4, 5


def rank_of(card: str) -> int:
    return RANKS.index(card[0]) + 2


def rank_hand(cards: Sequence[str], ace_low: bool = True) -> HandRank:
    """Return (category, tie-breaking ranks) of up to five cards; the higher tuple wins."""
    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [count for count, _ in groups]
    ties = tuple(rank for _, rank in groups)
    suited = straight = False
    if len(cards) == 5:
        suited = len({card[1] for card in cards}) == 1
        straight = shape == [1, 1, 1, 1, 1] and ranks[0] - ranks[4] == 4
        if ace_low and ranks == [ACE, 5, 4, 3, 2]:
            straight = True
            ties = (5, 4, 3, 2, 1)
    if straight and suited and ties[0] == ACE:
        name = "royal_flush"
    elif straight and suited:
        name = "straight_flush"
    elif shape[:1] == [4]:
        name = "four_of_a_kind"
    elif shape[:2] == [3, 2]:
        name = "full_house"
    elif suited:
        name = "flush"
    elif straight:
        name = "straight"
    elif shape[:1] == [3]:
        name = "three_of_a_kind"
    elif shape[:2] == [2, 2]:
        name = "two_pair"
    elif shape[:1] == [2]:
        name = "pair"
    else:
        name = "high_card"
    return CATEGORIES.index(name), ties


def best_hand(cards: Sequence[str], ace_low: bool = True) -> HandRank:
    """Return the rank of the best five of these cards, or of all if they are fewer."""
    return _best_hand(tuple(cards), ace_low)


@functools.lru_cache(4096)  # every wager of a box needs the same hand
def _best_hand(cards: tuple[str, ...], ace_low: bool) -> HandRank:
    size = min(5, len(cards))
    return max(rank_hand(five, ace_low) for five in itertools.combinations(cards, size))


def hand_names(cards: Sequence[str], ace_low: bool = True) -> set[str]:
    """Return every paytable name that describes the best five of these cards."""
    category, ties = best_hand(cards, ace_low)
    names = {CATEGORIES[category]}
    if category < STRAIGHT:
        names.add("less_than_straight")
    if category == PAIR:
        if ties[0] >= KING:
            names.add("pair_aces_or_kings")
        if ties[0] >= JACK:
            names.add("pair_jacks_or_better")
        if ties[0] >= TEN:
            names.add("pair_tens_or_better")
        if ties[0] >= 6:
            names.add("pair_sixes_or_better")
        if 6 <= ties[0] <= TEN:
            names.add("pair_sixes_to_tens")
    if "royal_flush" in names:
        diamonds = all(rank + "d" in cards for rank in "AKQJT")
        names.add("royal_flush_diamonds" if diamonds else "royal_flush_non_diamonds")
    return names


def six_card_names(cards: Sequence[str]) -> set[str]:
    """Return the names of a six card bonus hand; a super royal needs all six cards."""
    names = hand_names(cards)
    for suit in SUITS:
        if all(rank + suit in cards for rank in "AKQJT9"):
            names = {"super_royal_any"}
            names.add("super_royal_diamonds" if suit == "d" else "super_royal_non_diamonds")
    return names


def pocket_names(cards: Sequence[str], dealer: Sequence[str] = ()) -> set[str]:
    """Return every paytable name that describes two starting cards."""
    high, low = sorted((rank_of(card) for card in cards), reverse=True)
    suited = cards[0][1] == cards[1][1]
    names: set[str] = set()
    if high == low == ACE:
        names.add("pocket_aces")
        if set(cards) == {"Ah", "Ad"}:
            names.add("pocket_aces_hearts_diamonds")
        if len(dealer) == 2 and all(rank_of(card) == ACE for card in dealer):
            names.add("pocket_aces_player_and_dealer")
    elif high == low and high >= JACK:
        names.add("pocket_jacks_queens_kings")
    elif high == low:
        names.add("pocket_pair_tens_or_lower")
    elif high == ACE and low == KING:
        names.add("ace_king_suited" if suited else "ace_king_offsuit")
    elif high == ACE and low in (QUEEN, JACK):
        names.add("ace_queen_or_ace_jack_suited" if suited else "ace_queen_or_ace_jack_offsuit")
    return names


def live_cards(cards: Sequence[str]) -> list[str]:
    """Return the live cards of Top Five: tens and better."""
    return [card for card in cards if rank_of(card) >= TEN]


def top_five_rank(
    cards: Sequence[str], compare_extra_cards: bool
) -> tuple[int, HandRank, tuple[int, ...]]:
    """Return the number of live cards, the best five, and (an interpretation) the rest."""
    live = live_cards(cards)
    best = best_hand(live)
    rest: tuple[int, ...] = ()
    if len(live) > 5 and compare_extra_cards:
        five = max(itertools.combinations(live, 5), key=rank_hand)
        rest = tuple(sorted((rank_of(c) for c in live if c not in five), reverse=True))
    return len(live), best, rest


def top_five_dealer_qualifies(cards: Sequence[str]) -> bool:
    """Whether the dealer has a queen and a jack or better, by count first, then by rank."""
    live = live_cards(cards)
    return (len(live), best_hand(live)) >= (2, rank_hand(["Qs", "Jd"]))
