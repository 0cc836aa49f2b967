"""Every command by every role, in every game: exactly the allowed ones pass.

Who may give a command, and which clause names the right person, is typed from the documents and
the regulation (`people.toml`), not read from the table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.table import Account, Table
from croupier.table.core.messages import Command, Envelope, kind_of
from croupier.table.core.roles import ROLES, STAFF
from tests.clauses.attended.claims import letter_of
from tests.clauses.attended.fixtures import round_moments, table_moments, tray_moments
from tests.clauses.attended.fixtures.moments import MOMENTS, reached
from tests.conftest import LAW
from tests.support.attended_table import ANN, CAL, DEE, EYE, FLO, MAX, SID, SYSTEM, Floor
from tests.support.fast_copy import copy_state
from tests.support.rounds import UTH, house, refuses

TYPED: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("people.toml").read_text("utf-8")
)
PEOPLE = {
    "dealer": DEE,
    "floorperson": FLO,
    "pit_manager": MAX,
    "player": ANN,
    "surveillance": EYE,
    "security": SID,
    "cage": CAL,
    "audit": Account("aud", "audit"),
    "reader": Account("shoe 4", "reader"),
    "system": SYSTEM,
}
# They enter the moments.
assert table_moments and tray_moments and round_moments
STRANGERS = (Account("dot", "dealer"), Account("fay", "floorperson"), Account("moe", "pit_manager"))


def clause_of(name: str, game: str) -> str:
    """The clause that names the right person."""
    return at_game(TYPED[name]["clause"], game)


def at_game(typed: str | dict[str, str], game: str) -> str:
    """One clause for all, or that of a game by its letter."""
    if isinstance(typed, str):
        return typed
    return next(clause for letters, clause in typed.items() if letter_of(game) in letters)


def cases() -> Iterator[Any]:
    """Every moment in every game that has it, as a claim of its clause."""
    for name, found in MOMENTS.items():
        for game in found.games:
            clause = clause_of(name, game) if name in TYPED else ""
            mark = pytest.mark.proves(game, clause)
            if clause[:1].isalpha():
                mark = pytest.mark.upholds(clause)
            yield pytest.param(name, game, id=f"{name}-{game}", marks=mark)


@pytest.mark.parametrize(("name", "game"), [*cases()])
def test_exactly_the_right_people_may(name: str, game: str) -> None:
    """Whoever is allowed to passes; everybody else is told the clause that names the right one."""
    floor, command = reached(name, game)
    before = copy_state(floor.table)
    allowed = TYPED[name]["roles"].split()
    never: str | dict[str, str] = TYPED[name].get("never", "")
    for role in ROLES:
        clause = clause_of(name, game)
        if never and role in allowed:
            check(floor, command, PEOPLE[role], False, at_game(never, game))
        else:
            check(floor, command, PEOPLE[role], role in allowed, clause)
    anywhere = TYPED[name].get("anywhere", False)
    for stranger in STRANGERS:
        passes = anywhere and stranger.role in allowed
        clause = at_game(never, game) if never and passes else clause_of(name, game)
        check(floor, command, stranger, passes and not never, clause)
    assert before == floor.table.state()


def check(floor: Floor, command: Command, by: Account, passes: bool, clause: str) -> None:
    """One person tries."""
    envelope = Envelope("try", by, floor.at, command)
    if passes:
        try:
            assert floor.table.decide(envelope)
        except Refusal as refusal:
            raise AssertionError(f"{by} may do this: {refusal}") from refusal
    else:
        with refuses(clause):
            floor.table.decide(envelope)


def test_every_command_has_a_row() -> None:
    """A new command needs a moment and a row; a row needs a command."""
    kinds = {
        kind_of(spec.command)
        for spec in Table(house(UTH), service="attended").command_specs()
    }
    assert set(TYPED) == set(MOMENTS)
    assert kinds == {name.split()[0] for name in TYPED}


def test_roles_are_known() -> None:
    """The table of people knows the roles of the engine, and nobody else."""
    named = {role for row in TYPED.values() for role in row["roles"].split()}
    assert named <= set(ROLES) == set(PEOPLE)
    assert {stranger.role for stranger in STRANGERS} == set(STAFF)
    assert LAW == "law"
