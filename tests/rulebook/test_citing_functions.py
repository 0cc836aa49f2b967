"""The functions that coverage.csv lists cite their clauses: in use, not by a matching string.

That the list is complete is checked while the tests run (`tests/conftest.py`).
"""

from __future__ import annotations

import inspect
import pydoc
import re

import pytest

from croupier.documents.felt import felt_checks
from croupier.games import catalogue
from croupier.rulebook import citing_functions, clauses
from croupier.table import Table
from croupier.table.commands import NoMoreBets
from tests.clauses.layout.drawings import drawn, without
from tests.support.citations import Citations
from tests.support.rounds import THB, Seat, house, opening_wagers, play, refuses

GAMES = tuple(game.key for game in catalogue())
SHOWDOWN = "croupier.table.parts.round.showdown"
CITING = re.compile(r"clause|cite|refus|raise|error\(|wins\(|loses\(|pushes\(|envy_line\(")


def test_every_listed_function_cites() -> None:
    """It exists and refuses, settles, notes an issue or looks up a duty."""
    listed = {
        function
        for game in GAMES
        for functions in citing_functions(game).values()
        for function in functions
    }
    silent = [
        function
        for function in sorted(listed)
        if not CITING.search(inspect.getsource(pydoc.locate(function) or str))  # type: ignore[arg-type]
    ]

    assert len(listed) > 100
    assert [] == silent, "run `make proofs`"


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_cited(game: str) -> None:
    """No clause of our documents is cited nowhere."""
    assert {clause.id for clause in clauses(game)} == set(citing_functions(game))


def test_a_ranking_is_cited_where_hands_are_announced() -> None:
    """The royal flush is announced by its rank; the word "hand" elsewhere is not a citation."""
    assert (f"{SHOWDOWN}.announcement",) == citing_functions(THB)["6.D.1"]


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Citations:
    """The citations of a test."""
    citations = Citations()
    citations.record(monkeypatch)
    return citations


def test_events_and_settlements_are_recorded_with_the_function(recorded: Citations) -> None:
    """A royal flush is announced and the Ante is paid; also when the House has done so before."""
    rules = house(THB)
    seats = {3: Seat("As Ks", "2x 1x 1x", **opening_wagers(rules))}
    for _ in range(2):
        recorded.places.clear()
        play(rules, seats, dealer="8s 3h", community="Qs Js Ts 9s 2d")

    assert (THB, "6.D.1", f"{SHOWDOWN}.announcement") in recorded.places
    assert (THB, "12.A", "croupier.games.texas_holdem_bonus.game.settle") in recorded.places


def test_a_refusal_is_recorded_with_the_function_that_raises_it(recorded: Citations) -> None:
    """Not with the helper that builds it or looks the clause up."""
    with refuses("7.F.1"):
        Table(house(THB)).do(NoMoreBets())

    assert {(THB, "7.F.1", "croupier.table.parts.round.betting.no_more_bets")} == recorded.places


def test_a_clause_that_is_only_looked_up_is_not_recorded(recorded: Citations) -> None:
    """The positions and the compulsory wagers' areas are met on this felt, the bonus's is not."""
    rules = house(THB)
    felt, _ = drawn(rules)
    felt_checks.examine(rules, without(felt, "seat-4-texas_holdem_bonus"))
    positions = "croupier.documents.felt.felt_checks.positions"
    met = {clause for _, clause, function in recorded.places if function == positions}

    assert {"2.A", "2.B.2"} == met
