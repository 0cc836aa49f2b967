"""What a report is about: which tables, which time, whose theory."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from croupier.ledger.activity import Activity, collect
from croupier.ledger.service import Ledger
from croupier.papers.theory import FindTheory
from croupier.table.events import Event


class Scope:
    """What a report is about: the tables and the time, and the activity of each, collected once."""

    def __init__(
        self,
        ledger: Ledger,
        tables: list[str],
        since: dt.datetime | None,
        until: dt.datetime | None,
        find_theory: FindTheory,
    ) -> None:
        self.ledger, self.tables = ledger, tables
        self.since, self.until = since, until
        self.find_theory = find_theory

    def activities(self, note: Callable[[Event], bool] = lambda event: False) -> list[Activity]:
        """The tables where something happened."""
        found = [
            collect(self.ledger, table, since=self.since, until=self.until, note=note)
            for table in self.tables
        ]
        return [activity for activity in found if not activity.empty]
