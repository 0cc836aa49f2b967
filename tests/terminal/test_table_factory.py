"""Rounds recorded on a practice ledger."""

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
from croupier.terminal.bot_players import DEALER, YOU
from croupier.terminal.dealer import TableDealer
from croupier.terminal.table_factory import table_factory
from tests.terminal.scripted_sessions import answer

TABLE = "practice-ultimate_texas_holdem"


def test_every_round_is_recorded(home: Path, tmp_path: Path) -> None:
    """The ledger verifies with two rounds, and money is conserved."""
    path = tmp_path / "practice.db"
    played = answer(home, "", "4x", "", "4x", "q", game="ultimate", record=path)

    verdict = verify(path, workers=1)

    assert verdict.ok
    assert 2 == verdict.rounds
    assert played.conserved()


def test_a_live_ledger_is_refused(tmp_path: Path) -> None:
    """Practice rounds are not recorded on a live ledger."""
    path = tmp_path / "live.db"
    with Ledger(path, purpose="live"):
        pass

    with pytest.raises(BadInput, match="is a live ledger"), table_factory(path):
        pass


@pytest.mark.parametrize("dealt", [False, True])
def test_an_interrupted_round_is_void(tmp_path: Path, dealt: bool) -> None:
    """Its wagers are returned, and the next round can start."""
    house = submission.example("ultimate_texas_holdem")
    path = tmp_path / "practice.db"
    stakes = {"ante": 10_00, "blind": 10_00}
    with table_factory(path) as open_table:
        dealer = TableDealer(open_table(house, "practice", {}))
        dealer.do(cmd.SitDown(1), YOU)
        dealer.buy_in(1, 500_00)
        dealer.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
        if dealt:
            dealer.do(cmd.NoMoreBets(), DEALER)
            next(dealer.advance(Shoe(Shuffler(1).deck().cards)))

    with table_factory(path) as open_table:
        dealer = TableDealer(open_table(house, "practice", {}))
        dealer.clear_table()

        assert "wagers" == dealer.table.due().kind
        assert 500_00 == dealer.table.book.balance("pocket")
        dealer.do(cmd.SitDown(1), YOU)
        dealer.buy_in(1, 500_00)
        dealer.do(cmd.PlaceWagers(1, stakes, YOU.id), YOU)
    with Ledger(path) as ledger:
        recorded = ledger.open_table(TABLE)
        assert 20_00 == recorded.table.book.layout
