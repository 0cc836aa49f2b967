"""Names the poker hands that a viewer can see completely, and the cards that make them.

The game describes the hand with its ranks. Which five of the visible cards make it is found by
leaving out cards that do not change the value, the last one first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from croupier.cards import Card, Face, names
from croupier.games import DealtHand
from croupier.ranking import poker_value
from croupier.server.protocol import HandView
from croupier.table import Round, Table, Viewer
from croupier.table.core.views import may_see_cards

FIVE = 5


def visible_hands(table: Table, viewer: Viewer) -> tuple[HandView, ...]:
    """The hands whose every card a viewer sees, the dealer's first."""
    current = table.round
    if current is None or not current.betting_closed:
        return ()
    hands: list[HandView] = []
    all_visible = current.closed and viewer.watches

    def visible(faces: Sequence[Face]) -> list[Card]:
        return [
            card for card in faces if card is not None and (all_visible or card in current.exposed)
        ]

    board = visible(current.layout)

    if current.dealer and len(visible(current.dealer)) == len(current.dealer):
        hands += _hand_views(current, 0, visible(current.dealer), board)
    for seat, box in sorted(current.boxes.items()):
        own = seat in viewer.boxes and may_see_cards(current, viewer, seat)
        cards = [card for card in box.cards if card is not None] if own else visible(box.cards)
        if cards and len(cards) == len(box.cards):
            hands += _hand_views(current, seat, cards, board)
    return tuple(hands)


def _hand_views(
    current: Round, seat: int, cards: Sequence[Card], board: Sequence[Card]
) -> Iterable[HandView]:
    """The hand with its ranks; nothing while too few cards are visible."""
    game = current.game
    complete = len(board) == game.community_cards
    if len(cards) < (game.player_cards if seat else game.dealer_cards):
        return
    if len(cards) + len(board) < FIVE or (game.layout.lines and not complete):
        return
    # Compared with itself, so that no face-down card is used.
    seen = DealtHand(cards=cards, dealer=cards, community=board, box=(), folded_at="", wagers=())
    if game.describe_hand is not None:
        words = game.describe_hand(seen, current.house)
    else:
        words = game.announce_player(seen, current.house).hand
    yield HandView(seat, words, tuple(names(cards_used(current, cards, board))))


def cards_used(current: Round, cards: Sequence[Card], board: Sequence[Card]) -> Sequence[Card]:
    """The cards that make a hand: the best five, those of each line, or the live ones."""
    lines = current.game.layout.lines
    if lines:
        runs = [[*cards, *(board[place] for place in line)] for line in lines.values()]
        return list(dict.fromkeys(card for run in runs for card in run))
    live = tuple(filter(current.game.is_live, (*cards, *board)))
    return best_five(live) if current.game.community_cards else live


@lru_cache(1024)  # every viewer of a table asks for the same hands
def best_five(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The five cards that make the best hand; of several such fives, the first."""
    value, five = poker_value(cards), cards
    for place in range(len(cards) - 1, -1, -1):
        if len(five) == FIVE:
            break
        without = (*five[:place], *five[place + 1 :])  # the cards behind it are necessary
        if poker_value(without) == value:
            five = without
    return five
