"""A solved main game: its exact results and the optimal strategy behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Protocol

from croupier.analysis.parallel import Progress, no_progress
from croupier.analysis.results import MainResult
from croupier.cards import Card
from croupier.games import House
from croupier.games.game import load_code
from croupier.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A legal option and its exact expected value for the whole round, in antes."""

    option: str
    ev: Fraction


class Strategy(Protocol):
    """The optimal strategy: answers for any information set.

    An information set is a street, the own cards, the community cards, and the decision wagers
    made before (`bets`, in multiples of the ante). `ask` lists every legal option, best first; of
    equal options the one that risks less comes first. `decide` returns the word of the best
    option and is fast enough to drive a table.
    """

    def ask(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> list[Advice]: ...

    def decide(
        self,
        street: str,
        cards: Sequence[Card],
        community: Sequence[Card],
        bets: Mapping[str, int] | None = None,
    ) -> str: ...


def rank_options(values: Iterable[tuple[str, int, Fraction]]) -> list[Advice]:
    """Sort options (word, multiple, value) best first; of equal ones the smaller bet first."""
    ordered = sorted(values, key=lambda value: (-value[2], value[1]))
    return [Advice(option=word, ev=ev) for word, _, ev in ordered]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution(MainResult):
    """The results of a solver together with the optimal strategy."""

    strategy: Strategy

    def result(self) -> MainResult:
        """The results without the tables of the strategy."""
        return MainResult(**{field.name: getattr(self, field.name) for field in fields(MainResult)})


def solve(
    house: House,
    distribution: bool = True,
    progress: Progress | None = None,
    ante: Cents | None = None,
) -> Solution:
    """Solve a House's main game: exact value and optimal strategy.

    `distribution=False` skips the distribution of a round and the action frequencies. With an
    `ante` in cents the game is valued as offered at that ante, winnings rounded and limited as
    they are paid; without one it is valued by the odds alone.

        >>> from croupier import example, solve
        >>> solve(example("top_five"), distribution=False).ev
        Fraction(-799646116, 162155248255)
    """
    solver = load_code(house.game.analysis.solver)
    solution: Solution = solver(house, distribution, progress or no_progress, ante)
    return solution
