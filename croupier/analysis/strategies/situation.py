"""Features of one situation in plain Python, for explaining which rule of a strategy applies.

The kernels compute the same features for all situations of a street at once; tests compare them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.strategies.cost import ordered_options
from croupier.analysis.strategies.rule_language import Rule, practical_strategy
from croupier.cards import RANKS, Card
from croupier.games import Game, Street
from croupier.ranking import LIVE_CATEGORY_SHIFT, LIVE_COUNT_SHIFT, live_card_value, poker_value

CATEGORY_SHIFT = 20
FIVE = 5
STRAIGHTS = [{(low + place) % 13 for place in range(FIVE)} for low in range(-1, 9)]


class Situation:
    """The cards that a player sees at a decision; implements `Features` for one situation."""

    def __init__(
        self, game: Game, street: Street, cards: Sequence[Card], board: Sequence[Card]
    ) -> None:
        self.street = street.name
        self.options = tuple(option.word for option in ordered_options(street))
        self.hand_name = starting_hand(cards) if len(cards) == 2 else ""
        self.numbers = features_of(game, list(cards), list(board))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(self.numbers)

    def values(self, name: str) -> NDArray[np.int64]:
        """One value."""
        return np.array([self.numbers[name]])

    def in_range(self, hands: frozenset[str]) -> NDArray[np.bool_]:
        """Whether the own cards are among these starting hands."""
        return np.array([self.hand_name in hands])

    def rule(self, rules: Sequence[Rule]) -> Rule | None:
        """The first rule whose condition holds."""
        return next((rule for rule in rules if bool(rule.fits(self).all())), None)


def explain(
    game: Game, street: Street, cards: Sequence[Card], board: Sequence[Card], best: str
) -> str:
    """Why an option is the best one: the simple rule that applies, and the cards that beat you.

    Returns "" for a game without a practical strategy.
    """
    strategy = practical_strategy(game.key)
    if strategy is None:
        return ""
    situation = Situation(game, street, cards, board)
    rules = strategy.on(street.name)
    rule = situation.rule(rules)
    action = rule.action if rule is not None else situation.options[0]
    if rule is not None:
        text = f"{action} with {rule.words}"
    else:
        bets = "; ".join(f"{other.action} with {other.words}" for other in rules)
        text = f"{action}, because no rule for a bet applies ({bets})"
    if action == best:
        text = f"Simple rule: {text}."
    else:
        text = f"An exception: exact values favor {best}, although the simple rule is {text}."
    beaten = situation.numbers.get("outs")
    return text if beaten is None else f"{text} {beaten_text(beaten)}"


def beaten_text(outs: int) -> str:
    """How many cards in the dealer's hand beat the player."""
    if outs == 1:
        return "1 card in the dealer's hand beats you."
    return f"{outs or 'No'} cards in the dealer's hand beat you."


def starting_hand(cards: Sequence[Card]) -> str:
    """A starting hand as in rules: "AKs", "72o", "99"."""
    low, high = sorted(cards)
    name = RANKS[high >> 2] + RANKS[low >> 2]
    return name if high >> 2 == low >> 2 else name + ("s" if high & 3 == low & 3 else "o")


def features_of(game: Game, cards: list[Card], board: list[Card]) -> Mapping[str, int]:
    """The features of a situation under the layout of the game."""
    if game.layout.lines:
        return run_features(cards, board)
    if not game.community_cards:
        return live_features(cards)
    if not board:
        return own_features(cards)
    if len(board) == 1:
        return {**own_features(cards), **card_features(cards, board[0])}
    return {**own_features(cards), **holdem_features(cards, board)}


def own_features(cards: Sequence[Card]) -> dict[str, int]:
    """Two own cards."""
    low, high = sorted((card >> 2) + 2 for card in cards)
    return {
        "high": high,
        "low": low,
        "pocket": high if high == low else 0,
        "suited": int(cards[0] & 3 == cards[1] & 3),
        "gap": high - low,
    }


