"""A table whose every step is on the disk before it is true.

`do` decides, appends, and only then evolves. If the append fails the table stops: what nobody
recorded did not happen. An id that is in the record already changes nothing: the same command is
answered with what it led to, another one is an error. What is refused is noted too, apart.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import entry_codec as ent
from croupier.ledger import linked_tables
from croupier.ledger.aggregates import aggregate_types
from croupier.ledger.aggregates.linked_meters import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meters_meters import Meters
from croupier.ledger.aggregates.shared import DutyRosterFollower
from croupier.ledger.append_plan import AppendPlan, moves, prepare, snapshots_at
from croupier.ledger.command_batch import BatchResult, Following, PendingBatch, SpeculativeTable
from croupier.ledger.errors import (
    Conflict,
    Excluded,
    IdTaken,
    LedgerError,
    RefusedElsewhere,
    RepeatedCommand,
    StoreFailed,
    TableStopped,
)
from croupier.ledger.linked_tables import Reads, tentatively
from croupier.ledger.log import Fence, Snapshot, Store, Stored
from croupier.table import Account, Command, Envelope, Event, Table, epoch_ms

if TYPE_CHECKING:
    from croupier.ledger.log.write.async_append import AsyncAppender, Queue

ATTEMPTS = 100  # times to decide anew when others write first
IN_LINE_AFTER = 3  # attempts that were lost before waiting for one's turn
POLL_SECONDS = 0.001  # between looks at a lock that a thread holds

# Whether somebody must be turned away: a list of the property's own, which is on no record.
IsExcluded: TypeAlias = Callable[[str], bool]


def nobody_is(player: str) -> bool:
    """A property without a list."""
    return False


class RecordedTable:
    """One table with its record. Safe to call from several threads, one command at a time.

    In an event loop it is driven by `execute_async`; `do` would block the loop, and must not be
    called from the loop's own thread while a command is on its way.
    """

    def __init__(
        self,
        store: Store,
        stream: str,
        table: Table,
        sequence: int,
        *,
        people: DutyRosterFollower,
        group: LinkedMetersFollower | None = None,
        frozen_at: int = 0,
        excluded: IsExcluded = nobody_is,
    ) -> None:
        self.store = store
        self.stream = stream
        self.table = table  # to look at; commands go through `do`
        self.sequence = sequence
        self.people = people
        self.group = group
        self.excluded = excluded
        self.stopped = ""
        self.fence: Fence | None = None  # what must hold in the database for this process to write
        self._frozen_at = frozen_at
        self._ahead: SpeculativeTable | None = (
            None  # where commands are decided that become durable together
        )
        self._lock = threading.Lock()
        self._queues: WeakKeyDictionary[AsyncAppender, Queue] = WeakKeyDictionary()

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
        """Carry out a command durably and return its events; a refusal changes nothing.

        StoreFailed means that the table stopped: open it again to learn whether the command,
        under the same id, is in the record.
        """
        moment = now_ms() if at is None else epoch_ms(at)
        return self.execute(Envelope(id or ent.new_id(), by, moment, command, entered_by))

    def execute(self, envelope: Envelope) -> tuple[Event, ...]:
        """The same for a whole envelope; it is decided anew whenever others wrote first."""
        given = ent.accepted(envelope)
        contested = self.group.stream if self.group is not None else self.stream
        for attempt in range(ATTEMPTS):
            waits = attempt >= IN_LINE_AFTER
            in_line = self.store.turn(contested) if waits else nullcontext()
            try:
                with in_line, self._lock, self._group_lock():
                    return self._attempt(given)
            except Conflict as lost:
                contested = lost.stream if lost.stream != self.stream else contested
                self._read_what_others_wrote(lost)
            except RepeatedCommand:
                self.catch_up()
                return self.answered(given)
        raise StoreFailed(f"{self.stream}: others wrote first {ATTEMPTS} times in a row")

    async def execute_async(self, waiting: AsyncAppender, envelope: Envelope) -> tuple[Event, ...]:
        """The same in an event loop, which goes on with others until the command is durable.

        If the waiting is cancelled the command may be in the record all the same: send it again
        under its id to learn what became of it.
        """
        given = ent.accepted(envelope)
        for _ in range(IN_LINE_AFTER):
            try:
                async with self._queue(waiting):  # the tasks of this loop, in turn
                    return await self._alone_in(waiting, given)
            except Conflict as lost:
                await waiting.aside(self._read_what_others_wrote, lost)
            except RepeatedCommand:
                await waiting.aside(self.catch_up)
                return await waiting.aside(self.answered, given)
        return await waiting.aside(self.execute, given)  # in line, behind other processes

    async def execute_batch(self, waiting: AsyncAppender, following: Following) -> BatchResult:
        """Decide whatever follows, one after the other, and return when all of it is durable.

        Nobody sees anything of it before. What has to be decided by itself is left, and nothing
        behind it is asked for; where others wrote first, or an id is on record already, all of it
        is left. Of a table with shared meters, and in a round that was begun without being ahead
        of it, nothing is asked for.
        """
        async with self._queue(waiting):
            await self._acquire_in(waiting)
            try:
                self._check_running()
                return await self._together_in(waiting, following)
            finally:
                self._lock.release()

    async def _together_in(self, waiting: AsyncAppender, following: Following) -> BatchResult:
        ahead, self._ahead = self._found_ahead(), None  # unless everything goes well
        if ahead is None:
            return BatchResult([], [])
        decided = ahead.decide(following, self.stream, self.people, self._frozen_at)
        if decided.carried:
            try:
                await self._append_in(waiting, decided)
            except (Conflict, RepeatedCommand):
                return decided.undone()
            for one in decided.carried:
                for event in one.events:
                    self.table.evolve(event)
            self.sequence = ahead.sequence
            self._note_frozen(decided.snapshots)
        self._ahead = ahead
        return BatchResult(decided.carried, decided.left)

    def _found_ahead(self) -> SpeculativeTable | None:
        """Where to decide: what is ahead by nothing now; it is made between two rounds."""
        if self._ahead is not None and self._ahead.sequence == self.sequence:
            return self._ahead
        if self.group is not None or self.table.open_round is not None:
            return None
        return SpeculativeTable(self.table, self.sequence)

    def unread(self) -> list[Stored]:
        """What others appended to this table and `catch_up` has yet to take over."""
        return list(self.store.read(self.stream, after=self.sequence))

    def catch_up(self, found: Iterable[Stored] | None = None) -> None:
        """Read what others appended to this table."""
        with self._lock:
            self._check_running()
            self._read_on(found)

    def _read_what_others_wrote(self, lost: Conflict) -> None:
        if lost.stream == self.people.stream:
            self.people.refresh()
        self.catch_up()

    def recorded(self, id: str) -> ent.Recorded | None:
        """The entry of a command, if it is in the record."""
        found = self.store.command(self.stream, id)
        return None if found is None else ent.read(found)

    def answered(self, envelope: Envelope) -> tuple[Event, ...]:
        """What a command led to when it was carried out; IdTaken if its id is another's."""
        found = self.recorded(envelope.id)
        assert found is not None, f"{self.stream}: {envelope.id} is said to be in the record"
        if not ent.same_command(envelope, found.envelope):
            raise IdTaken(self.stream, envelope.id)
        return found.events

    # One attempt, waited for by a thread or by a loop

    def _attempt(self, given: Envelope) -> tuple[Event, ...]:
        self._check_running()
        refresh = self.group.refresh if self.group is not None else None
        try:
            with self._tentatively() as reads:
                self._check_admitted(given)
                prepared = self._decided(given, reads, refresh)
                stored = self._append(prepared)
                reads.clear()  # now recorded: nothing to undo
        except Refusal as refusal:
            return self._despite(refusal, given, reads)
        self._take_over(prepared, stored)
        return prepared.events

    async def _attempt_in(self, waiting: AsyncAppender, given: Envelope) -> tuple[Event, ...]:
        self._check_running()
        group = self.group if linked_tables.looks_at_meters(self.table, self.group, given) else None
        async with group.queue(waiting) if group is not None else nullcontext():
            refresh = await group.refreshed(waiting) if group is not None else None
            try:
                with self._tentatively() as reads:
                    if linked_tables.asks_to_play(given.command):
                        await waiting.aside(self._check_admitted, given)
                    prepared = self._decided(given, reads, refresh)
                    stored = await self._append_in(waiting, prepared)
                    reads.clear()
            except Refusal as refusal:
                return await waiting.aside(self._despite, refusal, given, reads)
            self._take_over(prepared, stored)
        return prepared.events

    def _decided(
        self, given: Envelope, reads: Reads, refresh: Callable[[], Meters] | None
    ) -> AppendPlan:
        """Decide, under the shared meters of this moment where the answer depends on them.

        `refresh` gives those meters; None where the command is known not to look at any.
        """
        if self.group is None or refresh is None:
            return self._prepare(given, self.table.decide_checked(given), reads)
        if linked_tables.wagers_progressive(given.command):
            self.group.reach(refresh)  # refused when out of reach, never kept for later
        # Awards are verified and paid when settling is due.
        events = self.table.decide_checked(given) if self.table.due().kind != "settle" else None
        if events is None or linked_tables.touches(events):
            try:
                shared = refresh()
            except StoreFailed as error:
                self._stop(error)
                raise
            linked_tables.read_meters(self.table, self.group, shared, given, reads)
            events = self.table.decide_checked(given)
        return self._prepare(given, events, reads)

    def _despite(self, refusal: Refusal, given: Envelope, reads: Reads) -> tuple[Event, ...]:
        """It may be refused because it was carried out already, or on a view that is behind."""
        try:
            if self.store.command(self.stream, given.id) is not None:
                self._read_on()
                return self.answered(given)
            read = reads[0][0].command if reads else None
            self._note_refusal(self.stream, self.sequence, refusal, given, read)
        except StoreFailed:
            raise refusal from None
        raise refusal

    def _note_refusal(
        self, stream: str, after: int, refusal: Refusal, given: Envelope, read: Command | None
    ) -> None:
        """In the stream that refused, if it stands where it was looked at; Conflict if not."""
        streams = {stream: after}
        if isinstance(refusal, RefusedElsewhere):
            stream, after, given, read = refusal.stream, refusal.after, refusal.envelope, None
            streams[stream] = after
        for each, seen in streams.items():
            found = self.store.tip(each)[0]
            if found != seen:
                raise Conflict(each, seen, found)
        value = ent.refused_value(given, refusal.clause, after, read)
        with suppress(LedgerError):  # nobody is kept from hearing why by a note
            self.store.note(ent.REFUSED + stream, given.at, value)

    def _prepare(self, given: Envelope, events: tuple[Event, ...], reads: Reads) -> AppendPlan:
        decided = [*reads, (given, events)]
        entry = self.sequence + len(decided)
        moved = moves(self.table, self.group, self.people, events, entry)
        taken = snapshots_at(self.stream, self.table, self.sequence, events, self._frozen_at)
        return prepare(self.stream, self.sequence, decided, moved, taken)

    def _append(self, prepared: AppendPlan) -> list[Stored]:
        try:
            return self.store.append(prepared.entries, **self._beside(prepared))
        except StoreFailed as error:
            self._stop(error)
            raise

    async def _append_in(
        self, waiting: AsyncAppender, prepared: AppendPlan | PendingBatch
    ) -> list[Stored]:
        try:
            return await waiting.append(prepared.entries, **self._beside(prepared))
        except StoreFailed as error:
            self._stop(error)
            raise

    def _beside(self, prepared: AppendPlan | PendingBatch) -> dict[str, Any]:
        return {
            "marks": prepared.marks,
            "snapshots": prepared.snapshots,
            "reserved": len(prepared.entries) > 1,
            "fence": self.fence,
        }

    def _take_over(self, prepared: AppendPlan, stored: list[Stored]) -> None:
        self._note_frozen(prepared.snapshots)
        evolve, own, ahead = self.table.evolve, prepared.own, self._ahead
        for event in prepared.events:
            evolve(event)
        if ahead is not None and own == 1 and ahead.sequence == self.sequence:
            ahead.follow(prepared.events)
        self.sequence += own
        for shared, behind in zip(prepared.others, stored[own:], strict=True):
            shared.take_over(behind)

    def _note_frozen(self, snapshots: Iterable[Snapshot]) -> None:
        for taken in snapshots:
            if taken.stream == self.stream:
                self._frozen_at = taken.sequence

    def _read_on(self, found: Iterable[Stored] | None = None) -> None:
        try:
            for stored in self.unread() if found is None else found:
                aggregate_types.follow(self.table, ent.read(stored))
                self.sequence = stored.entry.sequence
        except BaseException as error:
            self._stop(error)
            raise

    def _check_running(self) -> None:
        if self.stopped:
            raise TableStopped(f"{self.stream} has stopped: {self.stopped}; open it again")

    def _stop(self, error: BaseException) -> None:
        self.stopped = str(error) or type(error).__name__

    # Who may come

    def _check_admitted(self, given: Envelope) -> None:
        """Refuse a seat or chips to somebody whom the property must turn away."""
        player = linked_tables.who_would_play(self.table, given)
        try:
            if player and self.excluded(player):
                raise Excluded(player)
        except Refusal:
            raise
        except Exception as error:  # somebody else's list: without an answer nobody sits down
            raise Excluded(player, f"could not be looked up: {type(error).__name__}") from error

    # Whose turn it is

    def _group_lock(self) -> AbstractContextManager[Any]:
        return self.group.lock if self.group is not None else nullcontext()

    async def _alone_in(self, waiting: AsyncAppender, given: Envelope) -> tuple[Event, ...]:
        """An attempt while no thread has the table; whether one has is looked at now and then."""
        await self._acquire_in(waiting)
        try:
            return await self._attempt_in(waiting, given)
        finally:
            self._lock.release()

    async def _acquire_in(self, waiting: AsyncAppender) -> None:
        while not self._lock.acquire(blocking=False):
            await waiting.pause(POLL_SECONDS)

    def _queue(self, waiting: AsyncAppender) -> Queue:
        return self._queues.get(waiting) or self._queues.setdefault(waiting, waiting.queue())

    def _tentatively(self) -> AbstractContextManager[Reads]:
        """Only a table that shares meters reads any."""
        return tentatively(self.table) if self.group is not None else nullcontext([])
