"""Rounds of the terminal game on a practice ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import submission
from croupier.errors import BadInput
from croupier.ledger import Ledger
from croupier.ledger.audit.verify import verify
from croupier.table import commands as cmd
from croupier.table.drivers.shoe import Shoe
from croupier.table.drivers.shuffler import Shuffler
from croupier.terminal.bot_players_people import DEALER, YOU
from croupier.terminal.dealer import Dealing
from croupier.terminal.table_factory import tables
from tests.terminal.scripted_sessions import answer

TABLE = "practice-ultimate_texas_holdem"


def test_every_round_is_on_record(home: Path, tmp_path: Path) -> None:
    """Two rounds are played and verify; the money of the game and of the record agree."""
    path = tmp_path / "practice.db"
    played = answer(home, "", "4x", "", "4x", "q", game="ultimate", record=path)

    verdict = verify(path, workers=1)

    assert verdict.ok
    assert 2 == verdict.rounds
    assert played.conserved()


def test_a_live_ledger_is_refused(tmp_path: Path) -> None:
    """A practice round never touches a live record."""
    path = tmp_path / "live.db"
    with Ledger(path, purpose="live"):
        pass

    with pytest.raises(BadInput, match="is a live ledger"), tables(path):
        pass


@pytest.mark.parametrize("dealt", [False, True])
def test_a_killed_session_leaves_nothing_behind(tmp_path: Path, dealt: bool) -> None:
    """A round whose deck is gone is void: every wager goes back, and the next one can begin."""
    house = submission.example("ultimate_texas_holdem")
    path = tmp_path / "practice.db"
    stakes = {"ante": 10_00, "blind": 10_00}
    with tables(path) as open_table:
        dealing = Dealing(open_table(house, "practice", {}))
        dealing.do(cmd.SitDown(1), YOU)
        dealing.buy_in(1, 500_00)
        dealing.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
        if dealt:
            dealing.do(cmd.NoMoreBets(), DEALER)
            next(dealing.advance(Shoe(Shuffler(1).deck().cards)))

    with tables(path) as open_table:
        dealing = Dealing(open_table(house, "practice", {}))
        dealing.clear()

        assert "wagers" == dealing.table.due().kind
        assert 500_00 == dealing.table.book.balance("pocket")
        dealing.do(cmd.SitDown(1), YOU)
        dealing.buy_in(1, 500_00)
        dealing.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
    with Ledger(path) as ledger:
        kept = ledger.open_table(TABLE)
        assert 20_00 == kept.table.book.layout
