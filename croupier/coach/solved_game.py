"""A solved House: its optimal strategy and the exact return of every bet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.games import House
from croupier.money import Cents
from croupier.table import Round

if TYPE_CHECKING:
    from croupier.analysis import Advice, Progress, Strategy

CLOSE_MARGIN = Fraction(1, 10)  # in antes: at most this much separates a close decision


@dataclass(frozen=True, slots=True)
class SolvedGame:
    """A House with its optimal strategy and returns."""

    house: House
    strategy: Strategy
    returns: Mapping[str, Fraction]  # of one unit: `main`, then every side wager

    def expected(self, stakes: Mapping[str, Cents]) -> Fraction:
        """The expected net result of a round with these stakes under optimal play, in cents.

        Progressives are valued at their reset amounts, without an envy bonus.
        """
        game = self.house.game
        main = (self.returns["main"] - 1) * stakes[game.ante.name]
        sides = [
            (self.returns[name] - 1) * stake
            for name, stake in stakes.items()
            if name in self.returns
        ]
        return sum(sides, main)

    def margin(self, current: Round, seat: int) -> Fraction:
        """How much the best option beats the best different one, in antes.

        Betting differs from not betting, and bet sizes differ from each other if they are more
        than one ante apart.
        """
        assert current.street is not None, "the round has no decision left"
        times = {option.word: option.times for option in current.street.options}
        options = self.rank_options(current, seat)
        best = times[options[0].option]
        others = [option for option in options if _differs(times[option.option], best)]
        return options[0].ev - (others[0] if others else options[-1]).ev

    def is_close(self, current: Round, seat: int) -> bool:
        """Whether the decision is close, so that a mistake is easy to make."""
        return self.margin(current, seat) <= CLOSE_MARGIN

    def best_word(self, current: Round, seat: int) -> str:
        """The word of the best option."""
        return self.rank_options(current, seat)[0].option

    def rank_options(self, current: Round, seat: int) -> list[Advice]:
        """All options of a seat with their exact values, the best first."""
        from croupier.analysis import information_set

        return self.strategy.ask(*information_set(current, seat))


def _differs(times: int, best: int) -> bool:
    return (times == 0) != (best == 0) or abs(times - best) > 1


def solve_game(house: House, progress: Progress | None = None) -> SolvedGame:
    """Solve a House, or load its solution from the cache; solving may take half a minute."""
    from croupier.analysis import optimal_strategy
    from croupier.games.expected_returns import returns

    return SolvedGame(house, optimal_strategy(house, progress), returns(house))
