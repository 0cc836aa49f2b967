"""Bot players with simple play, so that meters move and envy bonuses can be won.

They see only their own cards and the cards face up, and choose among the options of the street.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import RANKS, Card, all_seen, rank_of
from croupier.games import Option, Street
from croupier.ranking import STRAIGHT, category, poker_value
from croupier.table.core.roles import Account
from croupier.table.parts.round.state import Box, Round

COMPANIONS = tuple(
    Account.named(name, "player") for name in ("Ada", "Blaise", "Emilie", "Pierre", "Sofia")
)
_HIGH = RANKS.index("T")


def choose_option(current: Round, street: Street, box: Box) -> tuple[str, str]:
    """Return a decision and the reason for it: bet on a hand, check, or fold."""
    board = [card for card in current.layout if card is not None and card in current.exposed]
    hand = describe_hand(all_seen(box.cards), board)
    bets = [option for option in street.options if option.wager]
    free = next((option for option in street.options if not option.wager), None)
    # High cards alone are worth the smallest bet if the alternative is a fold.
    if hand in (MADE, PAIRED):
        return max(bets, key=_times).word, hand
    if hand == HIGH_CARDS and free is not None and free.word == "fold":
        return min(bets, key=_times).word, hand
    if free is None:
        return min(bets, key=_times).word, f"{hand}, and a bet must be made"
    reason = "and waiting is free" if free.word != "fold" else "and staying in costs a bet"
    return free.word, f"{hand}, {reason}"


MADE = "a straight or better"
PAIRED = "cards that pair"
HIGH_CARDS = "high cards"
NOTHING = "nothing yet"


def describe_hand(cards: Sequence[Card], board: Sequence[Card]) -> str:
    """Return the strength of a hand as one of four phrases."""
    ranks = [rank_of(card) for card in cards]
    high = sum(rank >= _HIGH for rank in ranks)
    visible = [*ranks, *(rank_of(card) for card in board)]
    complete = len(visible) >= 5 and len(ranks) <= 2
    if complete and category(poker_value([*cards, *board])) >= STRAIGHT:
        return MADE
    playable = ranks if len(ranks) <= 2 else [rank for rank in ranks if rank >= _HIGH]
    if any(visible.count(rank) > 1 for rank in playable):
        return PAIRED
    return HIGH_CARDS if 2 * high + 1 >= len(cards) else NOTHING


def passive_option(street: Street) -> Option:
    """Return the option of an absent player: no more chips, and a check rather than a fold."""
    free = [option for option in street.options if not option.wager]
    assert free, f"{[option.word for option in street.options]}: every option is a bet"
    return min(free, key=lambda option: option.word == "fold")


def _times(option: Option) -> int:
    return option.times
