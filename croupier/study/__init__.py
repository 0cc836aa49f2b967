"""Exact mathematics of any House: values, distributions, strategies and advice.

Importing this room loads neither NumPy nor Numba; solving does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.games.returns import named, returns

if TYPE_CHECKING:
    from croupier.games import House
    from croupier.study.advice import advise
    from croupier.study.analysis import analyze, analyze_game
    from croupier.study.solution import Solution
    from croupier.study.workers import Progress

__all__ = ["advise", "analyze", "analyze_game", "returns", "solve"]

_ELSEWHERE = {"advise": "advice", "analyze": "analysis", "analyze_game": "analysis"}


def solve(house: House, distribution: bool = True, progress: Progress | None = None) -> Solution:
    """The exact value and the best play of a House's main game.

    `distribution=False` leaves out the distribution of a round and the frequency of actions.
    """
    from croupier.study.workers import silent

    solution: Solution = named(house.game.study.solver)(house, distribution, progress or silent)
    return solution


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(import_module(f"croupier.study.{_ELSEWHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
