"""Hands that are folded under the best play, by what they would have been on a side wager.

Needed only where a fold forfeits the wager (`progressive_after_fold`, `bad_beat_after_fold`). The
main games have few settings that move money, so their folds are kept with the games
(`croupier.games.expected_returns`); `recount` makes them anew, and a test compares.
"""

from __future__ import annotations

from croupier.analysis import variants
from croupier.analysis.hand_frequencies import Counts
from croupier.games import House, find
from croupier.games.expected_returns import FoldedHands, fold_key, is_forfeited_by_fold, main_key
from croupier.games.game import load_code


def folded(house: House, wager: str) -> FoldedHands:
    """The folded deals under the best main play, by what a wager is judged on, counted anew."""
    counted: FoldedHands = load_code(house.game.analysis.fold_counter)(house, wager)
    return counted


def recount(game_key: str) -> dict[str, dict[str, Counts]]:
    """The folds of a game under every setting, wager and basis, counted anew."""
    study = find(game_key).analysis
    found: dict[str, dict[str, Counts]] = {}
    for settings in variants.combinations_of(study.main):
        base = variants.with_settings(variants.standard_house(game_key), settings)
        counted = found[main_key(base)] = {}
        for wager, readings in study.sides.items():
            for chosen in variants.combinations_of(readings):
                house = variants.with_settings(base, {**chosen, **settings})
                key = fold_key(house, wager)
                if key not in counted and is_forfeited_by_fold(house, wager):
                    counts, deals = folded(house, wager)
                    met = {hand: count for hand, count in counts.items() if count}
                    counted[key] = {"deals": deals, **met}
    return found
