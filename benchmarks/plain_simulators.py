"""Plain Python simulators of Ultimate with a compiled hand evaluator, for comparison."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from typing import Any

from croupier.analysis.kernels.hands.isomorphism import multisets, numbering
from croupier.analysis.kernels.simulate.single_raise_rounds import ORDER_BITS
from croupier.analysis.simulation.simulation_setup import build_setup
from croupier.games import House


def evaluator() -> Any:
    """Import eval7 without its deprecation warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import eval7
    return eval7


def deck_of(package: Any) -> list[Any]:
    """eval7's cards in Croupier's order."""
    return [package.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]


def play_chart(rounds: int) -> int:
    """Play the main game by a simple chart; returns the net result."""
    eval7 = evaluator()
    deck = deck_of(eval7)
    draw, evaluate, net = random.Random(1).sample, eval7.evaluate, 0
    for _ in range(rounds):
        cards = draw(deck, 9)
        board = cards[4:]
        one, two = cards[0].rank, cards[1].rank
        play = 4 if one == two or max(one, two) >= 10 else 0
        if not play:
            ranks = [card.rank for card in board]
            play = 2 if one in ranks[:3] or two in ranks[:3] else int(one in ranks or two in ranks)
        if not play:
            net -= 2
            continue
        own, dealer = evaluate(cards[:2] + board), evaluate(cards[2:4] + board)
        qualifies = eval7.handtype(dealer) != "High Card"
        if own > dealer:
            net += play + qualifies
        elif own < dealer:
            net -= play + 1 + qualifies
    return net


class BestPlaySimulator:
    """Plays the same game as Croupier's simulator: best play from lookup lists, all side wagers."""

    def __init__(self, house: House) -> None:
        _, play = build_setup(house).arguments
        self.opening: list[int] = play.opening[0].tolist()
        self.flops: list[int] = play.flops.tolist()
        self.renamed: list[list[int]] = play.renamed.tolist()
        self.flop_bits: bytes = play.flop_bits.tobytes()
        self.plain: bytes = play.river_plain.tobytes()
        self.suited: bytes = play.river_suited.tobytes()
        self.types: list[list[int]] = play.hand_types.tolist()
        self.ranks: list[int] = play.hand_ranks.tolist()
        self.pockets: list[int] = play.pockets.tolist()
        self.masks: list[int] = numbering().masks.tolist()
        self.boards = {tuple(row): at for at, row in enumerate(multisets(5).tolist())}

    def river(self, board: list[int], hand: int) -> int:
        """Whether to bet on the river (1) or fold (0)."""
        for suit in range(4):
            inside = [card >> 2 for card in board if card & 3 == suit]
            if len(inside) >= 3:
                place = self.masks[sum(1 << rank for rank in inside)]
                outside = sorted(card >> 2 for card in board if card & 3 != suit)
                if len(outside) == 2:
                    low, high = outside
                    number = place * 91 + high * (high + 1) // 2 + low
                elif outside:
                    number = 286 * 91 + place * 13 + outside[0]
                else:
                    number = 286 * 91 + 715 * 13 + place
                at = number * 351 + self.types[suit][hand]
                return self.suited[at >> 3] >> (at & 7) & 1
        at = self.boards[tuple(sorted(card >> 2 for card in board))] * 91 + self.ranks[hand]
        return self.plain[at >> 3] >> (at & 7) & 1

    def decide(self, hand: int, board: list[int]) -> int:
        """The play wager in antes."""
        if self.opening[hand]:
            return 4
        low, middle, high = sorted(board[:3])
        three = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
        flop, order = divmod(self.flops[three], 1 << ORDER_BITS)
        at = flop * 1326 + self.renamed[order][hand]
        if self.flop_bits[at >> 3] >> (at & 7) & 1:
            return 2
        return self.river(board, hand)

    def play(self, rounds: int) -> Counter[tuple[int, ...]]:
        """Count rounds by outcome of the main game and of each side wager."""
        eval7 = evaluator()
        deck = deck_of(eval7)
        draw, evaluate, numbers = random.Random(1).sample, eval7.evaluate, range(52)
        counts: Counter[tuple[int, ...]] = Counter()
        for _ in range(rounds):
            cards = draw(numbers, 13)
            one, two = max(cards[:2]), min(cards[:2])
            hand = one * (one - 1) // 2 + two
            bet = self.decide(hand, cards[4:9])
            shown = [deck[card] for card in cards]
            board, held = shown[4:9], shown[:2]
            own, dealer = evaluate(held + board), evaluate(shown[2:4] + board)
            counts[bet, own >> 24, dealer >> 24, (own > dealer) - (own < dealer)] += 1
            counts[1, evaluate(held + board[:3]) >> 24] += 1
            counts[2, evaluate(held + shown[9:]) >> 24] += 1
            counts[3, evaluate(board) >> 24] += 1
            counts[4, self.pockets[hand]] += 1
        return counts
