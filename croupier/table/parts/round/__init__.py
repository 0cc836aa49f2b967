"""One round of play: betting, dealing, decisions, showdown, settlement, irregularities.

Start with `messages` (commands and events), then `state` and `part`. Rules: chapters 6 to 13.
"""
