"""Which cards make a hand, for those who may see all of them.

The game says what a hand is called; which five of the visible cards it is are found by leaving out
one that changes nothing, the last first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from croupier.cards import Card, Face, names, rank_of
from croupier.games import DealtHand
from croupier.ranking import LOWEST_LIVE_RANK, poker_value
from croupier.server.protocol import HandView
from croupier.table import Round, Table, Viewer
from croupier.table.core.views import may_look

FIVE = 5


Hands: TypeAlias = dict[tuple[int, tuple[Card, ...]], tuple[HandView, ...]]  # by seat and cards


def hands_of(table: Table, viewer: Viewer, known: Hands | None = None) -> tuple[HandView, ...]:
    """The hands whose every card a viewer sees, the dealer's first.

    `known` keeps what they are called at this moment, for those who ask next.
    """
    kept: Hands = {} if known is None else known
    current = table.round
    if current is None or not current.betting_closed:
        return ()
    found: list[HandView] = []
    whole = current.closed and viewer.watches

    def shown(faces: Sequence[Face]) -> list[Card]:
        return [card for card in faces if card is not None and (whole or card in current.exposed)]

    board = shown(current.layout)

    def named(seat: int, cards: Sequence[Card]) -> tuple[HandView, ...]:
        key = (seat, (*cards, *board))
        if key not in kept:
            kept[key] = tuple(told(current, seat, cards, board))
        return kept[key]

    if current.dealer and len(shown(current.dealer)) == len(current.dealer):
        found += named(0, shown(current.dealer))
    for seat, box in sorted(current.boxes.items()):
        own = seat in viewer.boxes and may_look(current, viewer, seat)
        held = [card for card in box.cards if card is not None] if own else shown(box.cards)
        if held and len(held) == len(box.cards):
            found += named(seat, held)
    return tuple(found)


def told(
    current: Round, seat: int, cards: Sequence[Card], board: Sequence[Card]
) -> Iterable[HandView]:
    """A hand in the game's own words; nothing before enough of it can be seen."""
    game = current.game
    complete = len(board) == game.community_cards
    if len(cards) < (game.player_cards if seat else game.dealer_cards):
        return
    if len(cards) + len(board) < FIVE or (game.layout.lines and not complete):
        return
    # Compared with itself: nobody asks for what lies face down.
    seen = DealtHand(cards=cards, dealer=cards, community=board, box=(), folded_at="", wagers=())
    announce = game.announce_player if seat or game.announce_dealer is None else None
    said = (announce or game.announce_dealer)(seen, current.house)  # type: ignore[misc]
    yield HandView(seat, said.hand, tuple(names(made_of(current, cards, board))))


def made_of(current: Round, cards: Sequence[Card], board: Sequence[Card]) -> Sequence[Card]:
    """The cards that a hand is judged on: the best five, those of each line, or those live."""
    lines = current.game.layout.lines
    if lines:
        runs = [[*cards, *(board[place] for place in line)] for line in lines.values()]
        return list(dict.fromkeys(card for run in runs for card in run))
    if not current.game.community_cards and len(cards) > FIVE:
        return [card for card in cards if rank_of(card) >= LOWEST_LIVE_RANK]
    return best_five((*cards, *board))


@lru_cache(1024)  # everybody at a table asks for the same hands, again and again
def best_five(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The five cards that make the best hand; of several such fives, the first."""
    value, five = poker_value(cards), cards
    for place in range(len(cards) - 1, -1, -1):
        if len(five) == FIVE:
            break
        without = (*five[:place], *five[place + 1 :])  # what follows was looked at before
        if poker_value(without) == value:
            five = without
    return five
