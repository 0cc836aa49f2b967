"""What a submission earns: the exact return of every wager, and the refusal of a player edge."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from croupier.games.house import House
from croupier.study.returns import returns
from croupier.submission.issues import Issue
from croupier.submission.validation import Examination


def assess(examination: Examination) -> Examination:
    """The examination with the return of every wager offered.

    A wager that returns more than its stake is an error unless the submission says
    `accept_player_edge = true`: some readings and paytables do (A1 to A3).
    """
    house = examination.house
    if house is None:
        return examination
    found = returns(house)
    edges: tuple[Issue, ...] = ()
    if not house.choice("accept_player_edge"):
        edges = tuple(
            player_edge(house, wager, share) for wager, share in found.items() if share > 1
        )
    return msgspec.structs.replace(examination, issues=(*edges, *examination.issues), returns=found)


def player_edge(house: House, wager: str, share: Fraction) -> Issue:
    """The refusal of one wager, at the choice that makes it so."""
    percent = f"{float(share * 100):.4f} percent"
    if wager == "progressive":
        field, value = "choices.progressive_basis", house.choice("progressive_basis")
        told = f'"{value}" returns {percent} of the stake at the reset amounts'
    elif wager == "main":
        field, value = "game", house.game.key
        told = f"the main game returns {percent} of one ante"
    else:
        field, value = f"paytables.{wager}", house.letters.get(wager, "")
        told = f'"{value}" returns {percent} of the stake'
    return Issue(
        severity="error",
        field=field,
        message=f"{told}; choices.accept_player_edge = true says that this is meant",
        value=value,
        allowed="a return of 100 percent at the most",
        game=house.game.key,
        clause=clause_of(house, wager),
    )


def clause_of(house: House, wager: str) -> str:
    """The clause that sets what the wager pays."""
    return "12.A" if wager == "main" else house.paytable(wager).clause
