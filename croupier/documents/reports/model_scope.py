"""What a report is about: which tables, which stretch of the record, whose theory."""

from __future__ import annotations

from collections.abc import Callable

from croupier.documents.reports.theoretical_win import FindTheory
from croupier.ledger.ledger import Ledger
from croupier.ledger.queries.activity import Activity, collect_activity
from croupier.ledger.queries.periods import Period
from croupier.table import Event


class Scope:
    """The tables and the period, and the activity of each table."""

    def __init__(
        self, ledger: Ledger, tables: list[str], period: Period, find_theory: FindTheory
    ) -> None:
        self.ledger, self.tables = ledger, tables
        self.period = period
        self.find_theory = find_theory

    def activities(self, note: Callable[[Event], bool] = lambda event: False) -> list[Activity]:
        """The tables where something happened."""
        found = [collect_activity(self.ledger, table, self.period, note=note) for table in self.tables]
        return [activity for activity in found if not activity.empty]
