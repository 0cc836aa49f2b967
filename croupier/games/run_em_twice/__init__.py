"""Run 'Em Twice Poker: start with `game.py` (the rules) and `form.py` (the submission form)."""
