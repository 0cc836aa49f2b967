"""Seats: sitting down, leaving, and floor rulings on players who left or broke the rules.

Start with `messages` and `seating`; `round_hooks` checks the round's commands.
"""
