"""Two runs over a cross: `cross_runs` values all boards of a starting hand.

`cross_known_cards` adds exposed cards.
"""
