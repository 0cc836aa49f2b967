"""Every command by every role, in every game: only the allowed roles pass.

The allowed roles and the clause that names them are typed from the documents and the regulation
(`people.toml`), not read from the table.
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
from tests.support.attended_table import (
    ANN,
    CAL,
    DEE,
    EYE,
    FLO,
    MAX,
    READER,
    SID,
    SYSTEM,
    Floor,
)
from tests.support.citations import LAW
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
    "commission": Account("cora", "commission"),
    "reader": READER,
    "system": SYSTEM,
}
# Importing these modules registers their moments.
assert table_moments and tray_moments and round_moments
STRANGERS = (Account("dot", "dealer"), Account("fay", "floorperson"), Account("moe", "pit_manager"))


def clause_of(name: str, game: str) -> str:
    """The clause that names the allowed role."""
    typed: str | dict[str, str] = TYPED[name]["clause"]
    if isinstance(typed, str):
        return typed
    return next(clause for letters, clause in typed.items() if letter_of(game) in letters)


def cases() -> Iterator[Any]:
    """Every moment in every game that has it, claiming its clause."""
    for name, moment in MOMENTS.items():
        for game in moment.games:
            clause = clause_of(name, game) if name in TYPED else ""
            mark = pytest.mark.proves(game, clause)
            if clause[:1].isalpha():
                mark = pytest.mark.upholds(clause)
            yield pytest.param(name, game, id=f"{name}-{game}", marks=mark)


@pytest.mark.parametrize(("name", "game"), [*cases()])
def test_exactly_the_right_people_may(name: str, game: str) -> None:
    """Allowed roles pass; all others are refused under the clause that names the allowed role."""
    floor, command = reached(name, game)
    before = copy_state(floor.table)
    allowed = TYPED[name]["roles"].split()
    clause = clause_of(name, game)
    for role in ROLES:
        check(floor, command, PEOPLE[role], role in allowed, clause)
    anywhere = TYPED[name].get("anywhere", False)
    for stranger in STRANGERS:
        check(floor, command, stranger, anywhere and stranger.role in allowed, clause)
    assert before == floor.table.state()


def check(floor: Floor, command: Command, by: Account, passes: bool, clause: str) -> None:
    """Assert that one account's command passes, or is refused under the clause."""
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
    """Every command has a moment and a row in the table of roles, and vice versa."""
    kinds = {kind_of(act.command) for act in Table(house(UTH), service="attended").command_specs()}
    assert set(TYPED) == set(MOMENTS)
    assert kinds == {name.split()[0] for name in TYPED}


def test_roles_are_known() -> None:
    """The table of roles has exactly the roles of the engine."""
    named = {role for row in TYPED.values() for role in row["roles"].split()}
    assert named <= set(ROLES) == set(PEOPLE)
    assert {stranger.role for stranger in STRANGERS} == set(STAFF)
    assert LAW == "law"
