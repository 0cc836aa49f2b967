"""Solver parts shared by games: `board_enumeration` (hold'em boards) and `starting_hands`.

`single_raise` solves games with one Play bet. A game's own solver is in its folder.
"""
