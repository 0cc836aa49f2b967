"""Texas Hold 'Em Bonus Poker: start with `game.py` (rules) and `form.py` (submission form)."""
