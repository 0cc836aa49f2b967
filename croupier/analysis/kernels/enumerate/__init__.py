"""Exhaustive enumeration of hold'em hands and boards.

Start with `showdown_counts` (all hands on all boards) and `runouts` (sums back to flops and turns);
`flops` and `turns` decide there. Others: known cards, rule features, decision costs.
"""
