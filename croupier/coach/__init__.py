"""The coach of practice tables: values of options (`solved_game`) and reviews of rounds (`review`).

The browser and the terminal share it. The analysis package is imported when a game is solved.
"""

from __future__ import annotations

from croupier.coach import coach_messages, phrases
from croupier.coach.drill import deck_is_close, find_close_deck
from croupier.coach.review import (
    ReviewedDecision,
    ReviewedRound,
    add_round,
    collect_rounds,
    decision_at,
    option_value,
    replay_round,
    review_decision,
    review_decisions,
)
from croupier.coach.solved_game import SolvedGame, solve_game

__all__ = [
    "ReviewedDecision",
    "ReviewedRound",
    "SolvedGame",
    "add_round",
    "coach_messages",
    "collect_rounds",
    "decision_at",
    "deck_is_close",
    "find_close_deck",
    "option_value",
    "phrases",
    "replay_round",
    "review_decision",
    "review_decisions",
    "solve_game",
]
