"""One table on the floor: its only writer in this process, and everybody who looks at it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Sequence

from croupier.clock import now_ms
from croupier.errors import CroupierError, Refusal
from croupier.ledger import CommittedCommand, Fenced, Ledger, RecordedTable
from croupier.ledger.entry_codec import decode_entry
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import protocol as msg
from croupier.server.cluster.leases import Leases
from croupier.server.school.school_messages import is_school
from croupier.server.tables.host_giving import PendingCommand, TableDriver
from croupier.server.tables.payout_guide import settling_of
from croupier.server.tables.subscription import FeedEntry, Subscription, after, boxes_of
from croupier.server.tables.view_cache import ViewCache
from croupier.table import Account, Envelope, Event, Table, viewer_of
from croupier.table import events as ev

REMEMBERED = 128  # entries kept at hand for readers who resume; those before are read
FARTHEST = 10_000  # entries that a reader may be behind; beyond that the record is for auditors
READER = "reader"
GATHERED_SECONDS = 0.05  # for which others than those who are asked are told together
GATHERED_AT_ONCE = 0.25  # where a machine deals faster than anybody could follow
GATHERED_MOST = 1.0  # while the server is busy
PATIENCE = 200  # times as long as the server is late do they wait for more
LOOK_BACK = 256  # entries read at once when a round's beginning is looked for


class Stale(CroupierError):
    """The table has moved on since the one who acts looked at it."""


class TooFarBehind(CroupierError):
    """Nobody is told so much: begin with a snapshot."""


class TableHost:
    """A recorded table with its readers; every command and every entry passes through here."""

    def __init__(self, ledger: Ledger, waiting: AsyncAppender, opened: RecordedTable) -> None:
        self.ledger = ledger
        self.waiting = waiting
        self.opened = opened
        self.leases: Leases | None = None  # where several servers share the tables
        self.feeds: set[Subscription] = set()
        self.runner: TableDriver | None = None
        self._turn = asyncio.Lock()
        self._given: deque[PendingCommand] = deque()
        self._work: asyncio.Task[None] | None = None
        self._lines: dict[int, FeedEntry] = {}
        self._told = opened.sequence
        self._boxes = boxes_of(opened.table)
        self._sights = ViewCache(opened.table)
        self._alarm: asyncio.TimerHandle | None = None
        self._gathering: asyncio.TimerHandle | None = None
        self._stirring = False
        self._late = 0.0  # seconds by which it came too late the last time: how busy we are

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.opened.table

    @property
    def id(self) -> str:
        """Its name."""
        return self.table.table_id

    @property
    def sequence(self) -> int:
        """The last entry that everybody has been told of."""
        return self._told

    @property
    def ours(self) -> bool:
        """Whether this server has the table; the record decides, should it be mistaken."""
        return self.leases is None or self.leases.holds(self.id)

    # Acting

    async def execute(self, envelope: Envelope, *, expected: int | None = None) -> FeedEntry:
        """Carry a command out durably and tell everybody; the entry that it is in.

        The same id again changes nothing and is answered as the first time. Those that wait in
        the same moment are decided in turn and become durable together.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[FeedEntry] = loop.create_future()
        self._given.append(PendingCommand(envelope, expected, done))
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._take_turns())
        return await done

    async def _take_turns(self) -> None:
        """Whoever is given something meanwhile waits for the next turn, with all who do."""
        while self._given:
            async with self._turn:
                taken: list[PendingCommand] = []
                try:
                    await self._take_turn(taken)
                except BaseException as error:  # whoever waits must hear of it
                    if not taken and self._given:
                        taken.append(self._given.popleft())
                    for given in taken:
                        given.fail(error)
                    if not isinstance(error, Exception):
                        raise

    async def _take_turn(self, taken: list[PendingCommand]) -> None:
        if not self.ours:
            raise Fenced(self.opened.stream)
        if self.opened.stopped:
            await self._reopen()

        def following(table: Table, sequence: int) -> Envelope | None:
            given = self._following(table, sequence)
            if given is None:
                return None
            taken.append(given)
            return given.envelope

        together = await self.opened.execute_batch(self.waiting, following)
        lines = self._tell_together(together.committed)
        for given, line in zip(taken, lines, strict=False):
            given.answer(line)
        del taken[: len(lines)]
        if not lines and not taken and self._given:
            taken.append(self._given.popleft())
        while taken:  # by itself, for a reason that is found then
            given = taken[0]
            try:
                given.answer(await self._carry_out_alone(given))
            except Exception as error:
                given.fail(error)
            del taken[0]

    def _following(self, table: Table, sequence: int) -> PendingCommand | None:
        """Who is next; when nobody waits, what the machine does at once."""
        while self._given and self._given[0].given_up:
            self._given.popleft()
        if self._given:
            stale = self._given[0].expected not in (None, sequence)
            return None if stale else self._given.popleft()
        said = self.runner.following(table) if self.runner is not None else None
        return PendingCommand(said) if said is not None else None

    async def _carry_out_alone(self, given: PendingCommand) -> FeedEntry:
        envelope, expected = given.envelope, given.expected
        if expected not in (None, self.opened.sequence):
            await self._check_repeated(envelope, expected)
        before = self.opened.sequence
        try:
            events = await self.opened.execute_async(self.waiting, envelope)
        except Refusal:
            await self._tell_all(before, None, ())  # what others wrote, if it was read
            raise
        await self._tell_all(before, envelope, events)
        last = self._lines.get(self._told)
        if last is not None and last.id == envelope.id:
            return last
        # Carried out before: whose the boxes were then is not looked up, nobody's cards are told.
        found = await asyncio.to_thread(self.opened.find_recorded, envelope.id)
        assert found is not None, f"{envelope.id} was answered and is not on record"
        return FeedEntry(found.sequence, envelope.id, found.at, events, {})

    async def _check_repeated(self, envelope: Envelope, expected: int | None) -> None:
        """Who expects an older table may only repeat what is on record already."""
        if await asyncio.to_thread(self.opened.find_recorded, envelope.id) is None:
            raise Stale(f"the table is at entry {self.opened.sequence}, not at {expected}")

    async def _reopen(self) -> None:
        """After a failed write: what the record says is true, whatever we thought."""
        name = self.table.table_id
        self.opened = await asyncio.to_thread(self.ledger.open_table, name)
        self.opened.fence = self.leases.fence(name) if self.leases is not None else None
        await self._tell_all(self._told - 1, None, ())

    async def take(self) -> None:
        """The table has become this server's: what the record says is where it goes on."""
        async with self._turn:
            await self._reopen()

    async def follow(self) -> None:
        """Read what another server has done."""
        async with self._turn:
            if self.opened.stopped:
                await self._reopen()
                return
            before = self.opened.sequence
            self.opened.catch_up(await asyncio.to_thread(self.opened.unread_entries))
            await self._tell_all(before, None, ())

    def leave(self) -> None:
        """The table is another server's: readers resume there."""
        self.runner = None
        self.close()

    async def _tell_all(
        self, before: int, envelope: Envelope | None, events: tuple[Event, ...]
    ) -> None:
        """Tell everybody of every entry since the last one that they were told of."""
        last = self.opened.sequence
        if last == self._told:
            return
        if self.runner is not None:
            self.runner.wake()
        if envelope is not None and last == before + 1 == self._told + 1:
            self._boxes = after(self._boxes, events)
            self._tell(FeedEntry(last, envelope.id, envelope.at, events, self._boxes))
        else:  # others wrote too, or shared meters were read first
            for line in await asyncio.to_thread(self._read, self._told, last, dict(self._boxes)):
                self._boxes = dict(line.boxes)
                self._tell(line)
        self._stir()
        self._watch_clock()

    def _tell_together(self, carried: Sequence[CommittedCommand]) -> list[FeedEntry]:
        """Tell everybody of entries that became durable together."""
        lines: list[FeedEntry] = []
        for one in carried:
            self._boxes = after(self._boxes, one.events)
            envelope = one.envelope
            line = FeedEntry(one.sequence, envelope.id, envelope.at, one.events, self._boxes)
            self._tell(line)
            lines.append(line)
        if lines:
            if self.runner is not None:
                self.runner.moved()
            self._stir_soon()
            self._watch_clock()
        return lines

    def _tell(self, line: FeedEntry) -> None:
        self._told = line.sequence
        self._lines[line.sequence] = line
        self._lines.pop(line.sequence - REMEMBERED, None)
        for feed in self.feeds:
            feed.tell(line)

    def _stir_soon(self) -> None:
        """Behind the answers to those who acted, at this and at other tables: they wait."""
        if not self._stirring:
            self._stirring = True
            asyncio.get_running_loop().call_soon(self._stir)

    def _stir(self) -> None:
        """Whoever is asked is told at once; the others together, with what comes meanwhile."""
        self._stirring = False
        if self.busy or not self.feeds:
            return
        asked, rest = self._asked(), False
        for feed in self.feeds:
            if feed.account.id in asked and feed.account.role == "player":
                feed.wake()
            else:
                rest = True
        if rest and self._gathering is None:
            loop = asyncio.get_running_loop()
            hurries = self.runner is not None and self.runner.hurries
            least = GATHERED_AT_ONCE if hurries else GATHERED_SECONDS
            wait = min(least + PATIENCE * self._late, GATHERED_MOST)
            self._gathering = loop.call_later(wait, self._gathered, loop.time() + wait)

    def _gathered(self, due: float) -> None:
        self._gathering = None
        self._late = max(0.0, asyncio.get_running_loop().time() - due)
        if not self.busy:  # otherwise they are told when it rests
            for feed in self.feeds:
                feed.wake()

    def _asked(self) -> Collection[str]:
        """The players for whom the round waits: one whose word it needs, or all to bet first."""
        due, current = self.table.due(), self.table.open_round
        if current is None or not current.boxes:
            return self.table.seats.taken.values()
        return (current.boxes[due.seat].player,) if due.kind == "decide" else ()

    def _read(self, start: int, end: int, boxes: dict[int, str]) -> list[FeedEntry]:
        found: list[FeedEntry] = []
        for stored in self.opened.store.read(self.opened.stream, after=start, until=end):
            entry = decode_entry(stored)
            boxes = after(boxes, entry.events)
            found.append(
                FeedEntry(entry.sequence, entry.envelope.id, entry.at, entry.events, boxes)
            )
        return found

    # Looking

    def open_feed(self, account: Account) -> Subscription:
        """A new reader; `close_feed` it."""
        feed = Subscription(account)
        self.feeds.add(feed)
        return feed

    def close_feed(self, feed: Subscription) -> None:
        """A reader is gone; others of the same person stay."""
        self.feeds.discard(feed)
        if self.runner is not None:
            self.runner.wake()

    def present(self, player: str) -> bool:
        """Whether a player looks at the table through any connection."""
        people = (feed.account for feed in self.feeds)
        return any(one.id == player and one.role == "player" for one in people)

    def change(self) -> None:
        """The state changed without an entry."""
        for feed in self.feeds:
            feed.change()
        self._stir()

    @property
    def busy(self) -> bool:
        """Whether the machine dealer goes on at once: what is now, nobody has time to look at."""
        return self.runner is not None and self.runner.busy

    def rest(self) -> None:
        """The machine dealer waits: everybody is told what it has done, and the state."""
        self._stir()

    async def missed(self, start: int, end: int | None = None) -> list[FeedEntry]:
        """The entries that follow one, up to another, or to what everybody has been told."""
        end = self._told if end is None else end
        if start > end or start < 0:
            raise TooFarBehind(f"the table is at entry {end}, and nobody can have seen {start}")
        if end - start > FARTHEST:
            raise TooFarBehind(f"{end - start} entries were made since; begin with a snapshot")
        wanted = range(start + 1, end + 1)
        if all(number in self._lines for number in wanted):
            return [self._lines[number] for number in wanted]
        return await asyncio.to_thread(self._read_back, start, end)

    def _read_back(self, start: int, end: int) -> list[FeedEntry]:
        """From the record; whose the boxes were is found where their round begins."""
        begin = start
        while begin > 0:
            begin = max(0, begin - LOOK_BACK)
            chunk = self._read(begin, start, {})
            if any(type(event) is ev.RoundOpened for line in chunk for event in line.events):
                break
        return [line for line in self._read(begin, end, {}) if line.sequence > start]

    def state(self, account: Account) -> msg.State:
        """What one account may see and do now."""
        moment = now_ms()
        sights = self._sights.at(self.table, self.opened.sequence, moment)
        viewer = viewer_of(self.table, account)
        return msg.State(
            view=sights.view(viewer, moment),
            # A machine that reads cards is told by what is due.
            steps=sights.steps(viewer, moment) if account.role != READER else (),
            hands=sights.hands(viewer),
            # Who learns to pay is not told what is paid.
            settling=None if is_school(self.id) else settling_of(self.table, viewer),
            desk=self.runner.told(account) if self.runner is not None else None,
        )

    def _watch_clock(self) -> None:
        """Look again when a moment comes at which something changes by itself."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if not self.table.attended:
            return  # a machine keeps its own time
        deadline = self.table.next_deadline(now_ms())
        if deadline is not None:
            wait = max(0.0, (deadline.at - now_ms()) / 1000) + 0.001
            self._alarm = asyncio.get_running_loop().call_later(wait, self._moment_came)

    def _moment_came(self) -> None:
        self._sights.forget()
        self.change()
        self._watch_clock()

    async def finish(self) -> None:
        """Return when what was given has been carried out."""
        while self._work is not None and not self._work.done():
            await asyncio.wait((self._work,))

    def close(self) -> None:
        """Tell readers that nothing more comes; every entry is on the disk already."""
        for timer in (self._alarm, self._gathering):
            if timer is not None:
                timer.cancel()
        self._gathering = None
        for feed in tuple(self.feeds):
            feed.close()
