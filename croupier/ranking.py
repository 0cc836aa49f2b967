"""Hand evaluator: poker hands of five to seven cards, and live-card hands.

A hand's value is an int: the higher value is the better hand, and equal values tie. This is the
reference evaluator; the lookup tables of the compiled one (`rank_hands`) are built from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.cards import Card

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = 0, 1, 2, 3, 4
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = 5, 6, 7, 8, 9

CATEGORIES = (
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
)

# A poker value is a category and five ranks of four bits each, the deciding ranks first.
CATEGORY_SHIFT = 20
# A live-card value is a count of live cards, a category and seven ranks of four bits each.
LIVE_CATEGORY_SHIFT = 28
LIVE_COUNT_SHIFT = 32
LOWEST_LIVE_RANK = 8  # a ten: deuces to nines do not count

_ACE = 12
_ALL_LIVE = 0b11111
# By card: the bit of its rank, that bit shifted to the sixteen bits of its suit, and a one in the
# four-bit counter of its suit.
_RANK = tuple(1 << (card >> 2) for card in range(52))
_OF_SUIT = tuple(1 << (card >> 2) + 16 * (card & 3) for card in range(52))
_SUIT = tuple(1 << 4 * (card & 3) for card in range(52))


def category(value: int) -> int:
    """The category of a poker value: HIGH_CARD to ROYAL_FLUSH."""
    return value >> CATEGORY_SHIFT


def leading_rank(value: int) -> int:
    """The first deciding rank within the category; for a pair, the rank of the pair."""
    return (value >> 16) & 15


def highest(mask: int) -> int:
    """The highest rank in a nonempty mask of ranks."""
    return mask.bit_length() - 1


def straight_top(mask: int, ace_low: bool) -> int:
    """The top rank of the best straight in a mask of ranks, or 0 if there is no straight."""
    if ace_low:
        line = mask << 1 | mask >> _ACE
    else:
        line = mask << 1
    runs = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return highest(runs) + 3 if runs else 0


def kickers(mask: int, count: int) -> int:
    """The `count` highest ranks of a mask, four bits each, best first."""
    packed = 0
    for _ in range(count):
        rank = mask.bit_length() - 1
        packed = packed << 4 | rank
        mask ^= 1 << rank
    return packed


def poker_value(cards: Sequence[Card], ace_low: bool = True) -> int:
    """The value of the best five-card poker hand among five, six or seven different cards.

    `ace_low` says whether A-2-3-4-5 is a straight (reading A8). Suits never break a tie.
    """
    ones = twos = threes = fours = 0
    suits = 0  # four masks of ranks, sixteen bits each
    suit_counts = 0x3333  # four counts of cards plus three: the high bit says "five or more"
    for card in cards:
        bit = _RANK[card]
        fours |= threes & bit
        threes |= twos & bit
        twos |= ones & bit
        ones |= bit
        suits |= _OF_SUIT[card]
        suit_counts += _SUIT[card]

    flush = 0
    if suit_counts & 0x8888:
        suit = 0
        while not suit_counts >> (4 * suit + 3) & 1:
            suit += 1
        flush = suits >> 16 * suit & 0x1FFF
        top = straight_top(flush, ace_low)
        if top == _ACE:
            return ROYAL_FLUSH << CATEGORY_SHIFT
        if top:
            return STRAIGHT_FLUSH << CATEGORY_SHIFT | top << 16
    if fours:
        four = highest(fours)
        return FOUR_OF_A_KIND << CATEGORY_SHIFT | four << 16 | highest(ones ^ 1 << four) << 12
    if threes:
        three = highest(threes)
        pairs = twos ^ 1 << three
        if pairs:
            return FULL_HOUSE << CATEGORY_SHIFT | three << 16 | highest(pairs) << 12
    if flush:
        return FLUSH << CATEGORY_SHIFT | kickers(flush, 5)
    top = straight_top(ones, ace_low)
    if top:
        return STRAIGHT << CATEGORY_SHIFT | top << 16
    if threes:
        three = highest(threes)
        return THREE_OF_A_KIND << CATEGORY_SHIFT | three << 16 | kickers(ones ^ 1 << three, 2) << 8
    if twos:
        high = highest(twos)
        others = twos ^ 1 << high
        if others:
            low = highest(others)
            kicker = highest(ones ^ 1 << high ^ 1 << low)
            return TWO_PAIR << CATEGORY_SHIFT | high << 16 | low << 12 | kicker << 8
        return PAIR << CATEGORY_SHIFT | high << 16 | kickers(ones ^ 1 << high, 3) << 4
    return kickers(ones, 5)


def rank_hands(
    hands: ArrayLike, *, ace_low: bool = True, check_duplicates: bool = False
) -> NDArray[Any]:
    """`poker_value` of every row of an array of five, six or seven cards, as int32.

    Compiled: some hundred million rows per second. NumPy and Numba are imported on the first call.
    Cards must be 0 to 51; with `check_duplicates`, rows with duplicate cards are rejected too.
    """
    from croupier.analysis import rank_hands as compiled

    return compiled(hands, ace_low=ace_low, check_duplicates=check_duplicates)


def live_card_value(cards: Sequence[Card], extra_cards: bool = True) -> int:
    """The value of a live-card hand: number of live cards, then the best five, then the rest.

    Tens and higher are live. `extra_cards` says whether the sixth and seventh live card break
    a tie (reading A11).
    """
    ones = twos = threes = fours = 0
    count = 0
    suits = 0
    spread = 0  # number of cards of each live rank, four bits each, the ten lowest
    for card in cards:
        rank = card >> 2
        if rank >= LOWEST_LIVE_RANK:
            bit = 1 << (rank - LOWEST_LIVE_RANK)
            fours |= threes & bit
            threes |= twos & bit
            twos |= ones & bit
            ones |= bit
            suits |= bit << 8 * (card & 3)
            spread += 1 << 4 * (rank - LOWEST_LIVE_RANK)
            count += 1

    group = second = -1  # ranks of the pairs, trips or quads, with the ten as 0
    kind = HIGH_CARD
    if ones == _ALL_LIVE:  # seven cards of all five ranks leave no room for quads or a full house
        kind = STRAIGHT
        for suit in range(4):
            if suits >> 8 * suit & _ALL_LIVE == _ALL_LIVE:
                kind = ROYAL_FLUSH
    elif fours:
        kind, group = FOUR_OF_A_KIND, highest(fours)
    elif threes:
        kind, group = THREE_OF_A_KIND, highest(threes)
        if twos ^ 1 << group:
            kind, second = FULL_HOUSE, highest(twos ^ 1 << group)
    elif twos:
        kind, group = PAIR, highest(twos)
        if twos ^ 1 << group:
            kind, second = TWO_PAIR, highest(twos ^ 1 << group)
    packed = _pack_live(spread, kind, group, second, extra_cards)
    return count << LIVE_COUNT_SHIFT | kind << LIVE_CATEGORY_SHIFT | packed


def _pack_live(spread: int, kind: int, group: int, second: int, extra_cards: bool) -> int:
    """The ranks of a live-card hand in deciding order: groups, rest of the five, extra cards."""
    packed = 0
    place = 24
    used = 0
    if kind in (ROYAL_FLUSH, STRAIGHT):
        spread -= 0x11111
        used = 5
    if group >= 0:
        taken = 4 if kind == FOUR_OF_A_KIND else 2
        if kind in (THREE_OF_A_KIND, FULL_HOUSE):
            taken = 3
        packed |= group + LOWEST_LIVE_RANK << place
        spread -= taken << 4 * group
        place -= 4
        used = taken
    if second >= 0:
        packed |= second + LOWEST_LIVE_RANK << place
        spread -= 2 << 4 * second
        place -= 4
        used += 2
    for rank in range(_ACE, LOWEST_LIVE_RANK - 1, -1):
        for _ in range(spread >> 4 * (rank - LOWEST_LIVE_RANK) & 15):
            if used < 5 or extra_cards:
                packed |= rank << place
                place -= 4
                used += 1
    return packed


def live_count(value: int) -> int:
    """The number of live cards of a live-card value."""
    return value >> LIVE_COUNT_SHIFT


def live_card_category(value: int) -> int:
    """The category of a live-card value."""
    return value >> LIVE_CATEGORY_SHIFT & 15


def live_card_leading_rank(value: int) -> int:
    """The first deciding rank within the category of a live-card value."""
    return value >> 24 & 15


def royal_suit(cards: Sequence[Card]) -> int:
    """The suit of the royal flush among the cards, or -1."""
    for suit in range(4):
        held = 0
        for card in cards:
            if card & 3 == suit:
                held |= 1 << (card >> 2)
        if held >> 8 == _ALL_LIVE:
            return suit
    return -1


def super_royal_suit(cards: Sequence[Card]) -> int:
    """The suit of six cards that are the ace to the nine of one suit, or -1."""
    suit = cards[0] & 3
    held = 0
    for card in cards:
        if card & 3 == suit:
            held |= 1 << (card >> 2)
    return suit if held >> 7 == 0b111111 else -1
