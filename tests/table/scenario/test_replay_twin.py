"""`croupier replay` against an independent reading of the contract, on random scenarios."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from croupier.table.scenario import replay, scenario
from tests.table.scenario import naive_replay
from tests.table.scenario.random_scenarios import random_scenario


def without_clauses(answer: Any) -> Any:
    """An answer without its citations, which the naive twin does not make."""
    if isinstance(answer, dict):
        return {key: without_clauses(value) for key, value in answer.items() if key != "clause"}
    return answer


def disagreements(seeds: range) -> list[str]:
    """The scenarios on which engine and twin differ, with both answers."""
    found = []
    for seed in seeds:
        given = random_scenario(random.Random(seed))
        engine = without_clauses(replay.play(scenario.read(given)))
        twin = without_clauses(naive_replay.replay(given))
        if engine != twin:
            found.append(f"seed {seed}\n{json.dumps(given)}\nengine {engine}\ntwin   {twin}")
    return found


@pytest.mark.parametrize("block", range(15))
def test_the_engine_agrees_with_its_twin(block: int) -> None:
    """A hundred random scenarios: every card, cent and meter is the same."""
    assert [] == disagreements(range(100 * block, 100 * (block + 1)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_the_engine_agrees_with_its_twin_at_length(block: int) -> None:
    """A thousand random scenarios to a block, fifty thousand in all."""
    start = 1_000_000 + 1000 * block
    assert [] == disagreements(range(start, start + 1000))
