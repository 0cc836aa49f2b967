"""What a submission earns: the exact return of every wager, and the refusal of a player edge."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.errors import BadSubmission
from croupier.games import House
from croupier.games.expected_returns import returns
from croupier.games.forms import Issue


def check_player_edge(house: House[Any]) -> None:
    """Refuse a House that was only drafted: wherever it comes from, no table is bound to it."""
    found = player_edges(house, returns(house))
    if found:
        raise BadSubmission(found)


def player_edges(house: House[Any], back: dict[str, Fraction]) -> tuple[Issue, ...]:
    """An error for every wager that returns more than its stake (A1 to A3), unless it is meant."""
    if house.choices.accept_player_edge:
        return ()
    return tuple(player_edge(house, wager, share) for wager, share in back.items() if share > 1)


def player_edge(house: House[Any], wager: str, share: Fraction) -> Issue:
    """The refusal of one wager, at the choice that makes it so."""
    percent = f"{float(share * 100):.4f} percent"
    if wager == "progressive" and hasattr(house.choices, "progressive_basis"):
        field, value = "choices.progressive_basis", house.choices.progressive_basis
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


def clause_of(house: House[Any], wager: str) -> str:
    """The clause that sets what the wager pays."""
    return "12.A" if wager == "main" else house.paytable(wager).clause
