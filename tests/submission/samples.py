"""Example submissions as mappings, with some fields changed."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from typing import Any

from croupier.submission import example_path, validation
from croupier.submission.issues import Issue
from croupier.submission.validation import ValidationResult
from tests.analysis.known_values import odds
from tests.support.rounds import NAMED

TEXAS, TOP, ULTIMATE = "texas_holdem_bonus", "top_five", "ultimate_texas_holdem"
JACKPOT, RUN = "jackpot_holdem", "run_em_twice"
EVERY_GAME = (TEXAS, TOP, ULTIMATE, JACKPOT, RUN)

LEFT_OUT = object()

# The minimum dollars and the clause of every meter of every progressive paytable.
FLOORS: dict[str, dict[str, dict[str, tuple[int, str]]]] = {
    game: {
        letter: {floor.meter: (floor.dollars, floor.clause) for floor in meters}
        for letter, meters in odds.floors(game)
    }
    for game in (ULTIMATE, JACKPOT, RUN)
}


@cache
def _example(game: str) -> dict[str, Any]:
    return tomllib.loads(example_path(game).read_text("utf-8"))


def example_data(game: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the example of a game with some values changed, by path; LEFT_OUT removes one."""
    data = copy.deepcopy(_example(game))
    for path, value in (changes or {}).items():
        *parents, last = path.split(".")
        table = data
        for parent in parents:
            table = table.setdefault(parent, {})
        if value is LEFT_OUT:
            table.pop(last, None)
        else:
            table[last] = value
    return data


def with_progressive(game: str, letter: str, stake: int = 5) -> dict[str, Any]:
    """Return the changes to another progressive paytable, with every meter at its minimum."""
    meters = {
        name: {"initial": floor, "reset": floor, "rate": 2}
        for name, (floor, _) in FLOORS[game][letter].items()
        if floor
    }
    changes = {
        "paytables.progressive": letter,
        "choices.progressive_stake": stake,
        "meters": meters,
    }
    return changes | ({} if game == JACKPOT else {"choices.envy_schedule": letter})


def without_progressive(game: str) -> dict[str, Any]:
    """Return the changes that remove the progressive."""
    return {"paytables.progressive": LEFT_OUT, "meters": LEFT_OUT}


def validated(game: str, changes: dict[str, Any] | None = None) -> ValidationResult:
    """Validate the changed example of a game."""
    return validation.validate(example_data(game, changes))


def errors(game: str, changes: dict[str, Any] | None = None) -> list[str]:
    """Return the errors of the changed example as text."""
    return [str(issue) for issue in validated(game, changes).of("error")]


def issue_at(result: ValidationResult, field: str) -> Issue:
    """Return the only issue at a field."""
    issues = [issue for issue in result.issues if issue.field == field]
    assert len(issues) == 1, f"{field}: {[str(issue) for issue in result.issues]}"
    NAMED.append((issues[0].game, issues[0].clause))
    return issues[0]
