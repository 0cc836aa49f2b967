"""Two runs over a cross: `cross_runs` values all boards of a starting hand.

`cross_folds` adds wagers forfeited by a fold, `cross_known_cards` exposed cards.
"""
