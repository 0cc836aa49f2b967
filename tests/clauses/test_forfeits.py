"""Wagers forfeited by a ruling: an abandoned hand, or conduct under 11.A.5."""

from __future__ import annotations

import pytest

from croupier.table import commands as cmd
from tests.clauses.test_irregularities import AT_EVERY_STREET, at_table
from tests.support.rounds import JACKPOT, RUN, THB, TOP, UTH, refuses

ABANDONED = {THB: "7.C.2", TOP: "7.B.3", UTH: "7.C.2", JACKPOT: "7.C.2", RUN: "7.B.3"}
CONDUCT = [(game, street) for game, street in AT_EVERY_STREET if game in (TOP, RUN)]


@pytest.mark.parametrize(
    ("game", "street", "cause", "clause"),
    [
        pytest.param(game, street, "conduct", "11.A.5", marks=pytest.mark.proves(game, "11.A.5"))
        for game, street in CONDUCT
    ]
    + [
        pytest.param(g, s, "abandoned", ABANDONED[g], marks=pytest.mark.proves(g, ABANDONED[g]))
        for g, s in AT_EVERY_STREET
    ],
)
def test_a_forfeit_takes_every_wager_of_the_box_and_no_other(
    game: str, street: str, cause: str, clause: str
) -> None:
    """All wagers of the box are lost; the other seats play on as usual."""
    usual = at_table(game).finish()
    round_ = at_table(game).until("show", street)
    placed = dict(round_.box(1).stakes)
    round_.do(cmd.Forfeit(1, cause, "showed the hand"))  # type: ignore[arg-type]
    round_.finish()
    assert dict.fromkeys(placed, 0) == round_.returned(1)
    assert set(round_.outcomes(1).values()) == {"lose"}
    assert set(round_.clauses(1).values()) == {clause}
    assert [usual.returned(n) for n in (3, 5)] == [round_.returned(n) for n in (3, 5)]


@pytest.mark.parametrize("game", [THB, UTH, JACKPOT])
def test_conduct_forfeits_only_where_the_document_says_so(game: str) -> None:
    """Three games have no forfeit for conduct, so the ruling is refused (A90)."""
    round_ = at_table(game).until("decide")
    with refuses("A90"):
        round_.do(cmd.Forfeit(1, "conduct"))
