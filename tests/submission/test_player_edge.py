"""Expected returns of submissions, and the rejection of a player edge (A1, A2, A3)."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.documents.console.submission_renderer import to_json
from croupier.errors import BadSubmission
from croupier.games import CATALOGUE
from croupier.games.expected_returns import returns
from croupier.submission import build, check_player_edge, draft, example_path
from tests.submission.samples import (
    FLOORS,
    JACKPOT,
    RUN,
    ULTIMATE,
    example_data,
    validated,
    with_progressive,
)


def returns_of(game: str, changes: dict[str, Any]) -> dict[str, Fraction]:
    """Return the expected return of each wager of a changed example."""
    return validated(game, changes).returns


def test_the_exact_return() -> None:
    """Ultimate C on two cards and the flop, term by term."""
    awards = {"royal": 10_000, "straight flush": 1_000, "four": 250}
    total = 4 * awards["royal"] + 36 * awards["straight flush"] + 624 * awards["four"]
    total += 3744 * 50 + 5108 * 40 + 10200 * 30 + 54912 * 10

    assert Fraction(total, comb(52, 5)) == returns_of(ULTIMATE, {})["progressive"]


def test_stake_and_odds() -> None:
    """ "To" gives the stake back, "for" does not; a larger stake dilutes the meters (A27, A28)."""
    total = 4 * 10_000 + 36 * 1_000  # 100 and 10 percent of the meter, in dollars
    total += 5 * (624 * 301 + 3744 * 51 + 5108 * 41 + 10200 * 31 + 54912 * 10)
    changes = with_progressive(ULTIMATE, "A", stake=5)

    assert Fraction(total, 5 * comb(52, 5)) == returns_of(ULTIMATE, changes)["progressive"]


def test_jackpot_royals_by_suit() -> None:
    """One royal in four is of diamonds and has its own meter (A2)."""
    total = 10_000 + 3 * 5_000 + 36 * 1_000 + 624 * 500
    total += 3744 * 50 + 5108 * 30 + 10200 * 20 + 54912 * 10 + 123552 * 4
    changes = with_progressive(JACKPOT, "A", stake=1)

    assert Fraction(total, comb(52, 5)) == returns_of(JACKPOT, changes)["progressive"]


@pytest.mark.parametrize(
    ("game", "basis"),
    [
        (ULTIMATE, "best_five_of_seven"),
        (JACKPOT, "best_five_of_seven"),
        (RUN, "best_five_of_seven"),
        (RUN, "higher_run"),
    ],
)
def test_a_player_edge_is_refused(game: str, basis: str) -> None:
    """A player edge is an error unless the submission accepts it."""
    changes: dict[str, Any] = {"choices.progressive_basis": basis}
    result = validated(game, changes)
    (issue,) = result.of("error")

    assert not result.legal
    assert result.house is None
    assert str(issue).startswith(f'choices.progressive_basis: "{basis}" returns ')
    accepted = validated(game, changes | {"choices.accept_player_edge": True})
    assert accepted.legal
    assert accepted.returns["progressive"] > 1
    with pytest.raises(BadSubmission, match="accept_player_edge"):
        build(example_data(game, changes))


def test_a_player_edge_can_be_analyzed_but_opens_no_table() -> None:
    """`for_analysis` accepts the edge and no other error; the ledger still refuses the House."""
    changes = {"choices.progressive_basis": "best_five_of_seven"}
    house = build(example_data(ULTIMATE, changes), for_analysis=True)

    assert returns(house)["progressive"] > 1
    with pytest.raises(BadSubmission, match="accept_player_edge"):
        check_player_edge(house)
    with pytest.raises(BadSubmission, match="blind"):
        build(example_data(ULTIMATE, {"paytables.blind": "Z"}), for_analysis=True)


def test_every_progressive_can_be_operated() -> None:
    """With the cards of the examples, no letter returns more than the stake."""
    for game, tables in FLOORS.items():
        for letter in tables:
            assert returns_of(game, with_progressive(game, letter))["progressive"] < 1, (
                game,
                letter,
            )


@pytest.mark.parametrize("game", [game.key for game in CATALOGUE])
def test_the_examples_earn_on_every_wager(game: str) -> None:
    """No wager of an example has a player edge, and every wager has a return."""
    result = draft(example_path(game))
    house = result.house
    assert house is not None
    sides = {w.name for w in house.game.wagers if w.role in ("optional", "progressive")}

    assert {"main"} | {name for name in sides if house.offers(name)} == set(result.returns)
    assert all(share < 1 for share in result.returns.values())
    assert to_json(result)["legal"]


def test_what_cannot_be_read_is_left_alone() -> None:
    """An illegal submission has no returns."""
    result = validated(ULTIMATE, {"paytables.blind": "Z"})

    assert {} == result.returns
