"""Impossible irregularities that a round refuses at a table without staff."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import UNSEEN
from croupier.table import commands as cmd
from tests.clauses.attended.claims import BY_LETTER
from tests.support.rounds import Play, Seat, house, opening_wagers, refuses

NUMBER = {"TUJ": "13.E", "FR": "13.C"}
OUT = {"TUJ": "7.C.2", "FR": "7.B.3"}
HANDS = {"TF": "10.B.1", "U": "10.B.3", "JR": "10.B.2"}

# Stage, earlier commands, the command, and the clause against it by game.
CASES: list[tuple[str, str, tuple[cmd.Command, ...], cmd.Command, dict[str, str]]] = [
    ("no dealer card yet", "deal", (), cmd.ExposeDealerCard(), {"TUJ": "13.F", "F": "A116"}),
    ("no dealer hand", "decide", (), cmd.ExposeDealerCard(), {"R": "10.B.2"}),
    ("no community cards", "decide", (), cmd.ExposeCommunityCard(), {"F": "10.B.1"}),
    ("no stub yet", "deal", (), cmd.FindWrongCount(), {"TFUJR": "10.C"}),
    ("no such place", "decide", (), cmd.FindWrongNumber("rack"), NUMBER),
    ("no such seat", "decide", (), cmd.ExposePlayerCard(5), {"TFUJR": "A117"}),
    ("out twice", "decide", (cmd.Forfeit(1, "abandoned"),), cmd.Forfeit(1, "abandoned"), OUT),
    ("skipped late", "decide", (), cmd.SkipPlayer(1), {"R": "13.G"}),
    ("skipped twice", "deal", (cmd.SkipPlayer(1),), cmd.SkipPlayer(1), {"R": "13.G"}),
    ("unseen cards", "deal", (), cmd.DealCards((UNSEEN,)), HANDS),
    ("no card due", "decide", (), cmd.FindCardFaceUp("2c"), {"TUJ": "13.B", "FR": "13.A"}),
]


def marked() -> list[Any]:
    """Every case in every game, claiming its clause."""
    params = []
    for name, due, before, command, clauses in CASES:
        for letters, clause in clauses.items():
            for game in (BY_LETTER[letter] for letter in letters):
                mark = pytest.mark.proves(game, clause)
                if clause[:1].isalpha():
                    mark = pytest.mark.upholds(clause)
                case = (game, due, before, command, clause)
                params.append(pytest.param(*case, id=f"{name}-{game}", marks=mark))
    return params


@pytest.mark.parametrize(("game", "due", "before", "command", "clause"), marked())
def test_what_cannot_be_is_refused(
    game: str, due: str, before: tuple[cmd.Command, ...], command: cmd.Command, clause: str
) -> None:
    """The command is refused under its clause and the round does not change."""
    rules = house(game)
    seats = {number: Seat("", "fold", **opening_wagers(rules)) for number in (1, 2)}
    round_ = Play(rules, seats).until(due)
    for earlier in before:
        round_.do(earlier)
    lies = repr(round_.table.round)
    with refuses(clause):
        round_.do(command)
    assert lies == repr(round_.table.round)
