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
from typing import Any, NamedTuple, cast

import msgspec

from croupier.clock import now_ms
from croupier.games import Game
from croupier.server.protocol import EntryFrame, State
from croupier.table import Account, Event, Role, Table, Viewer
from croupier.table import events as ev
from croupier.table.core.views import redact
from croupier.table.event_text import EventText, players_of, spoken_cards
from croupier.wording import person_name

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


class _Content(NamedTuple):
    """What an audience sees of an entry."""

    visible: list[Event | None]
    events: msgspec.Raw  # the same as JSON
    sentences: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FeedEntry:
    """One ledger entry, with the player of each box at the time.

    Its JSON is encoded once per audience: a player whom an event concerns, otherwise a role.
    """

    sequence: int
    id: str  # of the command
    at: int
    events: tuple[Event, ...]
    boxes: Mapping[int, str]
    game: Game
    player: str = ""  # for whom staff entered the command,
    entered_by: str = ""  # and who did
    _contents: dict[Account | Role, _Content] = field(default_factory=dict)
    _frames: dict[Account | Role, EncodedFrame] = field(default_factory=dict)

    def frame_for(self, account: Account) -> EncodedFrame:
        """The frame of this entry without a state."""
        audience = self._audience(account)
        frame = self._frames.get(audience)
        if frame is None:
            content = self._content(account, audience)
            struct = EntryFrame(
                sequence=self.sequence,
                at=self.at,
                events=cast(Any, content.events),
                sentences=content.sentences,
            )
            frame = self._frames[audience] = EncodedFrame(self.sequence, encode(struct))
        return frame

    def events_for(self, account: Account) -> msgspec.Raw:
        """The events that an account can see, as JSON."""
        return self._content(account, self._audience(account)).events

    def sentences_for(self, account: Account) -> tuple[str, ...]:
        """A sentence for each event."""
        return self._content(account, self._audience(account)).sentences

    def _audience(self, account: Account) -> Account | Role:
        """The account if an event concerns it as a player, else its role."""
        concerned = account.role == "player" and account.id in self._players
        return account if concerned else account.role

    def _content(self, account: Account, audience: Account | Role) -> _Content:
        content = self._contents.get(audience)
        if content is None:
            content = self._contents[audience] = self._make_content(account, audience)
        return content

    def _make_content(self, account: Account, audience: Account | Role) -> _Content:
        boxes = (seat for seat, player in self.boxes.items() if player == account.id)
        viewer = Viewer(account, frozenset(boxes if account.role == "player" else ()))
        text = EventText(viewer, self.game, self.boxes, name_cards=spoken_cards)
        if audience == account.role:
            visible = [redact(event, viewer) for event in self.events]
            sentences = list(map(text.describe_visible, visible))
        else:  # what does not concern the player is as for the role
            of_role = self._content(Account("", account.role), account.role)
            visible = list(of_role.visible)
            sentences = [sentence.removesuffix(self._note) for sentence in of_role.sentences]
            for index, players in enumerate(self._concerned):
                if account.id in players:
                    visible[index] = event = redact(self.events[index], viewer)
                    sentences[index] = text.describe_visible(event)
        for index, players in enumerate(self._concerned if self._note else ()):
            if self.player in players and sentences[index]:
                sentences[index] += self._note
                break
        return _Content(visible, msgspec.Raw(encode(visible)), tuple(sentences))

    @property
    def _note(self) -> str:
        """Who entered the command for a player."""
        return f" Entered by {person_name(self.entered_by)}." if self.entered_by else ""

    @cached_property
    def _concerned(self) -> tuple[set[str], ...]:
        """The players who may see more of each event than others, or are addressed as "you"."""
        return tuple(players_of(event, self.boxes) for event in self.events)

    @cached_property
    def _players(self) -> set[str]:
        return set().union(*self._concerned)


class TooSlow(Exception):
    """A reader has fallen behind by more than its queue holds and must resume."""


class Subscription:
    """The queue of one connection. Presence is counted by connection, not by account."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.opened_at = now_ms()
        self.sending_since: float | None = None  # monotonic clock, while a frame is being sent
        self.sent: State | None = None  # the last state that was sent
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
