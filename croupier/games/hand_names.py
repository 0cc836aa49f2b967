"""Names of hands on paytables, and the hands that each paytable line covers.

Facts use the most specific name ("pair_J", "royal_flush_diamonds"); a line may cover several
("pair_jacks_or_better", "royal_flush").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from croupier import ranking
from croupier.cards import DIAMONDS, HEARTS, RANKS, Card, rank_of, suit_of

PAIRS = tuple(f"pair_{rank}" for rank in RANKS)
HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = ranking.CATEGORIES[:5]
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = ranking.CATEGORIES[5:]

# Poker hands from worst to best, pairs by rank.
POKER_HANDS: tuple[str, ...] = (HIGH_CARD, *PAIRS, *ranking.CATEGORIES[2:])
# The same with royal flushes by suit, for paytables that distinguish them.
ROYALS = ("royal_flush_non_diamonds", "royal_flush_diamonds")
ROYAL_HANDS: tuple[str, ...] = (*POKER_HANDS[:-1], *ROYALS)
SUPER_ROYALS = ("super_royal_non_diamonds", "super_royal_diamonds")
SIX_CARD_HANDS: tuple[str, ...] = (*POKER_HANDS, *SUPER_ROYALS)
LIVE_COUNTS: tuple[str, ...] = tuple(f"count_{count}" for count in range(8))

NO_POCKET = "no_pocket_award"
POCKETS: tuple[str, ...] = (
    NO_POCKET,
    "pocket_pair_tens_or_lower",
    "ace_queen_or_ace_jack_offsuit",
    "pocket_jacks_queens_kings",
    "ace_king_offsuit",
    "ace_queen_or_ace_jack_suited",
    "ace_king_suited",
    "pocket_aces",
    "pocket_aces_hearts_diamonds",
)
# The player's and the dealer's pocket aces (12.E#2.2.a, Texas 12.B.1.a).
ACES_AGAINST_ACES = "pocket_aces_player_and_dealer"
RED_ACES_AGAINST_ACES = "pocket_aces_hearts_diamonds_player_and_dealer"
POCKETS_AND_DEALER: tuple[str, ...] = (*POCKETS, ACES_AGAINST_ACES, RED_ACES_AGAINST_ACES)


PLURALS = dict(
    zip(
        RANKS,
        ("deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens")
        + ("jacks", "queens", "kings", "aces"),
        strict=True,
    )
)
SINGULARS = dict(
    zip(
        RANKS,
        ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
        + ("jack", "queen", "king", "ace"),
        strict=True,
    )
)


def _pairs_from(lowest: str, best: str = "A") -> frozenset[str]:
    return frozenset(PAIRS[RANKS.index(lowest) : RANKS.index(best) + 1])


# Lines that cover more than the hand of the same name.
_COVERS: dict[str, frozenset[str]] = {
    ROYAL_FLUSH: frozenset({ROYAL_FLUSH, *ROYALS}),
    "super_royal_any": frozenset(SUPER_ROYALS),
    "less_than_straight": frozenset({HIGH_CARD, PAIR, *PAIRS, TWO_PAIR, THREE_OF_A_KIND}),
    PAIR: frozenset({PAIR, *PAIRS}),
    **{f"pair_{PLURALS[rank]}_or_better": _pairs_from(rank) for rank in RANKS},
    "pair_sixes_to_tens": _pairs_from("6", "T"),
    "pair_aces_or_kings": _pairs_from("K"),
    "pocket_aces": frozenset(
        {"pocket_aces", "pocket_aces_hearts_diamonds", ACES_AGAINST_ACES, RED_ACES_AGAINST_ACES}
    ),
    "pocket_aces_hearts_diamonds": frozenset(
        {"pocket_aces_hearts_diamonds", RED_ACES_AGAINST_ACES}
    ),
    ACES_AGAINST_ACES: frozenset({ACES_AGAINST_ACES, RED_ACES_AGAINST_ACES}),
}


WIDE_LINES = tuple(_COVERS)


def covered_by(line: str) -> frozenset[str]:
    """The most specific names of the hands that a paytable line covers."""
    return _COVERS.get(line, frozenset({line}))


_TITLES = {
    "four_of_a_kind": "four of a kind",
    "three_of_a_kind": "three of a kind",
    NO_POCKET: "no pair, no ace-face",
    "less_than_straight": "less than a straight",
    **{f"pair_{ranks}_or_better": f"pair of {ranks} or better" for ranks in PLURALS.values()},
    "pair_sixes_to_tens": "pair of sixes to tens",
    "pair_aces_or_kings": "pair of aces or kings",
    "pocket_pair_tens_or_lower": "pocket tens or lower",
    "pocket_jacks_queens_kings": "pocket jacks, queens or kings",
    "pocket_aces_hearts_diamonds": "pocket red aces",
    ACES_AGAINST_ACES: "pocket aces, dealer's too",
    "ace_queen_or_ace_jack_offsuit": "ace-queen or ace-jack offsuit",
    "ace_queen_or_ace_jack_suited": "ace-queen or ace-jack suited",
    "ace_king_offsuit": "ace-king offsuit",
    "ace_king_suited": "ace-king suited",
    "royal_flush_diamonds": "royal flush in diamonds",
    "royal_flush_non_diamonds": "royal flush, other suits",
    "super_royal_any": "super royal, any suit",
    "super_royal_diamonds": "super royal in diamonds",
    "super_royal_non_diamonds": "super royal, other suits",
}


def title(hand: str) -> str:
    """The name of a hand or line for people: "pair of jacks", "royal flush"."""
    if hand in _TITLES:
        return _TITLES[hand]
    if hand in PAIRS:
        return f"pair of {PLURALS[hand[-1]]}"
    if hand.startswith("count_"):
        return "1 live card" if hand == "count_1" else f"{hand[-1]} live cards"
    return hand.replace("_", " ")


def describe_value(value: int) -> str:
    """Describe a poker value with its deciding ranks: "two pair, queens and eights"."""
    return describe_category(ranking.category(value), value >> 16 & 15, value >> 12 & 15)


def describe_category(kind: int, first: int, second: int) -> str:
    """Describe a category with its deciding ranks: "full house, kings over tens"."""
    rank, ranks, others = SINGULARS[RANKS[first]], PLURALS[RANKS[first]], PLURALS[RANKS[second]]
    match ranking.CATEGORIES[kind]:
        case "high_card":
            return f"{rank} high"
        case "pair":
            return f"pair of {ranks}"
        case "two_pair":
            return f"two pair, {ranks} and {others}"
        case "three_of_a_kind":
            return f"three {ranks}"
        case "straight":
            return f"straight to the {rank}"
        case "flush":
            return f"flush, {rank} high"
        case "full_house":
            return f"full house, {ranks} over {others}"
        case "four_of_a_kind":
            return f"four {ranks}"
        case "straight_flush":
            return f"straight flush to the {rank}"
    return title(ranking.CATEGORIES[kind])


@lru_cache(maxsize=512)
def best_five(cards: tuple[Card, ...]) -> int:
    """`ranking.poker_value`, cached: settlement evaluates the same hand several times."""
    return ranking.poker_value(cards)


def poker_hand(value: int) -> str:
    """The most specific name of a poker value, without the suit of a royal flush."""
    kind = ranking.category(value)
    if kind == ranking.PAIR:
        return PAIRS[ranking.leading_rank(value)]
    return ranking.CATEGORIES[kind]


def royal_hand(value: int, cards: Sequence[Card]) -> str:
    """The most specific name of the hand that `cards` make, with the suit of a royal flush."""
    if ranking.category(value) == ranking.ROYAL_FLUSH:
        return ROYALS[ranking.royal_suit(cards) == DIAMONDS]
    return poker_hand(value)


def six_card_hand(cards: Sequence[Card]) -> str:
    """The hand of six cards for the Six Card Bonus: a super royal, or their best five."""
    suit = ranking.super_royal_suit(cards)
    if suit >= 0:
        return SUPER_ROYALS[suit == DIAMONDS]
    return poker_hand(ranking.poker_value(cards))


def live_card_hand(value: int) -> str:
    """The most specific name of a live-card value."""
    kind = ranking.live_card_category(value)
    if kind == ranking.PAIR:
        return PAIRS[ranking.live_card_leading_rank(value)]
    return ranking.CATEGORIES[kind]


def pocket_hand(cards: Sequence[Card]) -> str:
    """The hand of a player's two cards on a pairs paytable."""
    low, high = sorted(cards)
    suited = suit_of(low) == suit_of(high)
    low_name, high_name = RANKS[rank_of(low)], RANKS[rank_of(high)]
    if low_name == high_name:
        if high_name == "A":
            red = {suit_of(low), suit_of(high)} == {DIAMONDS, HEARTS}
            return "pocket_aces_hearts_diamonds" if red else "pocket_aces"
        return "pocket_jacks_queens_kings" if high_name in "JQK" else "pocket_pair_tens_or_lower"
    if high_name == "A" and low_name in "JQK":
        pair = "ace_king" if low_name == "K" else "ace_queen_or_ace_jack"
        return f"{pair}_suited" if suited else f"{pair}_offsuit"
    return NO_POCKET


def pocket_hand_with_dealer(cards: Sequence[Card], dealer: Sequence[Card]) -> str:
    """`pocket_hand` on a paytable with a line for aces against the dealer's aces."""
    hand = pocket_hand(cards)
    if hand.startswith("pocket_aces") and all(RANKS[rank_of(card)] == "A" for card in dealer):
        return ACES_AGAINST_ACES if hand == "pocket_aces" else RED_ACES_AGAINST_ACES
    return hand
