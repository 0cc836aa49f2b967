"""Business metrics: what each table has won, what it should have won, and how far apart these are.

They are computed from the record, at most once an hour and for tables that have played since.
"""

from __future__ import annotations

import asyncio
from functools import cache

from prometheus_client import CollectorRegistry, Gauge

from croupier.documents.reports.theoretical_win import MAIN
from croupier.documents.reports.win_report import ActualWin, Shares, actual_wins
from croupier.games import House
from croupier.games.expected_returns import precomputed_distribution
from croupier.server.floor import Floor

START_SECONDS = 30.0  # after the start of the server
PERIOD_SECONDS = 3600.0
LABELS = ("table", "house", "bet")


class BusinessMetrics:
    """Win, theory and drift by table, House and bet."""

    def __init__(self, floor: Floor, registry: CollectorRegistry) -> None:
        self.floor = floor
        self._counted: dict[str, int] = {}  # entries of a table when it was computed

        def gauge(name: str, text: str) -> Gauge:
            return Gauge(name, text, LABELS, registry=registry)

        self.win = gauge("croupier_win_dollars", "Actual win since the table was opened.")
        self.theory = gauge("croupier_theoretical_win_dollars", "Expected win for the same wagers.")
        self.drift = gauge(
            "croupier_win_drift",
            "Actual minus expected win; 1 and -1 are the bounds of the 95% band.",
        )

    async def run(self) -> None:
        """Compute them again and again until cancelled."""
        await asyncio.sleep(START_SECONDS)
        while True:
            await self.update()
            await asyncio.sleep(PERIOD_SECONDS)

    async def update(self) -> None:
        """Compute the figures of every table that has new entries."""
        for host in tuple(self.floor.table_hosts.values()):
            sequence = host.sequence
            if host.is_lesson or self._counted.get(host.id) == sequence:
                continue
            won = await asyncio.to_thread(actual_wins, self.floor.ledger, host.id, known_shares)
            self._counted[host.id] = sequence
            for line in won:
                self._show(host.id, line)

    def _show(self, table: str, line: ActualWin) -> None:
        labels = (table, line.house[:12], line.bet)
        self.win.labels(*labels).set(line.actual / 100)
        if line.expected is None:
            return
        self.theory.labels(*labels).set(line.expected / 100)
        difference = line.actual - line.expected
        bound = line.high if difference > 0 else line.low
        if bound is not None and bound != line.expected:
            width = abs(bound - line.expected)
            self.drift.labels(*labels).set(difference / width)


@cache
def known_shares(house: House, bet: str) -> Shares | None:
    """The probability of each net result per unit; None if it would have to be solved."""
    if bet == MAIN:
        shares: Shares | None = precomputed_distribution(house)
        return shares
    return side_shares(house, bet)


def side_shares(house: House, wager: str) -> Shares | None:
    """The probability of each net result per unit on a side wager; None without the analyzer."""
    try:
        from croupier.analysis import analyze_side_wager
    except ImportError:
        return None
    shares: Shares = analyze_side_wager(house, wager).shares
    return shares
