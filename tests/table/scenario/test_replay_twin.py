"""`croupier replay` against a naive, independent implementation, on random scenarios."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from croupier.table.scenario import replay, scenario
from tests.table.scenario import naive_replay
from tests.table.scenario.random_scenarios import random_scenario


def without_clauses(result: Any) -> Any:
    """Return a result without its citations, which the naive replay does not have."""
    if isinstance(result, dict):
        return {key: without_clauses(value) for key, value in result.items() if key != "clause"}
    return result


def disagreements(seeds: range) -> list[str]:
    """Return the scenarios on which the two implementations differ, with both results."""
    reports = []
    for seed in seeds:
        data = random_scenario(random.Random(seed))
        engine = without_clauses(replay.play(scenario.read(data)))
        naive = without_clauses(naive_replay.replay(data))
        if engine != naive:
            reports.append(f"seed {seed}\n{json.dumps(data)}\nengine {engine}\nnaive  {naive}")
    return reports


@pytest.mark.parametrize("block", range(15))
def test_the_engine_agrees_with_its_twin(block: int) -> None:
    """A hundred random scenarios per block: every card, cent and meter is the same."""
    assert [] == disagreements(range(100 * block, 100 * (block + 1)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_the_engine_agrees_with_its_twin_at_length(block: int) -> None:
    """A thousand random scenarios per block, fifty thousand in all."""
    start = 1_000_000 + 1000 * block
    assert [] == disagreements(range(start, start + 1000))
