"""Figures of a table since it was opened: rounds, bets and win, summed from its entries."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable

from croupier.clock import DAY, HOUR, now_ms
from croupier.ledger.entry_codec import decode_entry
from croupier.money import Cents
from croupier.server.tables.host import ENTRIES_BEHIND_MAX, TableHost
from croupier.table import Event
from croupier.table import events as ev

CHUNK = 1_000  # entries per read when looking back for the opening
CHUNKS_MAX = 30
RATE_AFTER_MS = HOUR // 12  # from when there is a number of rounds per hour


class RunningTotals:
    """The sums of one table up to an entry."""

    def __init__(self, since: int) -> None:
        self.last_round: int | None = None
        self._start(since)

    def _start(self, since: int) -> None:
        self.since = since
        self.rounds = 0
        self.bets = 0  # players' rounds
        self.handle: Cents = 0
        self.returned: Cents = 0
        self._ends: deque[int] = deque()  # of the rounds of the last hour
        self._seats: set[int] = set()  # of the round in progress

    @property
    def win(self) -> Cents:
        """Stakes less payments, awards and envy bonuses included."""
        return self.handle - self.returned

    @property
    def average_bet(self) -> Cents | None:
        """What a player stakes in a round on average, to the cent."""
        return round(self.handle / self.bets) if self.bets else None

    def rounds_per_hour(self, now: int) -> int | None:
        """The rounds of the last hour, or the rate since the opening if that is less."""
        while self._ends and self._ends[0] < now - HOUR:
            self._ends.popleft()
        time = min(now - self.since, HOUR)
        return round(len(self._ends) * HOUR / time) if time >= RATE_AFTER_MS else None

    def add(self, at: int, events: Iterable[Event]) -> None:
        """Add the events of an entry; an opening of the table starts the sums again."""
        for event in events:
            match event:
                case ev.TableOpened():
                    self._start(at)
                case ev.WagerSettled() if event.outcome != "void":
                    self.handle += event.stake
                    self.returned += event.returned
                    self._seats.add(event.seat)
                case ev.EnvyPaid():
                    self.returned += event.paid
                case ev.RoundClosed():
                    self.rounds += 1
                    self.bets += len(self._seats)
                    self._seats = set()
                    self.last_round = at
                    self._ends.append(at)


class FigureReader:
    """Keeps the figures of a table up to date; the past is read in a thread."""

    def __init__(self, host: TableHost) -> None:
        self.host = host
        self.figures: RunningTotals | None = None
        self._sequence = 0
        self._reading: asyncio.Task[None] | None = None

    async def read(self) -> RunningTotals | None:
        """The figures after the last entry; None while the past is being read."""
        behind = self.host.sequence - self._sequence
        if self.figures is None or behind > ENTRIES_BEHIND_MAX:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(asyncio.to_thread(self._read_past))
        elif behind > 0:
            for entry in await self.host.entries_after(self._sequence):
                if entry.sequence == self._sequence + 1:  # unless another request has added it
                    self.figures.add(entry.at, entry.events)
                    self._sequence = entry.sequence
        return self.figures

    def _read_past(self) -> None:
        """Read back to the opening of the table, or for a day."""
        table, since = self.host.recorded_table, now_ms() - DAY
        end = begin = self.host.sequence
        entries: list[tuple[int, tuple[Event, ...]]] = []
        for _ in range(CHUNKS_MAX):
            start, begin = begin, max(0, begin - CHUNK)
            stored = table.store.read(table.stream, after=begin, until=start)
            chunk = [(entry.at, entry.events) for entry in map(decode_entry, stored)]
            entries[:0] = chunk
            opened = any(type(event) is ev.TableOpened for _, events in chunk for event in events)
            if opened or begin == 0 or entries[0][0] < since:
                break
        figures = RunningTotals(max(since, entries[0][0]) if entries else since)
        for at, events in entries:
            if at >= since:
                figures.add(at, events)
        self.figures, self._sequence = figures, end
