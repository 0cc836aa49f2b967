"""The coach of practice tables: what each option was worth, what a round has taught.

The browser and the terminal ask the same coach and use its words. The best play comes from the
study room, which is imported when something is worked out.
"""

from __future__ import annotations

from croupier.coach import coach_messages, phrases
from croupier.coach.review import (
    ReviewedDecision,
    ReviewedRound,
    added,
    again,
    asked_at,
    follow,
    valued,
    valued_all,
    worth_of,
)
from croupier.coach.solved_game import Best, solved

__all__ = [
    "Best",
    "ReviewedDecision",
    "ReviewedRound",
    "added",
    "again",
    "asked_at",
    "coach_messages",
    "follow",
    "phrases",
    "solved",
    "valued",
    "valued_all",
    "worth_of",
]
