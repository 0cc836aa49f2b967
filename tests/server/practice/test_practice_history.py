"""Practice history: totals by day and game that survive a restart, and their deletion."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from croupier.coach.coach_messages import OptionValue, ReviewedChoice
from croupier.server.practice import practice_history
from croupier.server.practice.practice_history import PracticeHistoryStore
from tests.support.floor_server import open_accounts

BEST = OptionValue(word="1x", antes="1/2", cents=250, less=0)
CHOICE = ReviewedChoice(
    seat=1, street="play", when="on seven cards", word="fold", options=(BEST,), cost=300
)


def test_totals_are_kept_by_day_and_deleted_by_their_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each day starts at zero; earlier days stay until the player deletes them."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        store = PracticeHistoryStore(accounts.engine)
        for player in ("ann", "bob"):
            store.add(player, "top_five", [CHOICE], net=-500, expected=Fraction(-7, 3))
        store.add("ann", "top_five", [], net=1000, expected=Fraction(0))
        totals = store.totals("ann", "top_five")
        assert (2, 1, 1, 300, 500) == (
            *(totals.rounds, totals.decisions, totals.mistakes),
            *(totals.cost, totals.net),
        )
    with open_accounts(tmp_path / "floor.db") as accounts:
        store = PracticeHistoryStore(accounts.engine)
        monkeypatch.setattr(practice_history, "today", lambda: "2999-01-01")
        assert 0 == store.totals("ann", "top_five").rounds
        store.add("ann", "jackpot_holdem", [CHOICE], net=-500, expected=Fraction(0))
        days = store.history("ann").days
        assert ["jackpot_holdem", "top_five"] == [day.game for day in days]
        assert "2999-01-01" == days[0].day > days[1].day
        store.delete("ann")
        assert () == store.history("ann").days
        assert 1 == len(store.history("bob").days)
