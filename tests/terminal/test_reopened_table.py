"""A table of the full procedure that was left open for days."""

from __future__ import annotations

from croupier import submission
from croupier.clock import DAY
from croupier.table import commands as cmd
from croupier.table.drivers.simulated_staff import InMemoryTable, run_opening_in_memory
from croupier.terminal.bot_players_people import YOU
from croupier.terminal.dealer import Dealing


def test_a_table_that_stood_open_for_days_is_cleared() -> None:
    """Its clock is set first; then wagers go back and everybody gets up."""
    house = submission.example("top_five")
    table = run_opening_in_memory(house, lambda prompt: "", lambda line: None, at=1_900_000_000_000)
    you = next(iter(table.seats.taken.values()))
    table.do(cmd.PlaceWagers(1, {"ante": 1000}), YOU, table.clock + 1000)
    held = table.book.rack(you) + table.layout
    later = table.clock + 3 * DAY

    dealing = Dealing(InMemoryTable(table), clock=lambda: later)
    dealing.clear()

    assert later == table.clock
    assert not table.seats.taken and not table.layout
    assert held == table.book.balance("pocket")
