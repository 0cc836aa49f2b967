"""Cards found face up in the deck (13.A to 13.C), by position and number."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.table import events as ev
from tests.clauses.test_irregularities import OWN, assert_void, at_table
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH

# Two cards that are in no hand of these rounds.
FOUND, AGAIN = "As", "Ad"
NO_BOX: dict[str, Any] = {"without": ["six_card_bonus"]}
HANDS = 8  # two cards for three seats and the dealer


def at_index(game: str, method: str, *indexes: int) -> dict[str, Any]:
    """A round with face-up cards at these positions of the deck."""
    cards = dict(zip(indexes, (FOUND, AGAIN)))
    changes: dict[str, Any] = {"face_up": cards}
    return changes | (NO_BOX if game == UTH else {})


ONE = {THB: "13.A", UTH: "13.A", JACKPOT: "13.A"}


@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize("index", [0, 3, HANDS])
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in ONE.items()]
)
def test_a_single_face_up_card_is_set_aside(game: str, method: str, index: int) -> None:
    """The next card replaces it, nothing else changes, and it is first in the discard rack."""
    changes = NO_BOX if game == UTH else {}
    usual = at_table(game, method, **changes).finish()
    round_ = at_table(game, method, **at_index(game, method, index)).finish()
    assert round_.void is None
    assert [usual.returned(n) for n in OWN] == [round_.returned(n) for n in OWN]
    discards = round_.of(ev.RoundClosed)[0].discards
    assert (FOUND, *usual.of(ev.RoundClosed)[0].discards) == discards


SEVERAL = {THB: "13.B", UTH: "13.B", JACKPOT: "13.B"}


@pytest.mark.parametrize("indexes", [(0, 1), (2, 6)])
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, c)) for g, c in SEVERAL.items()]
)
def test_two_face_up_cards_in_the_deal_void_and_save_nothing(
    game: str, method: str, indexes: tuple[int, int]
) -> None:
    """A second face-up card before the hands are complete returns every wager."""
    round_ = at_table(game, method, **at_index(game, method, *indexes))
    assert_void(round_, "13.B")


LATE = {
    THB: [("manual_shoe", HANDS), ("hand", HANDS), ("automated_shoe", HANDS), ("hand", HANDS + 6)],
    UTH: [("manual_shoe", HANDS), ("hand", HANDS), ("hand", HANDS + 4)],
    JACKPOT: [("manual_shoe", HANDS), ("hand", HANDS), ("hand", HANDS + 3)],
}


@pytest.mark.parametrize("first", [0, None])
@pytest.mark.parametrize(
    ("game", "method", "index"),
    [
        pytest.param(game, *case, marks=pytest.mark.proves(game, "13.B", "13.C"))
        for game, cases in LATE.items()
        for case in cases
    ],
)
def test_after_the_hands_the_side_wager_is_settled(
    game: str, method: str, index: int, first: int | None
) -> None:
    """A second face-up card after the hands are complete voids, but the side wager is paid."""
    places = (index, index + 1) if first is None else (first, index + 1)
    round_ = at_table(game, method, **at_index(game, method, *places))
    assert_void(round_, "13.B", saved=True)
    state = round_.table.round
    assert state is not None
    if game != THB:
        assert len(state.community) == 5
    assert [FOUND, AGAIN] == [event.detail["card"] for event in round_.of(ev.IrregularityNoted)]


@pytest.mark.parametrize("game", [UTH, JACKPOT])
def test_a_third_face_up_card_is_left_out_of_the_completed_board(game: str) -> None:
    """While a void round completes its board, further face-up cards are set aside (A113)."""
    changes = at_index(game, "hand", HANDS, HANDS + 1)
    changes["face_up"][HANDS + 4] = "Ac"
    round_ = at_table(game, "hand", **changes)
    assert_void(round_, "13.B", saved=True)
    assert len(round_.of(ev.IrregularityNoted)) == 3
    assert round_.table.round is not None
    assert len(round_.table.round.community) == 5


@pytest.mark.parametrize("index", [0, 5, 9])
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=pytest.mark.proves(g, "13.A")) for g in (TOP, RUN)]
)
def test_the_first_face_up_card_voids_where_none_is_tolerated(
    game: str, method: str, index: int
) -> None:
    """In Top Five and Run 'Em Twice one face-up card returns every wager."""
    round_ = at_table(game, method, **at_index(game, method, index))
    assert_void(round_, "13.A")


@pytest.mark.parametrize("game", [THB, TOP, UTH, JACKPOT, RUN])
def test_a_face_up_card_that_is_never_reached_has_no_effect(game: str) -> None:
    """A face-up card below the last card dealt has no effect."""
    changes = NO_BOX if game == UTH else {}
    usual = at_table(game, **changes).finish()
    round_ = at_table(game, **at_index(game, "automated_shoe", 51)).finish()
    assert [usual.returned(n) for n in OWN] == [round_.returned(n) for n in OWN]
    assert not round_.of(ev.IrregularityNoted)
