"""Exact mathematics of any House: values, distributions, strategies and advice.

Importing this room loads neither NumPy nor Numba; solving does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.study.returns import returns

if TYPE_CHECKING:
    from croupier.games.house import House
    from croupier.study.advice import advise
    from croupier.study.analysis import analyze, analyze_game
    from croupier.study.solution import Solution
    from croupier.study.workers import Progress

__all__ = ["advise", "analyze", "analyze_game", "returns", "solve"]

SOLVERS = {
    "ultimate_texas_holdem": "play_games",
    "jackpot_holdem": "play_games",
    "texas_holdem_bonus": "texas",
    "run_em_twice": "run_em_twice",
    "top_five": "top_five",
}
_ELSEWHERE = {"advise": "advice", "analyze": "analysis", "analyze_game": "analysis"}


def solve(house: House, distribution: bool = True, progress: Progress | None = None) -> Solution:
    """The exact value and the best play of a House's main game.

    `distribution=False` leaves out the distribution of a round and the frequency of actions.
    """
    from croupier.study.workers import silent

    solver = import_module(f"croupier.study.{SOLVERS[house.game.key]}")
    solution: Solution = solver.solve(house, distribution, progress or silent)
    return solution


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(import_module(f"croupier.study.{_ELSEWHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
