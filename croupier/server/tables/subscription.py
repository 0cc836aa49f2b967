"""A subscription to one table: a bounded queue of entries per connection.

The ledger is the buffer. A subscription whose queue is full is closed; the client reconnects and
names the last entry that it has seen.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from croupier.server.protocol import EntryFrame
from croupier.table import Account, Event, Role, Table, Viewer, shown
from croupier.table import events as ev
from croupier.table.core.views import is_fully_public, is_viewer_specific

QUEUE_MAX = 256  # entries per subscription
BATCH_MAX = 64  # entries that wait for more to come before they are sent


class EncodedFrame:
    """A frame that is encoded as JSON already."""

    __slots__ = ("sequence", "text")

    def __init__(self, sequence: int, text: bytes) -> None:
        self.sequence = sequence
        self.text = msgspec.Raw(text)


def _encode_hook(value: object) -> msgspec.Raw:
    if type(value) is EncodedFrame:
        return value.text
    raise NotImplementedError(f"{type(value).__name__} has no JSON form")


encode = msgspec.json.Encoder(enc_hook=_encode_hook).encode


class FeedEntry(msgspec.Struct, frozen=True):
    """One ledger entry, with the player of each box at the time.

    Its JSON is encoded once per audience: a role where everyone in it sees the same, otherwise an
    account.
    """

    sequence: int
    id: str  # of the command
    at: int
    events: tuple[Event, ...]
    boxes: Mapping[int, str]
    _events: dict[Account | Role, msgspec.Raw] = msgspec.field(default_factory=dict)
    _frames: dict[Account | Role, EncodedFrame] = msgspec.field(default_factory=dict)

    def own_boxes(self, account: Account) -> frozenset[int]:
        """The boxes whose cards an account can see in this entry."""
        if account.role != "player":
            return frozenset()
        return frozenset(seat for seat, player in self.boxes.items() if player == account.id)

    def frame_for(self, account: Account) -> EncodedFrame:
        """The frame of this entry without a state."""
        frame = self._frames.get(account.role) or self._frames.get(account)
        if frame is None:
            events: Any = self.seen_by(account)
            audience = account.role if account.role in self._events else account
            content = EntryFrame(sequence=self.sequence, at=self.at, events=events)
            frame = self._frames[audience] = EncodedFrame(self.sequence, encode(content))
        return frame

    def seen_by(self, account: Account) -> msgspec.Raw:
        """The events that an account can see, as JSON."""
        encoded = self._events.get(account.role) or self._events.get(account)
        if encoded is None:
            if all(map(is_fully_public, self.events)):  # visible to every role
                audience: Account | Role = account.role
                encoded = msgspec.Raw(encode(self.events))
            else:
                audience = account if any(map(is_viewer_specific, self.events)) else account.role
                visible = visible_events(account, self.own_boxes(account), self.events)
                encoded = msgspec.Raw(encode(visible))
            self._events[audience] = encoded
        return encoded


def visible_events(
    account: Account, own: frozenset[int], events: Sequence[Event]
) -> tuple[dict[str, object] | None, ...]:
    """Events as one account sees them; None for those whose content is hidden."""
    viewer = Viewer(account, own)
    return tuple(shown(event, viewer) for event in events)


class TooSlow(Exception):
    """A reader has fallen behind by more than its queue holds and must resume."""


class Subscription:
    """The queue of one connection. Presence is counted by connection, not by account."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.sending_since: float | None = None  # monotonic clock, while a frame is being sent
        self.state_owed = False  # the last entry was sent without a state: more was about to come
        self._entries: deque[FeedEntry] = deque()
        self._changed = False
        self._closed = False
        self._overflow = False
        self._awake = asyncio.Event()

    def push(self, entry: FeedEntry) -> None:
        """Queue an entry. It is sent after the next `wake`, or when a batch is full."""
        if len(self._entries) >= QUEUE_MAX:
            self._overflow = True
        else:
            self._entries.append(entry)
        if len(self._entries) > BATCH_MAX:
            self._awake.set()

    def skip_to(self, sequence: int) -> None:
        """Drop queued entries up to one that a snapshot or a resumption covers."""
        while self._entries and self._entries[0].sequence <= sequence:
            self._entries.popleft()

    def mark_changed(self) -> None:
        """The state has changed without an entry; it is sent after the next `wake`."""
        self._changed = True

    def wake(self) -> None:
        """Send what is queued, followed by the state."""
        self._changed = self._changed or self.state_owed
        if self._entries or self._changed:
            self._awake.set()

    def close(self) -> None:
        """End the subscription after what is queued."""
        self._closed = True
        self._awake.set()

    async def batches(self) -> AsyncIterator[list[FeedEntry]]:
        """Entries since the last batch; an empty list if only the state has changed.

        Raises TooSlow after the queue has overflowed.
        """
        while True:
            await self._awake.wait()
            self._awake.clear()
            if self._overflow:
                raise TooSlow
            if self._entries or self._changed:
                batch, self._changed = list(self._entries), False
                self._entries.clear()
                yield batch
            if self._closed:
                return

    @property
    def caught_up(self) -> bool:
        """Whether the queue is empty."""
        return not self._entries


def box_owners(table: Table) -> dict[int, str]:
    """The player of each box of the round."""
    return {seat: box.player for seat, box in table.round.boxes.items()} if table.round else {}


def owners_after(owners: dict[int, str], events: Iterable[Event]) -> dict[int, str]:
    """The player of each box after these events."""
    for event in events:
        if type(event) is ev.RoundOpened:
            owners = {}
        elif type(event) is ev.WagersPlaced:
            owners = {seat: player for seat, player in owners.items() if seat != event.seat}
            if event.stakes:
                owners[event.seat] = event.player
    return owners
