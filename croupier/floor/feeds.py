"""Those who look at a table: each has a bounded queue, and whoever falls behind resumes.

The record is the buffer. A feed that is full is closed; its reader comes back and says which entry
was the last one seen.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping

import msgspec

from croupier.table import Account, Event

LONGEST = 256  # entries that may wait for one reader
TOGETHER = 64  # entries that are held back at most while more come at once


class Line(msgspec.Struct, frozen=True):
    """One entry of the record, with whose each box was when it was made."""

    sequence: int
    id: str  # of the command
    at: int
    events: tuple[Event, ...]
    boxes: Mapping[int, str]

    def own(self, account: Account) -> frozenset[int]:
        """The boxes whose cards an account may look at in this entry."""
        if account.role != "player":
            return frozenset()
        return frozenset(seat for seat, player in self.boxes.items() if player == account.id)


class TooSlow(Exception):
    """A reader fell so far behind that it must resume."""


class Feed:
    """What one connection has yet to be told. Presence belongs to it, not to a person."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.sending_since: float | None = None  # by the monotonic clock, while a frame is sent
        self.owed = False  # the last entry was told without a state, as more was about to come
        self._lines: deque[Line] = deque()
        self._changed = False
        self._closed = False
        self._too_slow = False
        self._awake = asyncio.Event()

    def tell(self, line: Line, *, more: bool = False) -> None:
        """An entry was made; if `more` come at once, they are sent together with it."""
        if len(self._lines) >= LONGEST:
            self._too_slow = True
        else:
            self._lines.append(line)
        if not more or len(self._lines) > TOGETHER:
            self._awake.set()

    def skip(self, sequence: int) -> None:
        """Leave out what waits up to an entry: the reader learns of it in another way."""
        while self._lines and self._lines[0].sequence <= sequence:
            self._lines.popleft()

    def rest(self) -> None:
        """No more comes at once: what waits is sent, with the state behind it."""
        if self._lines:
            self._awake.set()
        elif self.owed:
            self.change()

    def change(self) -> None:
        """The state changed without an entry."""
        self._changed = True
        self._awake.set()

    def close(self) -> None:
        """Nothing more will be told: the server is going down."""
        self._closed = True
        self._awake.set()

    async def news(self) -> AsyncIterator[Line | None]:
        """The entries as they are made; None where only the state has changed."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            while self._lines and not self._too_slow:
                yield self._lines.popleft()
            if self._too_slow:
                raise TooSlow
            if self._changed:
                self._changed = False
                yield None
            if self._closed:
                return

    @property
    def caught_up(self) -> bool:
        """Whether nothing further waits to be told."""
        return not self._lines
