"""Counts of the number of live cards, and of the hands they make."""

from __future__ import annotations

from functools import cache

from croupier.analysis.hand_frequencies import Counts
from croupier.games.hand_names import LIVE_COUNTS, POKER_HANDS, live_card_hand
from croupier.games.top_five import solver
from croupier.ranking import live_card_value


@cache
def hand_counts(cards: int = 7) -> dict[str, Counts]:
    """Counts of hands of `cards` cards, by number of live cards and by hand."""
    sets = solver.live_sets()
    by_count: Counts = dict.fromkeys(LIVE_COUNTS, 0)
    by_hand: Counts = dict.fromkeys(POKER_HANDS, 0)
    names: dict[int, str] = {}
    ways = solver.dead_ways(solver.DEAD, cards)
    for least, size in zip(sets.least.tolist(), sets.sizes.tolist(), strict=True):
        if least not in names:
            names[least] = live_card_hand(live_card_value(solver.held_cards(least)))
        deals = ways[size]
        by_count[LIVE_COUNTS[size]] += deals
        by_hand[names[least]] += deals
    return {"live_count": by_count, "live_hand": {k: v for k, v in by_hand.items() if v}}
