"""Recorded table: every command is durable before it takes effect.

`do` decides, appends, and only then applies the events. If the append fails the table stops: a
command that is not on record did not happen. The command id is the idempotency key: a repeated
command returns the recorded events, a different command under a known id is an error. Refusals are
recorded in a stream of their own.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import entry_codec, idempotency, linked_tables
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.aggregates.approvals import find_second_person
from croupier.ledger.aggregates.linked_meter_follower import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meters import LinkedMeters
from croupier.ledger.aggregates.shared_aggregates import ApprovalsFollower, DutyRosterFollower
from croupier.ledger.append_plan import AppendPlan, build_plan, shared_moves
from croupier.ledger.command_batch import (
    BatchResult,
    NextCommand,
    PendingBatch,
    SpeculativeTable,
    needs_permission,
)
from croupier.ledger.errors import (
    Conflict,
    Excluded,
    RefusedElsewhere,
    RepeatedCommand,
    Stale,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.linked_tables import MeterReadings, tentative_readings
from croupier.ledger.log import Snapshot, Store, StoredEntry
from croupier.ledger.log.append import StreamEnd
from croupier.ledger.optimistic_retry import ATTEMPTS_MAX, retry_on_conflict
from croupier.ledger.snapshot_policy import due_table_snapshots
from croupier.table import Account, Command, Envelope, Event, Table, epoch_ms

if TYPE_CHECKING:
    from croupier.ledger.log.write.async_append import AsyncAppender

POLL_SECONDS = 0.001  # between attempts to take a lock that a thread holds

# Whether a player is on an exclusion list of the property, besides the one on record.
IsExcluded: TypeAlias = Callable[[str], bool]


def no_exclusions(player: str) -> bool:
    """`IsExcluded` of a property without an exclusion list."""
    return False


class RecordedTable:
    """One table and its stream. Thread-safe; commands are executed one at a time.

    In an event loop use `execute_async` or `execute_batch`: `do` blocks, and must not be called
    from the loop's own thread while a command is being executed.
    """

    def __init__(
        self,
        store: Store,
        stream: str,
        table: Table,
        sequence: int,
        *,
        duty_roster: DutyRosterFollower,
        approvals: ApprovalsFollower,
        group: LinkedMetersFollower | None = None,
        snapshot_sequence: int = 0,
        is_excluded: IsExcluded = no_exclusions,
    ) -> None:
        self.store = store
        self.stream = stream
        self.table = table  # read only; commands go through `do`
        self.sequence = sequence
        self.duty_roster = duty_roster
        self.approvals = approvals
        self.group = group  # linked meters of the table, if any
        self.is_excluded = is_excluded
        self.last_id = ""  # of the last entry, once this object has applied one
        self.stopped = ""  # why the table stopped
        self._snapshot_sequence = snapshot_sequence
        self._speculative: SpeculativeTable | None = None
        self._lock = threading.Lock()
        self._queues: WeakKeyDictionary[AsyncAppender, asyncio.Lock] = WeakKeyDictionary()

    def __repr__(self) -> str:
        state = f"stopped: {self.stopped}" if self.stopped else f"entry {self.sequence}"
        return f"<RecordedTable {self.stream!r} {state}: {self.table!r}>"

    def do(
        self,
        command: Command,
        by: Account,
        at: dt.datetime | int | None = None,
        *,
        id: str = "",
        entered_by: Account | None = None,
    ) -> tuple[Event, ...]:
        """Execute a command durably and return its events; a Refusal changes nothing.

        After StoreFailed the table is stopped. Open it again and send the command under the same
        `id`: it is executed unless it is on record.
        """
        moment = now_ms() if at is None else epoch_ms(at)
        id = id or entry_codec.new_id()
        return self.execute(Envelope(id, by, moment, command, entered_by))

    def execute(self, envelope: Envelope) -> tuple[Event, ...]:
        """`do` for a complete envelope."""
        envelope = entry_codec.validate_external_envelope(envelope)

        def attempt(_: int) -> tuple[Event, ...]:
            with self._lock, self._group_lock():
                return self._attempt(envelope)

        try:
            return retry_on_conflict(attempt, self.stream, on_conflict=self._resolve)
        except RepeatedCommand:
            self.catch_up()
            return self._recorded_events(envelope)

    async def execute_async(
        self, appender: AsyncAppender, envelope: Envelope, *, expected: int | None = None
    ) -> tuple[Event, ...]:
        """`execute` without blocking the event loop; Stale if the table is not at `expected`.

        If the call is cancelled, the command may be on record nevertheless: send it again under
        its id to get its events.
        """
        envelope = entry_codec.validate_external_envelope(envelope)
        for _ in range(ATTEMPTS_MAX):
            try:
                async with self._queue(appender):
                    return await self._attempt_locked(appender, envelope, expected)
            except Conflict as conflict:
                await asyncio.to_thread(self._resolve, conflict)
            except RepeatedCommand:
                await asyncio.to_thread(self.catch_up)
                return await asyncio.to_thread(self._recorded_events, envelope)
        raise StoreFailed(
            f"{self.stream}: other writers appended first {ATTEMPTS_MAX} times in a row"
        )

    async def execute_batch(
        self, appender: AsyncAppender, next_command: NextCommand
    ) -> BatchResult:
        """Group commit: decide commands one after another and append them in one transaction.

        Returns when all of them are durable; none of their effects are visible before. A command
        that has to be executed alone ends the batch and is returned in `remaining`. If another
        writer appended first or an id is on record, the whole batch is returned there. No command
        is taken for a table with linked meters, nor during a round that began outside a batch.
        See `croupier.ledger.command_batch`.
        """
        async with self._queue(appender):
            await self._acquire(appender)
            try:
                self._check_running()
                return await self._execute_batch(appender, next_command)
            finally:
                self._lock.release()

    async def _execute_batch(
        self, appender: AsyncAppender, next_command: NextCommand
    ) -> BatchResult:
        speculative, self._speculative = self._speculative_copy(), None  # kept only on success
        if speculative is None:
            return BatchResult([], [])
        batch = speculative.decide(
            next_command, self.stream, self.duty_roster, self._snapshot_sequence
        )
        if batch.committed:
            try:
                await self._append_async(appender, batch)
            except (Conflict, RepeatedCommand):
                return batch.discard()
            for command in batch.committed:
                for event in command.events:
                    self.table.evolve(event)
            self.sequence, self.last_id = speculative.sequence, batch.entries[-1].id
            self._note_snapshots(batch.snapshots)
        self._speculative = speculative
        return BatchResult(batch.committed, batch.remaining)

    def _speculative_copy(self) -> SpeculativeTable | None:
        """The copy of the last batch if it is current, or a new one between two rounds."""
        if self._speculative is not None and self._speculative.sequence == self.sequence:
            return self._speculative
        if self.group is not None or self.table.open_round is not None:
            return None
        return SpeculativeTable(self.table, self.sequence)

    def catch_up(self) -> None:
        """Apply the entries that other writers appended."""
        with self._lock:
            self._check_running()
            self._apply_unread()

    def _resolve(self, conflict: Conflict) -> None:
        if conflict.stream == self.duty_roster.stream:
            self.duty_roster.refresh()
        self.catch_up()

    def find_recorded(self, id: str) -> entry_codec.Recorded | None:
        """The entry of a command id, if it is on record."""
        return idempotency.find_recorded(self.store, self.stream, id)

    def _recorded_events(self, envelope: Envelope) -> tuple[Event, ...]:
        return idempotency.recorded_events(self.store, self.stream, envelope)

    # One attempt, in a thread or in an event loop

    def _refuse_stale(self, envelope: Envelope, expected: int) -> None:
        """Raise Stale, or RepeatedCommand if the command is on record."""
        if self.find_recorded(envelope.id) is not None:
            raise RepeatedCommand(self.stream, envelope.id)
        raise Stale(f"the table is at entry {self.sequence}, not at {expected}")

    def _attempt(self, envelope: Envelope) -> tuple[Event, ...]:
        self._check_running()
        refresh = self.group.refresh if self.group is not None else None
        try:
            with self._tentative_readings() as readings:
                self._check_permitted(envelope)
                plan = self._decide(envelope, readings, refresh)
                stored = self._append(plan)
                readings.clear()  # recorded now: nothing to undo
        except Refusal as refusal:
            return self._handle_refusal(refusal, envelope, readings)
        self._apply(plan, stored)
        return plan.events

    async def _attempt_async(
        self, appender: AsyncAppender, envelope: Envelope
    ) -> tuple[Event, ...]:
        self._check_running()
        depends = linked_tables.depends_on_meters(self.table, self.group, envelope)
        group = self.group if depends else None
        async with group.queue(appender) if group is not None else nullcontext():
            refresh = await group.refresh_async(appender) if group is not None else None
            try:
                with self._tentative_readings() as readings:
                    if needs_permission(envelope.command):
                        await asyncio.to_thread(self._check_permitted, envelope)
                    plan = self._decide(envelope, readings, refresh)
                    stored = await self._append_async(appender, plan)
                    readings.clear()
            except Refusal as refusal:
                return await asyncio.to_thread(self._handle_refusal, refusal, envelope, readings)
            self._apply(plan, stored)
        return plan.events

    def _decide(
        self,
        envelope: Envelope,
        readings: MeterReadings,
        refresh: Callable[[], LinkedMeters] | None,
    ) -> AppendPlan:
        """Decide under the current linked meters, if the outcome depends on them.

        `refresh` returns the meters; None if the command is known not to depend on them.
        """
        if self.group is None or refresh is None:
            return self._plan(envelope, self.table.decide_checked(envelope), readings)
        unchanged: list[StreamEnd] = []
        if linked_tables.places_progressive_wager(envelope.command):
            unchanged.append((self.group.stream, self.group.require_running(refresh)))
        # Awards are verified and paid when settling is due.
        events = self.table.decide_checked(envelope) if self.table.due().kind != "settle" else None
        if events is None or linked_tables.changes_meters(events):
            try:
                meters = refresh()
            except StoreFailed as error:
                self._stop(error)
                raise
            linked_tables.read_meters(self.table, self.group, meters, envelope, readings)
            events = self.table.decide_checked(envelope)
        return self._plan(envelope, events, readings, unchanged)

    def _handle_refusal(
        self, refusal: Refusal, envelope: Envelope, readings: MeterReadings
    ) -> tuple[Event, ...]:
        """Record the refusal and raise it; a repeated command returns its events instead."""
        try:
            if self.store.command(self.stream, envelope.id) is not None:
                self._apply_unread()
                return self._recorded_events(envelope)
            reading = readings[0][0].command if readings else None
            self._record_refusal(refusal, envelope, reading)
        except StoreFailed:
            raise refusal from None
        raise refusal

    def _record_refusal(
        self, refusal: Refusal, envelope: Envelope, reading: Command | None
    ) -> None:
        """Record a refusal under the stream that refused; Conflict if it was decided stale."""
        stream, after = self.stream, self.sequence
        streams = {stream: after}
        if isinstance(refusal, RefusedElsewhere):
            stream, after = refusal.stream, refusal.after
            envelope, reading = refusal.envelope, None
            streams[stream] = after
        for name, expected in streams.items():
            tip = self.store.stream_tip(name)[0]
            if tip != expected:
                raise Conflict(name, expected, tip)
        entry_codec.record_refusal(self.store, stream, envelope, refusal.clause, after, reading)

    def _plan(
        self,
        envelope: Envelope,
        events: tuple[Event, ...],
        readings: MeterReadings,
        unchanged: Sequence[StreamEnd] = (),
    ) -> AppendPlan:
        decided = [*readings, (envelope, events)]
        entry = self.sequence + len(decided)
        moves = shared_moves(self.table, self.group, self.duty_roster, events, entry)
        snapshots = due_table_snapshots(
            self.stream, self.table, self.sequence, events, self._snapshot_sequence
        )
        return build_plan(self.stream, self.sequence, decided, moves, snapshots, unchanged)

    def _append(self, plan: AppendPlan) -> list[StoredEntry]:
        try:
            return self.store.append(plan.entries, **self._append_options(plan))
        except StoreFailed as error:
            self._stop(error)
            raise

    async def _append_async(
        self, appender: AsyncAppender, plan: AppendPlan | PendingBatch
    ) -> list[StoredEntry]:
        try:
            return await appender.append(plan.entries, **self._append_options(plan))
        except StoreFailed as error:
            self._stop(error)
            raise

    def _append_options(self, plan: AppendPlan | PendingBatch) -> dict[str, Any]:
        return {
            "index_terms": plan.index_terms,
            "snapshots": plan.snapshots,
            "reserved": len(plan.entries) > 1,
            "unchanged": plan.unchanged,
        }

    def _apply(self, plan: AppendPlan, stored: list[StoredEntry]) -> None:
        self._note_snapshots(plan.snapshots)
        evolve, count, speculative = self.table.evolve, plan.table_entries, self._speculative
        for event in plan.events:
            evolve(event)
        if speculative is not None and count == 1 and speculative.sequence == self.sequence:
            speculative.apply(plan.events)
        self.sequence += count
        self.last_id = plan.entries[count - 1].id
        for follower, appended in zip(plan.shared, stored[count:], strict=True):
            follower.apply_appended(appended)

    def _note_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        for snapshot in snapshots:
            if snapshot.stream == self.stream:
                self._snapshot_sequence = snapshot.sequence

    def _apply_unread(self) -> None:
        try:
            for stored in self.store.read(self.stream, after=self.sequence):
                aggregate_types.apply_recorded(self.table, entry_codec.decode_entry(stored))
                self.sequence, self.last_id = stored.entry.sequence, stored.entry.id
        except BaseException as error:
            self._stop(error)
            raise

    def _check_running(self) -> None:
        if self.stopped:
            raise TableStopped(f"{self.stream} has stopped: {self.stopped}; open it again")

    def _stop(self, error: BaseException) -> None:
        self.stopped = str(error) or type(error).__name__

    def _check_permitted(self, envelope: Envelope) -> None:
        """Refuse a seat or chips to an excluded player, and a live command nobody agreed to."""
        if self.table.live and find_second_person(envelope.command) is not None:
            self.approvals.refresh().check_agreed(self.table.table_id, envelope)
        player = linked_tables.admitted_player(self.table, envelope)
        try:
            if player and self.is_excluded(player):
                raise Excluded(player)
        except Refusal:
            raise
        except Exception as error:  # the list is an external system; without an answer, refuse
            raise Excluded(player, f"could not be looked up: {type(error).__name__}") from error

    # Locks

    def _group_lock(self) -> AbstractContextManager[Any]:
        return self.group.lock if self.group is not None else nullcontext()

    async def _attempt_locked(
        self, appender: AsyncAppender, envelope: Envelope, expected: int | None
    ) -> tuple[Event, ...]:
        await self._acquire(appender)
        try:
            if expected is not None and expected != self.sequence:
                await asyncio.to_thread(self._refuse_stale, envelope, expected)
            return await self._attempt_async(appender, envelope)
        finally:
            self._lock.release()

    async def _acquire(self, appender: AsyncAppender) -> None:
        """Take the lock without blocking the loop: poll while a thread holds it."""
        while not self._lock.acquire(blocking=False):
            await asyncio.sleep(POLL_SECONDS)

    def _queue(self, appender: AsyncAppender) -> asyncio.Lock:
        """Held by one task of an event loop at a time."""
        return self._queues.get(appender) or self._queues.setdefault(appender, asyncio.Lock())

    def _tentative_readings(self) -> AbstractContextManager[MeterReadings]:
        return tentative_readings(self.table) if self.group is not None else nullcontext([])
