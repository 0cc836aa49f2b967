"""Decks from receipt to removal: inspection, shuffle, cut, loading, stub count (chapters 3 to 5).

Start with `messages` and `lifecycle`; `round_hooks` checks the round's commands.
"""
