"""Submissions for tests: an example as a mapping, and the same with a few fields changed."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from typing import Any

from croupier.games.forms import Issue
from croupier.submission import example_path, validation
from croupier.submission.validation import Examination
from tests.analysis.known_values import odds
from tests.support.rounds import NAMED

TEXAS, TOP, ULTIMATE = "texas_holdem_bonus", "top_five", "ultimate_texas_holdem"
JACKPOT, RUN = "jackpot_holdem", "run_em_twice"
EVERY_GAME = (TEXAS, TOP, ULTIMATE, JACKPOT, RUN)

LEFT_OUT = object()

# The meters of every progressive paytable, as the documents have them: floor and clause.
FLOORS: dict[str, dict[str, dict[str, tuple[int, str]]]] = {
    game: {
        letter: {floor.meter: (floor.dollars, floor.clause) for floor in printed}
        for letter, printed in odds.floors(game)
    }
    for game in (ULTIMATE, JACKPOT, RUN)
}


@cache
def _example(game: str) -> dict[str, Any]:
    return tomllib.loads(example_path(game).read_text("utf-8"))


def filed(game: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The example of a game with some values changed, by path; LEFT_OUT takes one away."""
    data = copy.deepcopy(_example(game))
    for path, value in (changes or {}).items():
        *parents, last = path.split(".")
        place = data
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is LEFT_OUT:
            place.pop(last, None)
        else:
            place[last] = value
    return data


def with_progressive(game: str, letter: str, stake: int = 5) -> dict[str, Any]:
    """The changes that put another progressive paytable in place, all meters at their floors."""
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
    """The changes that take the progressive away."""
    return {"paytables.progressive": LEFT_OUT, "meters": LEFT_OUT}


def look(game: str, changes: dict[str, Any] | None = None) -> Examination:
    """Examine the changed example of a game."""
    return validation.examine(filed(game, changes))


def errors(game: str, changes: dict[str, Any] | None = None) -> list[str]:
    """The errors of the changed example, as people read them."""
    return [str(issue) for issue in look(game, changes).of("error")]


def issue_at(examination: Examination, field: str) -> Issue:
    """The only issue at a field."""
    found = [issue for issue in examination.issues if issue.field == field]
    assert len(found) == 1, f"{field}: {[str(issue) for issue in examination.issues]}"
    NAMED.append((found[0].game, found[0].clause))
    return found[0]
