"""An attended table that was left open for days."""

from __future__ import annotations

from croupier import submission
from croupier.clock import DAY
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import InMemoryTable, run_opening_in_memory
from croupier.terminal.bot_players import YOU
from croupier.terminal.dealer import TableDealer


def test_a_table_left_open_for_days_is_cleared() -> None:
    """Its clock is set first; then wagers are returned and all players leave."""
    house = submission.example("top_five")
    table = run_opening_in_memory(house, lambda prompt: "", lambda line: None, at=1_900_000_000_000)
    you = next(iter(table.seats.taken.values()))
    table.do(cmd.PlaceWagers(1, {"ante": 1000}), YOU, table.clock + 1000)
    held = table.book.rack(you) + table.layout
    later = table.clock + 3 * DAY

    dealer = TableDealer(InMemoryTable(table), clock=lambda: later)
    dealer.clear_table()

    assert later == table.clock
    assert not table.seats.taken and not table.layout
    assert held == table.book.balance("pocket")
