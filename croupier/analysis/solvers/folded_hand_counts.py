"""Counts of deals folded under optimal play, by the hand a side wager would have had.

Needed only where a fold forfeits the wager (`progressive_after_fold`, `bad_beat_after_fold`). The
games ship them precomputed (`croupier.games.expected_returns`); `recount` computes them again, and
a test compares.
"""

from __future__ import annotations

from croupier.analysis import variants
from croupier.analysis.hand_frequencies import Counts
from croupier.games import House, find
from croupier.games.expected_returns import FoldedHands, fold_key, is_forfeited_by_fold, main_key
from croupier.games.game import load_code


def folded(house: House, wager: str) -> FoldedHands:
    """Count the deals folded under optimal main play, by the hand a wager is judged on."""
    counted: FoldedHands = load_code(house.game.analysis.fold_counter)(house, wager)
    return counted


def recount(game_key: str) -> dict[str, dict[str, Counts]]:
    """Count the folds of a game under every setting, wager and basis."""
    analysis = find(game_key).analysis
    by_setting: dict[str, dict[str, Counts]] = {}
    for settings in variants.combinations_of(analysis.main):
        base = variants.with_settings(variants.standard_house(game_key), settings)
        counted = by_setting[main_key(base)] = {}
        for wager, readings in analysis.sides.items():
            for chosen in variants.combinations_of(readings):
                house = variants.with_settings(base, {**chosen, **settings})
                key = fold_key(house, wager)
                if key not in counted and is_forfeited_by_fold(house, wager):
                    counts, deals = folded(house, wager)
                    occurring = {hand: count for hand, count in counts.items() if count}
                    counted[key] = {"deals": deals, **occurring}
    return by_setting
