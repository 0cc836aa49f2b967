"""The guided opening of a table for a person at a keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier import submission
from croupier.table import Account
from croupier.table.commands import PlaceWagers
from croupier.table.drivers.simulated_staff import HELP, run_opening_in_memory
from tests.support.rounds import EVERY_GAME, opening_wagers
from tests.support.shifts.houses import houses


def typed(*answers: str) -> Iterator[str]:
    """Yield these answers, then empty lines forever."""
    yield from answers
    while True:
        yield ""


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("house", range(10))
def test_enter_leads_to_the_first_round(game: str, house: int) -> None:
    """Under every House the due steps alone make the table ready."""
    rules = houses(game)[house]
    lines: list[str] = []
    answers = typed()
    table = run_opening_in_memory(rules, lambda prompt: next(answers), lines.append)
    assert "The first round may start" in lines[-1]
    table.do(PlaceWagers(1, opening_wagers(rules)), Account("you", "player"), table.clock + 1000)


def test_answers_choose_a_step_or_print_help() -> None:
    """A number chooses a step, other input prints help, q and the end of input quit."""
    house = submission.example("top_five")
    lines: list[str] = []
    answers = iter(["2", "what?", "7000", "q"])
    table = run_opening_in_memory(house, lambda prompt: next(answers), lines.append)
    assert {"the floorperson": "floorperson"} == table.posts.here
    assert 3 == sum(HELP in line for line in lines)

    def end_of_input(prompt: str) -> str:
        raise EOFError

    assert not run_opening_in_memory(house, end_of_input, lines.append).posts.here
