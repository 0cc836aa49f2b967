"""Violations of the rules of an attended table, with the clause against each in every game.

A violation is a state of the table, a command and the acting account. Clauses are keyed by the
letters of games (`TUJ="2.A", FR="2.A.1"`); a game without a letter has no such violation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from croupier.table import Account
from croupier.table.core.messages import Command
from tests.clauses.attended.claims import BY_LETTER
from tests.support.attended_table import DEE, Floor

Broken = tuple[Floor, Command, Account]
Break = Callable[[str], Broken]

# Clauses of one rule in all documents, at a table with an automated shoe.
EVERY = "TFUJR"
SEATS = {"TUJ": "2.A", "FR": "2.A.1"}
SEATED = {"TUJ": "7.C", "FR": "7.B.1"}
BOXES = {"F": "7.F", "UJ": "7.G", "T": "7.H", "R": "A77"}
ONE_DECK = {"TUJ": "3.A.1", "FR": "3.A"}
MARKED = {"T": "13.I", "FR": "13.E", "UJ": "13.J"}
HANDS = {"TF": "10.B.1", "U": "10.B.3", "JR": "10.B.2"}
RACK = {"TU": "10.B.5", "F": "10.B.2.b", "J": "10.B.4", "R": "10.B.3.b"}
DISCARDS = {"T": "11.J", "F": "11.D", "UR": "11.K", "J": "11.L"}
PAYS = {"T": "11.I.3.d.ii", "F": "12.A", "U": "11.H.3.b", "J": "11.I.3.b", "R": "11.I.3.e"}
IDLE = {"TUJ": "5.H.1", "FR": "5.F.2"}
TURNS = {"T": "11.I.3", "F": "11.C", "U": "11.H.2", "J": "11.I.2", "R": "11.I"}
FIRST_HAND = {"T": "11.I.1", "F": "11.B.4", "U": "11.G.1", "J": "11.H.1", "R": "11.I"}
BEFORE = {"TUJ": "7.D", "FR": "7.C"}
NUMBER = {"TUJ": "13.E", "FR": "13.C"}
COUNT = {"UJR": "10.A.2.b.ii"}


class Violation(NamedTuple):
    """A violation in one game, with the clause against it."""

    name: str
    game: str
    clause: str
    do: Break


VIOLATIONS: list[Violation] = []


def violation(name: str, clauses: dict[str, str]) -> Callable[[Break], Break]:
    """Register a violation in every game that has a clause against it."""

    def enter(do: Break) -> Break:
        for letters, clause in clauses.items():
            for letter in letters:
                VIOLATIONS.append(Violation(name, BY_LETTER[letter], clause, do))
        return do

    return enter


def illegal(
    name: str,
    clauses: dict[str, str],
    state: Callable[[str], Floor],
    command: Command,
    by: Account = DEE,
) -> None:
    """Register a violation by a single command."""
    violation(name, clauses)(lambda game: (state(game), command, by))


def after(state: Callable[[str], Floor], *steps: tuple[Command, Account]) -> Callable[[str], Floor]:
    """A state after further commands."""

    def reach(game: str) -> Floor:
        floor = state(game)
        for command, by in steps:
            floor.do(command, by)
        return floor

    return reach
