"""Rejects submissions under which a wager returns more than its stake."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.errors import BadSubmission
from croupier.games import House
from croupier.games.expected_returns import returns
from croupier.submission.issues import Issue


def check_player_edge(house: House[Any]) -> None:
    """Raise BadSubmission if a wager has a player edge that the submission does not accept."""
    issues = player_edges(house, returns(house))
    if issues:
        raise BadSubmission(issues)


def player_edges(house: House[Any], shares: dict[str, Fraction]) -> tuple[Issue, ...]:
    """Return an error for each wager that returns more than its stake (A1 to A3).

    `shares` is the expected return of one unit of each wager. There are no errors if the
    submission states `accept_player_edge`.
    """
    if house.choices.accept_player_edge:
        return ()
    return tuple(_player_edge(house, wager, share) for wager, share in shares.items() if share > 1)


def _player_edge(house: House[Any], wager: str, share: Fraction) -> Issue:
    """The error of one wager, at the field that causes it."""
    percent = f"{float(share * 100):.4f} percent"
    if wager == "progressive" and hasattr(house.choices, "progressive_basis"):
        field, value = "choices.progressive_basis", house.choices.progressive_basis
        problem = f'"{value}" returns {percent} of the stake at the reset amounts'
    elif wager == "main":
        field, value = "game", house.game.key
        problem = f"the main game returns {percent} of one ante"
    else:
        field, value = f"paytables.{wager}", house.letters.get(wager, "")
        problem = f'"{value}" returns {percent} of the stake'
    return Issue(
        severity="error",
        field=field,
        message=f"{problem}; choices.accept_player_edge = true accepts this",
        value=value,
        allowed="a return of at most 100 percent",
        game=house.game.key,
        clause="12.A" if wager == "main" else house.paytable(wager).clause,
    )
