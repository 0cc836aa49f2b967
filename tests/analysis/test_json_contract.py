"""What `croupier analyze --json` prints follows its published schema."""

from __future__ import annotations

import copy
from typing import Any

import jsonschema
import pytest

from croupier import submission
from croupier.analysis import analyze, analyze_game, analyzer, json_contract, to_json
from tests.table.scenario.test_scenario import validator

# One worker solves each game once.


@pytest.fixture(scope="module")
def ultimate() -> dict[str, Any]:
    return to_json(analyze(submission.example("ultimate_texas_holdem")))


def test_the_schema_is_one() -> None:
    """It is itself valid under JSON Schema 2020-12."""
    jsonschema.Draft202012Validator.check_schema(validator("analysis").schema)


def test_houses_follow_it(ultimate: dict[str, Any]) -> None:
    """Meters, envy and a stake that counts, in one game; a cross and its readings in another."""
    validator("analysis").validate(ultimate)
    validator("analysis").validate(to_json(analyze(submission.example("run_em_twice"))))


def test_a_whole_game_follows_it() -> None:
    """Results by choice, and wagers by letter and reading."""
    result = to_json(analyze_game("top_five"))

    assert 2 == len(result["main"])
    validator("analysis").validate(result)
    letters = analyzer.every_paytable(submission.example("jackpot_holdem"), "progressive")
    progressive = {
        letter: json_contract.readings_json(readings) for letter, readings in letters.items()
    }
    validator("analysis").validate({**result, "wagers": {"progressive": progressive}})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("main", "ev"), -0.0218),
        (("main", "exact", "variance"), 24.4),
        (("assumptions",), []),
        (("main", "distribution"), {"-6": 0.25}),
        (("main", "outcomes", "win"), 1.5),
        (("main", "streets", 0, "marginal", 0, "hand"), "Kd 1d"),
        (("main", "chart", "AKs", "deals"), "4"),
        (("wagers", "trips", "B", "lines"), []),
        (("wagers", "progressive", "C", "meters"), {"mega": {"coefficient": "1/2"}}),
        (("game",), "blackjack"),
    ],
)
def test_what_it_refuses(ultimate: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    """A number for a fraction, a share above one, an invalid card: each is refused."""
    changed = copy.deepcopy(ultimate)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value

    with pytest.raises(jsonschema.ValidationError):
        validator("analysis").validate(changed)
