"""Those who look at a table: each has a bounded queue, and whoever falls behind resumes.

The record is the buffer. A feed that is full is closed; its reader comes back and says which entry
was the last one seen.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from croupier.server.protocol import Happened
from croupier.table import Account, Event, Role, Table, Viewer, shown
from croupier.table import events as ev
from croupier.table.core.views import is_fully_public, is_viewer_specific


class EncodedFrame:
    """A frame that is written as JSON already."""

    __slots__ = ("sequence", "text")

    def __init__(self, sequence: int, text: bytes) -> None:
        self.sequence = sequence
        self.text = msgspec.Raw(text)


def _as_written(value: object) -> msgspec.Raw:
    if type(value) is EncodedFrame:
        return value.text
    raise NotImplementedError(f"{type(value).__name__} is not said on the wire")


encode = msgspec.json.Encoder(enc_hook=_as_written).encode

LONGEST = 256  # entries that may wait for one reader
TOGETHER = 64  # entries that are held back at most while more come at once


class FeedEntry(msgspec.Struct, frozen=True):
    """One entry of the record, with whose each box was when it was made."""

    sequence: int
    id: str  # of the command
    at: int
    events: tuple[Event, ...]
    boxes: Mapping[int, str]
    _seen: dict[Account | Role, msgspec.Raw] = msgspec.field(default_factory=dict)
    _written: dict[Account | Role, EncodedFrame] = msgspec.field(default_factory=dict)

    def own(self, account: Account) -> frozenset[int]:
        """The boxes whose cards an account may look at in this entry."""
        if account.role != "player":
            return frozenset()
        return frozenset(seat for seat, player in self.boxes.items() if player == account.id)

    def written_for(self, account: Account) -> EncodedFrame:
        """The frame of this entry alone: written once for all who are told the same."""
        found = self._written.get(account.role) or self._written.get(account)
        if found is None:
            seen: Any = self.seen_by(account)
            whose = account.role if account.role in self._seen else account
            frame = Happened(sequence=self.sequence, at=self.at, events=seen)
            found = self._written[whose] = EncodedFrame(self.sequence, encode(frame))
        return found

    def seen_by(self, account: Account) -> msgspec.Raw:
        """The events as an account is told, as JSON: written once for all who are told the same."""
        found = self._seen.get(account.role) or self._seen.get(account)
        if found is None:
            if all(map(is_fully_public, self.events)):  # everybody is told all of it
                audience: Account | Role = account.role
                found = msgspec.Raw(encode(self.events))
            else:
                audience = account if any(map(is_viewer_specific, self.events)) else account.role
                told = events_for(account, self.own(account), self.events)
                found = msgspec.Raw(encode(told))
            self._seen[audience] = found
        return found


def events_for(
    account: Account, own: frozenset[int], events: Sequence[Event]
) -> tuple[dict[str, object] | None, ...]:
    """Events as one viewer is told; None for those that only have happened."""
    viewer = Viewer(account, own)
    return tuple(shown(event, viewer) for event in events)


class TooSlow(Exception):
    """A reader fell so far behind that it must resume."""


class Subscription:
    """What one connection has yet to be told. Presence belongs to it, not to a person."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.sending_since: float | None = None  # by the monotonic clock, while a frame is sent
        self.owed = False  # the last entry was told without a state, as more was about to come
        self._lines: deque[FeedEntry] = deque()
        self._changed = False
        self._closed = False
        self._too_slow = False
        self._awake = asyncio.Event()

    def tell(self, line: FeedEntry) -> None:
        """An entry was made; it is sent with the next ones, once somebody calls `wake`."""
        if len(self._lines) >= LONGEST:
            self._too_slow = True
        else:
            self._lines.append(line)
        if len(self._lines) > TOGETHER:
            self._awake.set()

    def skip(self, sequence: int) -> None:
        """Leave out what waits up to an entry: the reader learns of it in another way."""
        while self._lines and self._lines[0].sequence <= sequence:
            self._lines.popleft()

    def change(self) -> None:
        """The state changed without an entry."""
        self._changed = True

    def wake(self) -> None:
        """What waits is sent now, with the state behind it."""
        self._changed = self._changed or self.owed
        if self._lines or self._changed:
            self._awake.set()

    def close(self) -> None:
        """Nothing more will be told: the server is going down."""
        self._closed = True
        self._awake.set()

    async def news(self) -> AsyncIterator[list[FeedEntry]]:
        """The entries that were made since the last time; none where only the state has changed."""
        while True:
            await self._awake.wait()
            self._awake.clear()
            if self._too_slow:
                raise TooSlow
            if self._lines or self._changed:
                lines, self._changed = list(self._lines), False
                self._lines.clear()
                yield lines
            if self._closed:
                return

    @property
    def caught_up(self) -> bool:
        """Whether nothing further waits to be told."""
        return not self._lines


def boxes_of(table: Table) -> dict[int, str]:
    """Whose each box of the round is."""
    return {seat: box.player for seat, box in table.round.boxes.items()} if table.round else {}


def after(boxes: dict[int, str], events: Iterable[Event]) -> dict[int, str]:
    """Whose the boxes are after these events."""
    for event in events:
        if type(event) is ev.RoundOpened:
            boxes = {}
        elif type(event) is ev.WagersPlaced:
            boxes = {seat: player for seat, player in boxes.items() if seat != event.seat}
            if event.stakes:
                boxes[event.seat] = event.player
    return boxes
