"""An attended table that was left open for days."""

from __future__ import annotations

from itertools import count

from croupier import submission
from croupier.clock import DAY
from croupier.table import Table
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import STEP_MS, InMemoryTable, finish_opening
from croupier.terminal.bot_players import YOU
from croupier.terminal.dealer import TableDealer


def test_a_table_left_open_for_days_is_cleared() -> None:
    """Its clock is set first; then wagers are returned and all players leave."""
    house = submission.example("top_five")
    table = Table(house, service="attended")
    finish_opening(InMemoryTable(table), count(1_900_000_000_000, STEP_MS).__next__)
    you = next(iter(table.seats.taken.values()))
    table.do(cmd.PlaceWagers(1, {"ante": 1000}), YOU, table.clock + 1000)
    held = table.book.rack(you) + table.layout
    later = table.clock + 3 * DAY

    dealer = TableDealer(InMemoryTable(table), clock=lambda: later)
    dealer.clear_table()

    assert later == table.clock
    assert not table.seats.taken and not table.layout
    assert held == table.book.balance("pocket")
