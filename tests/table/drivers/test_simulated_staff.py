"""The opening ceremony for a person at a keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier import submission
from croupier.table import Account
from croupier.table.commands import PlaceWagers
from croupier.table.drivers.simulated_staff import HELP, run_opening_in_memory
from tests.support.rounds import EVERY_GAME, opening_wagers
from tests.support.shifts.houses import houses


def reading(*answers: str) -> Iterator[str]:
    """These answers, then Enter for ever."""
    yield from answers
    while True:
        yield ""


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("house", range(10))
def test_enter_leads_to_the_first_round(game: str, house: int) -> None:
    """Whatever the House, the due steps alone make the table ready."""
    rules = houses(game)[house]
    lines: list[str] = []
    answers = reading()
    table = run_opening_in_memory(rules, lambda prompt: next(answers), lines.append)
    assert "The first round may start" in lines[-1]
    table.do(PlaceWagers(1, opening_wagers(rules)), Account("you", "player"), table.clock + 1000)


def test_answers_are_understood_or_explained() -> None:
    """A number chooses, nonsense is explained, q and the end of the input leave."""
    house = submission.example("top_five")
    lines: list[str] = []
    answers = iter(["2", "what?", "7000", "q"])
    table = run_opening_in_memory(house, lambda prompt: next(answers), lines.append)
    assert {"the floorperson": "floorperson"} == table.posts.here
    assert 3 == sum(HELP in line for line in lines)

    def silent(prompt: str) -> str:
        raise EOFError

    assert not run_opening_in_memory(house, silent, lines.append).posts.here
