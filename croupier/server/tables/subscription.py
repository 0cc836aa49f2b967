"""A subscription to one table: a bounded queue of entries per connection.

The ledger is the buffer. A subscription whose queue is full is closed; the client reconnects and
names the last entry that it has seen.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import msgspec

from croupier.clock import now_ms
from croupier.games import Game
from croupier.server.protocol import EntryFrame
from croupier.table import Account, Event, Role, Table, Viewer
from croupier.table import events as ev
from croupier.table.core.views import is_viewer_specific, redact
from croupier.table.event_text import EventText, players_of, spoken_cards

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


@dataclass(frozen=True, eq=False)
class FeedEntry:
    """One ledger entry, with the player of each box at the time.

    Its JSON is encoded once per audience: a role where everyone in it sees the same, otherwise an
    account.
    """

    sequence: int
    id: str  # of the command
    at: int
    events: tuple[Event, ...]
    boxes: Mapping[int, str]
    game: Game
    player: str = ""  # for whom staff entered the command,
    entered_by: str = ""  # and who did
    _visible: dict[Account | Role, msgspec.Raw] = field(default_factory=dict)
    _sentences: dict[Account | Role, tuple[str, ...]] = field(default_factory=dict)
    _shared: dict[Role, tuple[str, ...]] = field(default_factory=dict)  # address no account
    _frames: dict[Account | Role, EncodedFrame] = field(default_factory=dict)

    def own_boxes(self, account: Account) -> frozenset[int]:
        """The boxes whose cards an account can see in this entry."""
        if account.role != "player":
            return frozenset()
        return frozenset(seat for seat, player in self.boxes.items() if player == account.id)

    def frame_for(self, account: Account) -> EncodedFrame:
        """The frame of this entry without a state."""
        audience = self._audience(account)
        frame = self._frames.get(audience)
        if frame is None:
            content = EntryFrame(
                sequence=self.sequence,
                at=self.at,
                events=cast(Any, self.events_for(account)),
                sentences=self.sentences_for(account),
            )
            frame = self._frames[audience] = EncodedFrame(self.sequence, encode(content))
        return frame

    def events_for(self, account: Account) -> msgspec.Raw:
        """The events that an account can see, as JSON."""
        audience = account if self._personal else account.role
        encoded = self._visible.get(audience)
        if encoded is None:
            viewer = Viewer(account, self.own_boxes(account))
            visible = [redact(event, viewer) for event in self.events]
            encoded = self._visible[audience] = msgspec.Raw(encode(visible))
        return encoded

    def sentences_for(self, account: Account) -> tuple[str, ...]:
        """A sentence for each event; only those that address the account are its own."""
        audience = self._audience(account)
        sentences = self._sentences.get(audience)
        if sentences is None:
            sentences = self._sentences[audience] = self._marked(self._worded(account))
        return sentences

    def _worded(self, account: Account) -> tuple[str, ...]:
        """The sentences without who entered them; those of a role are worded once."""
        viewer = Viewer(account, self.own_boxes(account))
        text = EventText(viewer, self.game, self.boxes, name_cards=spoken_cards)
        if self._personal or self._audience(account) == account.role:
            return tuple(map(text.describe, self.events))
        shared = self._shared.get(account.role)
        if shared is None:
            shared = self._shared[account.role] = self._worded(Account("", account.role))
        return tuple(
            text.describe(event) if account.id in players else sentence
            for event, players, sentence in zip(self.events, self._addressed, shared, strict=True)
        )

    def _marked(self, sentences: Iterable[str]) -> tuple[str, ...]:
        """The sentences; what staff entered for a player says who entered it."""
        marked = list(sentences)
        if self.entered_by:
            for index, players in enumerate(self._addressed):
                if self.player in players and marked[index]:
                    marked[index] += f" Entered by {self.entered_by.capitalize()}."
                    break
        return tuple(marked)

    def _audience(self, account: Account) -> Account | Role:
        addressed = account.role == "player" and account.id in self._players
        return account if addressed or self._personal else account.role

    @cached_property
    def _personal(self) -> bool:
        return any(map(is_viewer_specific, self.events))

    @cached_property
    def _addressed(self) -> tuple[set[str], ...]:
        """The players whom the sentence of each event may address as "you"."""
        return tuple(players_of(event, self.boxes) for event in self.events)

    @cached_property
    def _players(self) -> set[str]:
        return set().union(*self._addressed)


class TooSlow(Exception):
    """A reader has fallen behind by more than its queue holds and must resume."""


class Subscription:
    """The queue of one connection. Presence is counted by connection, not by account."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.opened_at = now_ms()
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
