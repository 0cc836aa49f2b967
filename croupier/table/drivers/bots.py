"""Other players: simple house play, so that meters move and envy has somebody to envy.

They look at their own cards and the cards face up, and know no rule but the options of the street.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import RANKS, Card, rank_of, require_seen
from croupier.games import Option, Street
from croupier.ranking import STRAIGHT, category, poker_value
from croupier.table.core.roles import Account
from croupier.table.parts.round.state import Box, Round

COMPANIONS = tuple(
    Account.named(name, "player") for name in ("Ada", "Blaise", "Emilie", "Pierre", "Sofia")
)
_HIGH = RANKS.index("T")


def choose(current: Round, street: Street, box: Box) -> tuple[str, str]:
    """A decision and the reason for it: bet on something, wait for free, pay only with hope."""
    board = [card for card in current.layout if card is not None and card in current.exposed]
    what = promise(require_seen(box.cards), board)
    bets = [option for option in street.options if option.wager]
    free = next((option for option in street.options if not option.wager), None)
    # High cards alone are worth the smallest bet where a fold is the other answer.
    if what in (MADE, PAIRED):
        return max(bets, key=_times).word, what
    if what == HIGH_CARDS and free is not None and free.word == "fold":
        return min(bets, key=_times).word, what
    if free is None:
        return min(bets, key=_times).word, f"{what}, and a bet must be made"
    reason = "and waiting is free" if free.word != "fold" else "and staying in costs a bet"
    return free.word, f"{what}, {reason}"


MADE = "a straight or better"
PAIRED = "cards that pair"
HIGH_CARDS = "high cards"
NOTHING = "nothing yet"


def promise(cards: Sequence[Card], board: Sequence[Card]) -> str:
    """What a hand has going for it, at a glance."""
    ranks = [rank_of(card) for card in cards]
    high = sum(rank >= _HIGH for rank in ranks)
    seen = [*ranks, *(rank_of(card) for card in board)]
    if len(seen) >= 5 and len(ranks) <= 2 and category(poker_value([*cards, *board])) >= STRAIGHT:
        return MADE
    worth = ranks if len(ranks) <= 2 else [rank for rank in ranks if rank >= _HIGH]
    if any(seen.count(rank) > 1 for rank in worth):
        return PAIRED
    return HIGH_CARDS if 2 * high + 1 >= len(cards) else NOTHING


def waiting(street: Street) -> Option:
    """The answer of somebody who leaves: no more chips, a check before a fold."""
    free = [option for option in street.options if not option.wager]
    assert free, f"{[option.word for option in street.options]}: nobody must bet on"
    return min(free, key=lambda option: option.word == "fold")


def _times(option: Option) -> int:
    return option.times
