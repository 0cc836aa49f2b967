"""Exact mathematics of any House: values, distributions, strategies and advice.

Importing this room loads neither NumPy nor Numba; solving does. What other rooms may use is named
in `__all__`; nobody reaches past it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# At once, because the module has the name of its function.
from croupier.study.returns import kept_mains, returns

if TYPE_CHECKING:
    from croupier.games.house import House
    from croupier.money import Cents
    from croupier.study.advice import TIES, advise, hint, play, strategy
    from croupier.study.analysis import analyze, analyze_game, side_result
    from croupier.study.contract import to_json
    from croupier.study.economics import assess
    from croupier.study.offered import by_ante
    from croupier.study.protection import Protected, protect
    from croupier.study.results import (
        Analysis,
        AtAnte,
        ChartRow,
        CloseDecision,
        MainResult,
        StreetSummary,
    )
    from croupier.study.sessions import Rebate, Ruin, Session, session
    from croupier.study.sides import MeterWorth, SideLine, SideResult
    from croupier.study.sides import offered as sides_offered
    from croupier.study.sides import study as study_side
    from croupier.study.solution import Advice, Solution, Strategy
    from croupier.study.tables import rank_hands
    from croupier.study.variants import standard as standard_house
    from croupier.study.variants import with_settings
    from croupier.study.workers import Progress

__all__ = [
    "TIES",
    "Advice",
    "Analysis",
    "AtAnte",
    "ChartRow",
    "CloseDecision",
    "MainResult",
    "MeterWorth",
    "Progress",
    "Protected",
    "Rebate",
    "Ruin",
    "Session",
    "SideLine",
    "SideResult",
    "Solution",
    "Strategy",
    "StreetSummary",
    "advise",
    "analyze",
    "analyze_game",
    "assess",
    "by_ante",
    "hint",
    "kept_mains",
    "play",
    "protect",
    "rank_hands",
    "returns",
    "session",
    "side_result",
    "sides_offered",
    "solve",
    "standard_house",
    "strategy",
    "study_side",
    "to_json",
    "with_settings",
]

SOLVERS = {
    "ultimate_texas_holdem": "play_games",
    "jackpot_holdem": "play_games",
    "texas_holdem_bonus": "texas",
    "run_em_twice": "run_em_twice",
    "top_five": "top_five",
}
# Public names by the module that has them, and the name they have there where it differs.
_WHERE = {
    "advice": ("TIES", "advise", "hint", "play", "strategy"),
    "analysis": ("analyze", "analyze_game", "side_result"),
    "contract": ("to_json",),
    "economics": ("assess",),
    "offered": ("by_ante",),
    "protection": ("Protected", "protect"),
    "results": ("Analysis", "AtAnte", "ChartRow", "CloseDecision", "MainResult", "StreetSummary"),
    "sessions": ("Rebate", "Ruin", "Session", "session"),
    "sides": ("MeterWorth", "SideLine", "SideResult", "sides_offered", "study_side"),
    "solution": ("Advice", "Solution", "Strategy"),
    "tables": ("rank_hands",),
    "variants": ("standard_house", "with_settings"),
    "workers": ("Progress",),
}
_THERE = {"sides_offered": "offered", "study_side": "study", "standard_house": "standard"}


def solve(
    house: House,
    distribution: bool = True,
    progress: Progress | None = None,
    ante: Cents | None = None,
) -> Solution:
    """The exact value and the best play of a House's main game.

    `distribution=False` leaves out the distribution of a round and the frequency of actions. With
    an `ante` in cents the game is valued as offered at that ante: winnings rounded to what can be
    paid, and cut by the payout limit; without, by the odds alone.
    """
    from croupier.study.workers import silent

    solver = import_module(f"croupier.study.{SOLVERS[house.game.key]}")
    solution: Solution = solver.solve(house, distribution, progress or silent, ante)
    return solution


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f"croupier.study.{module}"), _THERE.get(name, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