def card_features(cards: Sequence[Card], card: Card) -> dict[str, int]:
    """Two own cards beside one community card."""
    ranks, rank = [each >> 2 for each in cards], card >> 2
    pocket = ranks[0] + 2 if ranks[0] == ranks[1] else 0
    of_suit = sum(each & 3 == card & 3 for each in cards)
    suited = int(cards[0] & 3 == cards[1] & 3)
    return {
        "card": rank + 2,
        "pair": pocket or (rank + 2 if rank in ranks else 0),
        "in_suit": 3 if of_suit == 2 else max(of_suit + 1, suited + 1),
        "over": sum(each > rank for each in ranks),
        "span": max(*ranks, rank) - min(*ranks, rank),
    }


def made_category(cards: Sequence[Card]) -> int:
    """The category of three to seven cards; fewer than five make no straight and no flush."""
    if len(cards) >= FIVE:
        return poker_value(cards) >> CATEGORY_SHIFT
    counts = sorted(Counter(card >> 2 for card in cards).values(), reverse=True)
    if counts[0] >= 3:
        return {3: 3, 4: 7}[counts[0]]
    return counts.count(2)


def holdem_features(cards: list[Card], board: list[Card]) -> dict[str, int]:
    """Two own cards and three to five community cards."""
    ranks = sorted(card >> 2 for card in cards)
    on_board = [card >> 2 for card in board]
    paired = [rank + 2 for rank in ranks if rank in on_board or ranks[0] == ranks[1]]
    made, alone = made_category(cards + board), made_category(board)
    results = {
        "made": made,
        "board": alone,
        "pair": max(paired, default=0),
        "hidden": int(bool(paired) or made > alone),
        "over": sum(rank > max(on_board) for rank in ranks),
    }
    if len(board) == FIVE:
        left = [card for card in range(52) if card not in cards and card not in board]
        own = poker_value(cards + board)
        return {**results, "outs": sum(poker_value([*board, card]) > own for card in left)}
    draws = [c >> 2 for c in cards if sum(o & 3 == c & 3 for o in cards + board) == 4]
    held, theirs = {*ranks, *on_board}, {*on_board}
    ends = [rank for rank in completions(held) if rank not in completions(theirs)]
    return {
        **results,
        "flush_draw": max(draws, default=-2) + 2,
        "straight_draw": len(ends) if made < 4 else 0,
    }


def completions(held: set[int]) -> list[int]:
    """The ranks that complete a straight."""
    return [rank for rank in range(13) if any(each - held == {rank} for each in STRAIGHTS)]


def live_features(cards: Sequence[Card]) -> dict[str, int]:
    """The live cards of a hand: their number, what they make, their highest ranks."""
    value = live_card_value(cards, False)
    count = value >> LIVE_COUNT_SHIFT
    ranks = sorted(((card >> 2) + 2 for card in cards), reverse=True)[:count]
    return {
        "live": count,
        "made": value >> LIVE_CATEGORY_SHIFT & 15,
        "pair": max((rank for rank in ranks if ranks.count(rank) > 1), default=0),
        "high": ranks[0] if ranks else 0,
        "second": ranks[1] if len(ranks) > 1 else 0,
    }


def run_features(cards: list[Card], board: list[Card]) -> dict[str, int]:
    """Two own cards and the sides of the runs that are face up; "both_" is the lesser run."""
    own = own_features(cards)
    runs = [side_features([*cards, *board[at : at + 2]]) for at in range(0, len(board), 2)]
    if not runs:
        return own
    most = {name: max(run[name] for run in runs) for name in runs[0]}
    least = {f"both_{name}": min(run[name] for run in runs) for name in runs[0]}
    return {**own, **most, **(least if len(runs) > 1 else {})}


def side_features(cards: Sequence[Card]) -> dict[str, int]:
    """Two own cards and the two side cards of one run."""
    counts = Counter(card >> 2 for card in cards)
    suits = Counter(card & 3 for card in cards)
    return {
        "made": made_category(cards),
        "pair": max((rank + 2 for rank, count in counts.items() if count > 1), default=0),
        "in_suit": max(suits.values()),
        "straight_draw": len(completions(set(counts))),
        "jacks": sum(card >> 2 >= 9 for card in cards),
        "sixes": sum(4 <= card >> 2 < 9 for card in cards),
    }
