"""Parameters for one test over several games, each with the clauses that it proves there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support import JACKPOT, RUN, THB, TOP, UTH

BY_LETTER = {"T": THB, "F": TOP, "U": UTH, "J": JACKPOT, "R": RUN}


def proving(argument: str = "game", **clauses: str) -> Callable[[Any], Any]:
    """Run a test per game: `proving(T="2.A", F="2.A.1 2.A.2")`; TUJ claims the same for three."""
    cases = [
        pytest.param(BY_LETTER[letter], marks=pytest.mark.proves(BY_LETTER[letter], *ids.split()))
        for letters, ids in clauses.items()
        for letter in letters
    ]
    return pytest.mark.parametrize(argument, cases)
