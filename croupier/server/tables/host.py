"""Hosts one table: serializes commands, group-commits them, fans entries out to subscribers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextvars import Context
from typing import Protocol

import msgspec

from croupier.clock import now_ms
from croupier.errors import CroupierError, Refusal
from croupier.ledger import CommittedCommand, Ledger, RecordedTable, Stale, StoreFailed
from croupier.ledger.entry_codec import decode_entry
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.server import protocol as msg
from croupier.server.auth.person import is_private
from croupier.server.school.school_messages import is_school
from croupier.server.tables.best_hand import visible_hands
from croupier.server.tables.payout_guide import payout_guide
from croupier.server.tables.state_patch import steps_by_id
from croupier.server.tables.subscription import (
    FeedEntry,
    Subscription,
    box_owners,
    owners_after,
)
from croupier.server.tables.waiting import waits_for
from croupier.table import Account, Envelope, Event, Step, Table, Viewer, view, viewer_of
from croupier.table import events as ev
from croupier.table.core.steps import all_steps
from croupier.table.core.views import StepView, steps_account, steps_for

RECENT_ENTRIES = 128  # kept in memory for subscribers who resume; older ones are read
ENTRIES_BEHIND_MAX = 1_000  # from which a subscriber can resume
LOOK_BACK = 256  # entries per read when searching backward for the start of a round
CARD_READER = "reader"

# Players whose turn it is are notified at once. Everyone else is notified in batches, after:
NOTIFY_SECONDS = 0.05
NOTIFY_SECONDS_INSTANT = 0.25  # while the bot deals without pauses
NOTIFY_SECONDS_MAX = 1.0  # under load
LOAD_FACTOR = 200  # seconds added per second that the last batch was late


class TooFarBehind(CroupierError):
    """The entry to resume from is too old or does not exist; start with a snapshot."""


class TableDriver(Protocol):
    """Runs a practice table: decides what happens next when no player has to act."""

    @property
    def busy(self) -> bool:
        """Whether it acts without a pause, or is about to."""

    @property
    def instant(self) -> bool:
        """Whether it makes no pauses at all."""

    def card_for(self, account: Account) -> msg.DealerCard:
        """Its settings and the requests that this account can make."""

    def wake(self) -> None:
        """Look again for something to do."""

    def presence_changed(self) -> None:
        """Somebody has opened or closed a feed."""

    def next_command(self, table: Table) -> Envelope | None:
        """The command that follows at once at this table; None if it waits or pauses."""

    def batch_committed(self) -> None:
        """A batch that may contain its last `next_command` has been committed."""


class PendingCommand(msgspec.Struct, eq=False):
    """A queued command and the future of its caller."""

    envelope: Envelope
    expected: int | None = None
    done: asyncio.Future[FeedEntry] | None = None  # None for a command of the driver

    @property
    def abandoned(self) -> bool:
        """Whether the caller has stopped waiting."""
        return self.done is not None and self.done.cancelled()

    def succeed(self, entry: FeedEntry) -> None:
        """The command is durable."""
        if self.done is not None and not self.done.done():
            self.done.set_result(entry)

    def fail(self, error: BaseException) -> None:
        """The command was not executed, or its outcome is unknown."""
        if self.done is not None and not self.done.done():
            self.done.set_exception(error)


class TableHost:
    """A recorded table with its command queue and its subscribers."""

    def __init__(
        self,
        ledger: Ledger,
        appender: AsyncAppender,
        recorded_table: RecordedTable,
        is_active: Callable[[], bool] = lambda: True,
    ) -> None:
        self.ledger = ledger
        self.appender = appender
        self.recorded_table = recorded_table
        self.is_active = is_active  # whether this server is the active one of the ledger
        self.unavailable = False  # the ledger cannot be written at present
        self.subscriptions: set[Subscription] = set()
        self.driver: TableDriver | None = None
        self._writing = asyncio.Lock()
        self._queue: deque[PendingCommand] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._recent: dict[int, FeedEntry] = {}
        self._published = recorded_table.sequence
        self._owners = box_owners(recorded_table.table)
        self._staff_steps: tuple[tuple[int, int], tuple[Step, ...]] = ((-1, -1), ())
        self._deadline: asyncio.TimerHandle | None = None
        self._batch_timer: asyncio.TimerHandle | None = None
        self._notify_scheduled = False
        self.is_lesson = is_school(self.id)  # only its trainee acts there
        self.is_private = is_private(self.id)  # only its owner plays there
        self._late = 0.0  # seconds by which the last batch was late: the load of this server

    @property
    def table(self) -> Table:
        """The current table."""
        return self.recorded_table.table

    @property
    def id(self) -> str:
        """The table id."""
        return self.table.table_id

    @property
    def sequence(self) -> int:
        """The last published entry."""
        return self._published

    # Commands

    async def execute(self, envelope: Envelope, *, expected: int | None = None) -> FeedEntry:
        """Execute a command durably and publish it; return its entry.

        A repeated id changes nothing and returns the first result. Commands that are queued at
        the same time are decided in order and committed together. Raises Stale if `expected` is
        not the current sequence, and what the table and the ledger raise.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[FeedEntry] = loop.create_future()
        self._queue.append(PendingCommand(envelope, expected, done))
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._run_batches(), context=Context())
        return await done

    async def _run_batches(self) -> None:
        while self._queue:
            async with self._writing:
                batch: list[PendingCommand] = []
                try:
                    await self._run_batch(batch)
                except BaseException as error:  # every caller gets a result
                    if not batch and self._queue:
                        batch.append(self._queue.popleft())
                    for pending in batch:
                        pending.fail(error)
                    if not isinstance(error, Exception):
                        raise

    async def _run_batch(self, batch: list[PendingCommand]) -> None:
        """Commit queued commands together, then those that need to be executed alone."""
        if not self.is_active():
            raise StoreFailed("another server may be the active one")
        if self.recorded_table.stopped:
            await self._reopen()

        def next_envelope(table: Table, sequence: int) -> Envelope | None:
            pending = self._next_pending(table, sequence)
            if pending is None:
                return None
            batch.append(pending)
            return pending.envelope

        result = await self.recorded_table.execute_batch(self.appender, next_envelope)
        entries = self._publish_batch(result.committed)
        for pending, entry in zip(batch, entries, strict=False):
            pending.succeed(entry)
        del batch[: len(entries)]
        if not entries and not batch and self._queue:
            batch.append(self._queue.popleft())
        while batch:
            try:
                batch[0].succeed(await self._execute_alone(batch[0]))
            except Exception as error:
                batch[0].fail(error)
            del batch[0]

    def _next_pending(self, table: Table, sequence: int) -> PendingCommand | None:
        """The next queued command, or else what the driver does at once."""
        while self._queue and self._queue[0].abandoned:
            self._queue.popleft()
        if self._queue:
            stale = self._queue[0].expected not in (None, sequence)
            return None if stale else self._queue.popleft()
        envelope = self.driver.next_command(table) if self.driver is not None else None
        # Decided for this state: if another writer is first, the driver decides again.
        return PendingCommand(envelope, sequence) if envelope is not None else None

    async def _execute_alone(self, pending: PendingCommand) -> FeedEntry:
        envelope = pending.envelope
        before = self.recorded_table.sequence
        try:
            events = await self.recorded_table.execute_async(
                self.appender, envelope, expected=pending.expected
            )
        except (Refusal, Stale):
            await self._publish_new(before, None, ())  # entries of others may have been read
            raise
        await self._publish_new(before, envelope, events)
        last = self._recent.get(self._published)
        if last is not None and last.id == envelope.id:
            return last
        # A repeated command. The owners of the boxes then are not looked up: no cards are shown.
        recorded = await asyncio.to_thread(self.recorded_table.find_recorded, envelope.id)
        assert recorded is not None, f"{envelope.id} was executed and is not in the ledger"
        return self._entry(recorded.sequence, envelope, recorded.at, events, {})

    async def _reopen(self) -> None:
        """Load the table from the ledger, after a failed write."""
        self.recorded_table = await asyncio.to_thread(self.ledger.open_table, self.id)
        await self._publish_new(self._published - 1, None, ())

    async def catch_up(self) -> None:
        """Publish what others recorded at this table, such as an order that disables gaming."""
        async with self._writing:
            if self.recorded_table.stopped:
                return  # it is loaded again for the next command
            before = self.recorded_table.sequence
            await asyncio.to_thread(self.recorded_table.catch_up)
            await self._publish_new(before, None, ())

    async def drain(self) -> None:
        """Wait until the command queue is empty."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait((self._worker,))

    # Fan-out

    async def _publish_new(
        self, before: int, envelope: Envelope | None, events: tuple[Event, ...]
    ) -> None:
        """Publish every entry since the last published one."""
        last = self.recorded_table.sequence
        if last == self._published:
            return
        if self.driver is not None:
            self.driver.wake()
        next_only = last == before + 1 == self._published + 1
        if next_only and envelope is not None and envelope.id == self.recorded_table.last_id:
            self._owners = owners_after(self._owners, events)
            self._publish(self._entry(last, envelope, envelope.at, events, self._owners))
        else:  # others wrote too, or linked meters were read first
            owners = dict(self._owners)
            for entry in await asyncio.to_thread(self._read, self._published, last, owners):
                self._owners = dict(entry.boxes)
                self._publish(entry)
        self._notify()
        self._schedule_deadline()

    def _publish_batch(self, committed: Sequence[CommittedCommand]) -> list[FeedEntry]:
        entries: list[FeedEntry] = []
        for command in committed:
            self._owners = owners_after(self._owners, command.events)
            envelope = command.envelope
            entry = self._entry(
                command.sequence, envelope, envelope.at, command.events, self._owners
            )
            self._publish(entry)
            entries.append(entry)
        if entries:
            if self.driver is not None:
                self.driver.batch_committed()
            self._notify_soon()
            self._schedule_deadline()
        return entries

    def _entry(
        self,
        sequence: int,
        envelope: Envelope,
        at: int,
        events: tuple[Event, ...],
        owners: dict[int, str],
    ) -> FeedEntry:
        staff = envelope.entered_by
        return FeedEntry(
            sequence,
            envelope.id,
            at,
            events,
            owners,
            self.table.house.game,
            player=envelope.by.id if staff else "",
            entered_by=staff.id if staff else "",
        )

    def _publish(self, entry: FeedEntry) -> None:
        self._published = entry.sequence
        self._recent[entry.sequence] = entry
        self._recent.pop(entry.sequence - RECENT_ENTRIES, None)
        for subscription in self.subscriptions:
            subscription.push(entry)

    def _notify_soon(self) -> None:
        # After the responses to the commands of this batch, whose callers wait.
        if not self._notify_scheduled:
            self._notify_scheduled = True
            asyncio.get_running_loop().call_soon(self._notify)

    def _notify(self) -> None:
        """Wake the subscriptions of players who have to act, and the others a little later."""
        self._notify_scheduled = False
        if self.busy or not self.subscriptions:
            return
        awaited, others = self._awaited_players(), False
        for subscription in self.subscriptions:
            if subscription.account.id in awaited and subscription.account.role == "player":
                subscription.wake()
            else:
                others = True
        if others and self._batch_timer is None:
            loop = asyncio.get_running_loop()
            instant = self.driver is not None and self.driver.instant
            least = NOTIFY_SECONDS_INSTANT if instant else NOTIFY_SECONDS
            wait = min(least + LOAD_FACTOR * self._late, NOTIFY_SECONDS_MAX)
            self._batch_timer = loop.call_later(wait, self._notify_all, loop.time() + wait)

    def _notify_all(self, due: float) -> None:
        self._batch_timer = None
        self._late = max(0.0, asyncio.get_running_loop().time() - due)
        if not self.busy:  # otherwise `driver_paused` notifies them
            for subscription in self.subscriptions:
                subscription.wake()

    def _awaited_players(self) -> Collection[str]:
        """The player who has to decide, or every seated player before the first bet."""
        due, current = self.table.due(), self.table.open_round
        if current is None or not current.boxes:
            return self.table.seats.taken.values()
        return (current.boxes[due.seat].player,) if due.kind == "decide" else ()

    def state_changed(self) -> None:
        """Send the state without an entry."""
        for subscription in self.subscriptions:
            subscription.mark_changed()
        self._notify()

    @property
    def busy(self) -> bool:
        """Whether the driver acts again at once, so that no state is sent now."""
        return self.driver is not None and self.driver.busy

    def driver_paused(self) -> None:
        """Send what the driver has done, and the state."""
        self._notify()

    # Subscriptions

    def subscribe(self, account: Account) -> Subscription:
        """A new subscription, to be ended with `unsubscribe`."""
        subscription = Subscription(account)
        self.subscriptions.add(subscription)
        if self.driver is not None:
            self.driver.presence_changed()
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """End one subscription; others of the same account go on."""
        self.subscriptions.discard(subscription)
        if self.driver is not None:
            self.driver.presence_changed()

    def is_present(self, player: str) -> bool:
        """Whether a player has any open subscription."""
        return self.present_since({player}) is not None

    def present_since(self, players: Collection[str]) -> int | None:
        """When the oldest open subscription of any of these players was opened."""
        opened = [
            each.opened_at
            for each in self.subscriptions
            if each.account.role == "player" and each.account.id in players
        ]
        return min(opened, default=None)

    def entries_behind(self, start: int, end: int | None = None) -> int:
        """How many entries a subscriber has missed since `start`; TooFarBehind if too many."""
        end = self._published if end is None else end
        if start > end or start < 0:
            raise TooFarBehind(f"the table is at entry {end}; entry {start} does not exist")
        if end - start > ENTRIES_BEHIND_MAX:
            raise TooFarBehind(f"{end - start} entries behind; start with a snapshot")
        return end - start

    async def entries_after(self, start: int, end: int | None = None) -> list[FeedEntry]:
        """The entries after `start` up to `end`, or to the last published one.

        Raises TooFarBehind.
        """
        end = self._published if end is None else end
        self.entries_behind(start, end)
        wanted = range(start + 1, end + 1)
        if all(number in self._recent for number in wanted):
            return [self._recent[number] for number in wanted]
        return await asyncio.to_thread(self._read_back, start, end)

    def _read_back(self, start: int, end: int) -> list[FeedEntry]:
        """Entries from the ledger; reading starts before the round that `start` is in."""
        begin = start
        while begin > 0:
            begin = max(0, begin - LOOK_BACK)
            chunk = self._read(begin, start, {})
            if any(type(event) is ev.RoundOpened for entry in chunk for event in entry.events):
                break
        return [entry for entry in self._read(begin, end, {}) if entry.sequence > start]

    def _read(self, start: int, end: int, owners: dict[int, str]) -> list[FeedEntry]:
        entries: list[FeedEntry] = []
        store, stream = self.recorded_table.store, self.recorded_table.stream
        for stored in store.read(stream, after=start, until=end):
            recorded = decode_entry(stored)
            owners = owners_after(owners, recorded.events)
            envelope, at = recorded.envelope, recorded.at
            entries.append(self._entry(recorded.sequence, envelope, at, recorded.events, owners))
        return entries

    def state(self, account: Account) -> msg.State:
        """What an account can see and do now."""
        moment, viewer = now_ms(), viewer_of(self.table, account)
        return msg.State(
            view=view(self.table, viewer, moment),
            # A card reader acts on what is due.
            steps=steps_by_id(self._steps(viewer, moment)) if account.role != CARD_READER else {},
            hands=visible_hands(self.table, viewer),
            # A trainee has to find the payouts.
            settling=None if self.is_lesson else payout_guide(self.table, viewer),
            dealer_bot=self.driver.card_for(account) if self.driver is not None else None,
            unavailable=self.unavailable,
            waits_for=self._waits_for(viewer, moment),
        )

    def _steps(self, viewer: Viewer, moment: int) -> tuple[StepView, ...]:
        """The steps of a viewer. Staff who enter for players share a list: it takes 2 ms."""
        account = steps_account(self.table, viewer.account)
        if account is not None:
            return steps_for(self.table, all_steps(self.table, moment, account), viewer)
        return steps_for(self.table, self._all_steps(moment), viewer)

    def _all_steps(self, moment: int) -> tuple[Step, ...]:
        """The steps of everybody, once for each entry and second."""
        state = (self.recorded_table.sequence, moment // 1000)
        if self._staff_steps[0] != state:
            self._staff_steps = (state, all_steps(self.table, moment))
        return self._staff_steps[1]

    def _waits_for(self, viewer: Viewer, moment: int) -> tuple[str, ...]:
        """Whom and what the staff who serve the table wait for."""
        if steps_account(self.table, viewer.account) is not None or self.is_lesson:
            return ()
        return waits_for(self._all_steps(moment), viewer.account)

    # Deadlines of an attended table

    def _schedule_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if not self.table.attended:
            return  # the driver has its own timers
        deadline = self.table.next_deadline(now_ms())
        if deadline is not None:
            wait = max(0.0, (deadline.at - now_ms()) / 1000) + 0.001
            self._deadline = asyncio.get_running_loop().call_later(wait, self._deadline_reached)

    def _deadline_reached(self) -> None:
        self._staff_steps = ((-1, -1), ())
        self.state_changed()
        self._schedule_deadline()

    def close(self) -> None:
        """Close every subscription. Published entries are durable already."""
        for timer in (self._deadline, self._batch_timer):
            if timer is not None:
                timer.cancel()
        self._batch_timer = None
        for subscription in tuple(self.subscriptions):
            subscription.close()
