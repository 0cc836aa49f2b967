"""A fast analysis for tests: a tiny main game with the real side wagers of a House."""

from __future__ import annotations

from fractions import Fraction

from croupier import analysis as study
from croupier.games import House
from croupier.games.expected_returns import side_wagers

# A main game of three results, so that nothing has to be solved.
NET = {Fraction(2): 1, Fraction(0): 2, Fraction(-1): 5}
EV = Fraction(-3, 8)


def analysis(house: House) -> study.Analysis:
    """An analysis with the real side wagers of a House and a tiny main game."""
    main = study.MainResult(
        game=house.game.key,
        digest=house.digest,
        setting="",
        ante=house.game.ante.name,
        compulsory=1,
        ev=EV,
        deals=8,
        chart=(),
        distribution=NET,
        average_wager=Fraction(2),
    )
    return study.Analysis(
        game=house.game.key,
        title=house.game.title,
        edition=house.game.edition,
        version="0",
        digest=house.digest,
        assumptions=("one player",),
        mains={"": main},
        wagers={
            wager: {house.paytable(wager).letter: {"": study.analyze_side_wager(house, wager)}}
            for wager in side_wagers(house)
        },
    )
