"""Exact mathematics of any House: values, distributions, strategies and advice.

Importing this room loads neither NumPy nor Numba; solving does. What other rooms and the solvers
of other packages may use is named in `__all__`; nobody reaches past it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from croupier.games.returns import named, returns

if TYPE_CHECKING:
    from croupier.games import House
    from croupier.money import Cents
    from croupier.study.advice import TIES, advise, at_table, hint, play, strategy
    from croupier.study.analysis import analyze, analyze_game, played_together, side_result
    from croupier.study.bands import Band, band
    from croupier.study.contract import to_json
    from croupier.study.designs import Designed, Reach, Wanted, design, reachable
    from croupier.study.detection import Decision, Watched
    from croupier.study.kept import main_shares
    from croupier.study.offered import by_ante
    from croupier.study.payoffs import Money, money_of, opening_stakes
    from croupier.study.pricing import LineCost, Mistake, Priced, price
    from croupier.study.progressives import Business, MeterBusiness, meter_business
    from croupier.study.protection import Protected, protect
    from croupier.study.randomness import Battery
    from croupier.study.results import (
        Analysis,
        AtAnte,
        ChartRow,
        CloseDecision,
        MainResult,
        StreetSummary,
    )
    from croupier.study.rules import Rule, RuleList, Sight, practical
    from croupier.study.rules import parse as rules_from
    from croupier.study.sessions import Rebate, Ruin, Session, session
    from croupier.study.short_lists import Found, shortest
    from croupier.study.sides import MeterWorth, SideLine, SideResult, Together
    from croupier.study.sides import study as study_side
    from croupier.study.simulation import Hours, Simulation, Span, Spread, simulate
    from croupier.study.solution import Advice, Solution, Strategy, ranked
    from croupier.study.tables import rank_hands
    from croupier.study.tallies import NOT_PLAYED, Met, Played, played
    from croupier.study.tallies import solution as solved
    from croupier.study.variants import STAKE as STANDARD_STAKE
    from croupier.study.variants import standard as standard_house
    from croupier.study.variants import with_settings
    from croupier.study.workers import Progress

__all__ = [
    "NOT_PLAYED",
    "STANDARD_STAKE",
    "TIES",
    "Advice",
    "Analysis",
    "AtAnte",
    "Band",
    "Battery",
    "Business",
    "ChartRow",
    "CloseDecision",
    "Decision",
    "Designed",
    "Found",
    "Hours",
    "LineCost",
    "MainResult",
    "Met",
    "MeterBusiness",
    "MeterWorth",
    "Mistake",
    "Money",
    "Played",
    "Priced",
    "Progress",
    "Protected",
    "Reach",
    "Rebate",
    "Ruin",
    "Rule",
    "RuleList",
    "Session",
    "SideLine",
    "SideResult",
    "Sight",
    "Simulation",
    "Solution",
    "Span",
    "Spread",
    "Strategy",
    "StreetSummary",
    "Together",
    "Wanted",
    "Watched",
    "advise",
    "analyze",
    "analyze_game",
    "at_table",
    "band",
    "by_ante",
    "design",
    "detection",
    "hint",
    "main_shares",
    "meter_business",
    "money_of",
    "opening_stakes",
    "play",
    "played",
    "played_together",
    "practical",
    "price",
    "protect",
    "randomness",
    "rank_hands",
    "ranked",
    "reachable",
    "returns",
    "rules_from",
    "session",
    "shortest",
    "side_result",
    "simulate",
    "solve",
    "solved",
    "standard_house",
    "strategy",
    "study_side",
    "to_json",
    "with_settings",
]

# Public names by the module that has them, and the name they have there where it differs.
_WHERE = {
    "advice": ("TIES", "advise", "at_table", "hint", "play", "strategy"),
    "analysis": ("analyze", "analyze_game", "played_together", "side_result"),
    "bands": ("Band", "band"),
    "contract": ("to_json",),
    "detection": ("Decision", "Watched"),
    "designs": ("Designed", "Reach", "Wanted", "design", "reachable"),
    "kept": ("main_shares",),
    "offered": ("by_ante",),
    "payoffs": ("Money", "money_of", "opening_stakes"),
    "pricing": ("LineCost", "Mistake", "Priced", "price"),
    "progressives": ("Business", "MeterBusiness", "meter_business"),
    "protection": ("Protected", "protect"),
    "randomness": ("Battery",),
    "results": ("Analysis", "AtAnte", "ChartRow", "CloseDecision", "MainResult", "StreetSummary"),
    "rules": ("Rule", "RuleList", "Sight", "practical", "rules_from"),
    "sessions": ("Rebate", "Ruin", "Session", "session"),
    "short_lists": ("Found", "shortest"),
    "sides": ("MeterWorth", "SideLine", "SideResult", "Together", "study_side"),
    "simulation": ("Hours", "Simulation", "Span", "Spread", "simulate"),
    "solution": ("Advice", "Solution", "Strategy", "ranked"),
    "tables": ("rank_hands",),
    "tallies": ("NOT_PLAYED", "Met", "Played", "played", "solved"),
    "variants": ("STANDARD_STAKE", "standard_house", "with_settings"),
    "workers": ("Progress",),
}
_THERE = {
    "STANDARD_STAKE": "STAKE",
    "rules_from": "parse",
    "solved": "solution",
    "standard_house": "standard",
    "study_side": "study",
}


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

    solver = named(house.game.study.solver)
    solution: Solution = solver(house, distribution, progress or silent, ante)
    return solution


def __getattr__(name: str) -> Any:
    if name in ("detection", "randomness"):  # doors of their own
        return import_module(f"{__name__}.{name}")
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f"croupier.study.{module}"), _THERE.get(name, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
