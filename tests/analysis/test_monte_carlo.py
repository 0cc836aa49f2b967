"""The live table engine plays what the solver says: means agree within three standard errors."""

from __future__ import annotations

import pytest

from croupier import submission
from croupier.games import CATALOGUE
from tests.analysis.monte_carlo import deviations, sample

GAMES = [game.key for game in CATALOGUE]


@pytest.mark.parametrize("game", GAMES)
def test_the_table_agrees_with_the_solver(game: str) -> None:
    """Two thousand rounds from one seed; the long run is below."""
    house = submission.example(game)
    result = deviations(house, sample(house, 2_000, seed=6))

    assert {} == {name: far for name, far in result.items() if abs(far) > 3}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_table_agrees_with_the_solver_over_many_rounds(game: str) -> None:
    """The main game and every side wager, through the table's own commands.

    Longer runs are the simulator's, which `make simulated` compares with the table deck by deck.
    """
    house = submission.example(game)
    result = deviations(house, sample(house, 100_000, seed=2026))

    assert {} == {name: far for name, far in result.items() if abs(far) > 3}
