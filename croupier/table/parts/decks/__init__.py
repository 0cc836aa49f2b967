"""Decks: received, inspected, spread, shuffled, cut, loaded, counted, pulled (chapters 3 to 5)."""
