"""The best play of a House, and what its bets are worth by themselves."""

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

CLOSE = Fraction(1, 10)  # of an ante: whoever loses less by the other answer had a close decision


@dataclass(frozen=True, slots=True)
class Best:
    """A House that was worked out."""

    house: House
    strategy: Strategy
    returns: Mapping[str, Fraction]  # of one unit: `main`, then every side wager

    def expected(self, stakes: Mapping[str, Cents]) -> Fraction:
        """What a round of these stakes wins on average under the best play, in cents.

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
        """How much worse the other kind of answer is here, in antes: a bet against none.

        Sizes of a bet are told apart where they differ by more than one ante.
        """
        assert current.street is not None, "nobody has a decision left"
        times = {option.word: option.times for option in current.street.options}
        answers = self.answers(current, seat)
        best = times[answers[0].option]
        others = [one for one in answers if _other_kind(times[one.option], best)]
        return answers[0].ev - others[0].ev if others else answers[0].ev - answers[-1].ev

    def close(self, current: Round, seat: int) -> bool:
        """Whether somebody may well go wrong here."""
        return self.margin(current, seat) <= CLOSE

    def word(self, current: Round, seat: int) -> str:
        """The word of the best option."""
        return self.answers(current, seat)[0].option

    def answers(self, current: Round, seat: int) -> list[Advice]:
        """Every option of a seat with its exact worth, the best first."""
        from croupier.analysis import information_set

        return self.strategy.ask(*information_set(current, seat))


def _other_kind(times: int, best: int) -> bool:
    return (times == 0) != (best == 0) or abs(times - best) > 1


def solved(house: House, progress: Progress | None = None) -> Best:
    """Work out a House, or find it worked out; that may take half a minute."""
    from croupier.analysis import optimal_strategy
    from croupier.games.expected_returns import returns

    return Best(house, optimal_strategy(house, progress), returns(house))
