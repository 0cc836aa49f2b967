"""What every wager of a House returns, at once and without compiled code.

The main games have few settings that move money, so their exact values are kept in
`data/mains.json`; a test solves them anew.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib import resources

from croupier.games.house import House
from croupier.study import sides
from croupier.study.variants import MAIN, main_key


@cache
def kept_mains() -> dict[str, dict[str, str]]:
    """The exact value of each main game by its settings, as text."""
    text = (resources.files("croupier.study") / "data" / "mains.json").read_text("utf-8")
    kept: dict[str, dict[str, str]] = json.loads(text)
    return kept


def main_ev(house: House) -> Fraction:
    """The main game's exact value per unit of one ante under perfect play."""
    kept = kept_mains().get(house.game.key, {}) if house.game.key in MAIN else {}
    found = kept.get(main_key(house)) if kept else None
    if found is not None:
        return Fraction(found)
    from croupier.study import solve  # settings nobody has solved yet

    return solve(house, distribution=False).ev


def returns(house: House) -> dict[str, Fraction]:
    """What comes back of one unit: `main` per unit of one ante, then every side wager offered.

    Progressives are at their reset amounts without envy, wagers that pay dollars at their least
    stake, and nothing is forfeited by folding: each figure is the most the wager returns there.
    """
    found = {"main": 1 + main_ev(house)}
    for wager in sides.offered(house):
        found[wager] = 1 + sides.study(house, wager).ev
    return found
