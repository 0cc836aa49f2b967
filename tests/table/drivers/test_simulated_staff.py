"""The guided opening of a table for a person at a keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from croupier import submission
from croupier.games import House
from croupier.table import Account, Table
from croupier.table.commands import PlaceWagers
from croupier.table.drivers.simulated_staff import (
    HELP,
    STEP_MS,
    InMemoryTable,
    Reader,
    run_opening,
)
from tests.support.rounds import EVERY_GAME, opening_wagers
from tests.support.shifts.houses import houses


def typed(*answers: str) -> Iterator[str]:
    """Yield these answers, then empty lines forever."""
    yield from answers
    while True:
        yield ""


def opened_table(house: House, reader: Reader, lines: list[str]) -> Table:
    """A table after its opening."""
    table = Table(house, service="attended")
    clock = count(STEP_MS, STEP_MS).__next__
    run_opening(InMemoryTable(table), reader, lines.append, clock)
    return table


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("house", range(10))
def test_enter_leads_to_the_first_round(game: str, house: int) -> None:
    """Under every House the due steps alone make the table ready."""
    rules = houses(game)[house]
    lines: list[str] = []
    answers = typed()
    table = opened_table(rules, lambda prompt: next(answers), lines)
    assert "The first round may start" in lines[-1]
    table.do(PlaceWagers(1, opening_wagers(rules)), Account("you", "player"), table.clock + 1000)


def test_answers_choose_a_step_or_print_help() -> None:
    """A number chooses a step, other input prints help, q and the end of input quit."""
    house = submission.example("top_five")
    lines: list[str] = []
    answers = iter(["2", "what?", "7000", "q"])
    table = opened_table(house, lambda prompt: next(answers), lines)
    assert {"the floorperson": "floorperson"} == table.posts.here
    assert 3 == sum(HELP in line for line in lines)

    def end_of_input(prompt: str) -> str:
        raise EOFError

    assert not opened_table(house, end_of_input, lines).posts.here
