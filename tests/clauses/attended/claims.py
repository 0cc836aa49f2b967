"""Parametrization of a test over several games, with the clauses it proves in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH

BY_LETTER = {"T": THB, "F": TOP, "U": UTH, "J": JACKPOT, "R": RUN}


def at(game: str, **clauses: str) -> str:
    """The clause of one game: `at(game, TUJ="2.A", FR="2.A.1")`."""
    return next(clause for letters, clause in clauses.items() if letter_of(game) in letters)


def letter_of(game: str) -> str:
    """The letter of a game in these parameters."""
    return next(letter for letter, key in BY_LETTER.items() if key == game)


def proving(argument: str = "game", **clauses: str) -> Callable[[Any], Any]:
    """Run a test per game: `proving(T="2.A", F="2.A.1 2.A.2")`; TUJ is the same for three."""
    cases = [
        pytest.param(BY_LETTER[letter], marks=pytest.mark.proves(BY_LETTER[letter], *ids.split()))
        for letters, ids in clauses.items()
        for letter in letters
    ]
    return pytest.mark.parametrize(argument, cases)
