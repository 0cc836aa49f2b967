"""Ultimate Texas Hold'Em: start with `game.py` (the rules) and `form.py` (the submission form)."""
