"""A table whose every step is on the disk before it is true.

`do` decides, appends, and only then evolves. If the append fails the table stops: what nobody
recorded did not happen. An id that is in the record already changes nothing: the same command is
answered with what it led to, another one is an error. What is refused is noted too, apart.
"""

from __future__ import annotations

import datetime as dt
import threading
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import msgspec

from croupier.errors import BadInput, Refusal
from croupier.ledger import entries as ent
from croupier.ledger.errors import Conflict, IdTaken, RepeatedCommand, StoreFailed, TableStopped
from croupier.ledger.group import Group
from croupier.ledger.log import Entry, Mark, Snapshot, Store, Stored, derived_id
from croupier.ledger.log.text import RESERVED, now
from croupier.ledger.meters import MoveMeters, moves_of
from croupier.table import Account, Command, Envelope, Event, Table, milliseconds
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.record import checked
from croupier.table.snapshots import SCHEMA

SNAPSHOT_EVERY = 500  # entries between snapshots: opening replays no more than about that
ATTEMPTS = 100  # times to decide anew when others write first
IN_LINE_AFTER = 3  # attempts that were lost before waiting for one's turn

READER = Account("meters", "system")  # who reads shared meters for a table


class Prepared(msgspec.Struct, frozen=True):
    """A decided command on its way into the record."""

    envelope: Envelope
    events: tuple[Event, ...]
    entries: list[Entry]
    marks: list[Mark]
    snapshots: list[Snapshot]
    first: int  # how many of the entries are this table's own


class RecordedTable:
    """One table with its record. Safe to call from several threads, one command at a time."""

    def __init__(
        self,
        store: Store,
        stream: str,
        table: Table,
        sequence: int,
        *,
        group: Group | None = None,
        frozen_at: int = 0,
    ) -> None:
        self.store = store
        self.stream = stream
        self.table = table  # to look at; commands go through `do`
        self.sequence = sequence
        self.group = group
        self.stopped = ""
        self._frozen_at = frozen_at
        self._lock = threading.RLock()

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
    ) -> tuple[Event, ...]:
        """Carry out a command durably and return its events; a refusal changes nothing.

        StoreFailed means that the table stopped: open it again to learn whether the command,
        under the same id, is in the record.
        """
        moment = now() if at is None else milliseconds(at)
        return self.carry_out(Envelope(id or uuid.uuid4().hex, by, moment, command))

    def carry_out(self, envelope: Envelope) -> tuple[Event, ...]:
        """The same for a whole envelope; it is decided anew whenever others wrote first."""
        given = accepted(envelope)
        for attempt in range(ATTEMPTS):
            in_line = self._turn() if attempt >= IN_LINE_AFTER else nullcontext()
            try:
                with in_line, self._lock, self._group_lock():
                    self._check_running()
                    return self._attempt(given)
            except Conflict:
                self.catch_up()
            except RepeatedCommand:
                self.catch_up()
                return self.answered(given)
            except Refusal as refusal:
                self.store.note(self._refused, given.at, ent.refused_value(given, refusal))
                raise
        raise StoreFailed(f"{self.stream}: others wrote first {ATTEMPTS} times in a row")

    def catch_up(self) -> None:
        """Read what others appended to this table."""
        with self._lock:
            self._check_running()
            try:
                for stored in self.store.read(self.stream, after=self.sequence):
                    for event in ent.read(stored).events:
                        self.table.evolve(event)
                    self.sequence = stored.entry.sequence
            except BaseException as error:
                self._stop(error)
                raise

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

    # How

    def _attempt(self, given: Envelope) -> tuple[Event, ...]:
        with self._tentative() as read:
            try:
                self._check_meters_reached(given.command)
                events = self._under_shared_meters(given, read)
            except Refusal as refusal:
                return self._settle_refusal(refusal, given)
            prepared = self._prepare(given, events, read)
            stored = self._append(prepared)
            read.clear()  # now recorded: nothing to undo
        self._take_over(prepared, stored)
        return prepared.events

    def _settle_refusal(self, refusal: Refusal, given: Envelope) -> tuple[Event, ...]:
        """It may be refused because it was carried out already, or on a view that is behind."""
        try:
            if self.store.command(self.stream, given.id) is not None:
                self.catch_up()
                return self.answered(given)
            behind = self.store.tip(self.stream)[0] != self.sequence
        except StoreFailed:
            raise refusal from None
        if behind:
            raise Conflict(self.stream, self.sequence, -1) from None
        raise refusal

    def _prepare(
        self, given: Envelope, events: tuple[Event, ...], read: list[ent.Recorded]
    ) -> Prepared:
        own = [*((each.envelope, each.events) for each in read), (given, events)]
        found: list[Entry] = []
        marks: list[Mark] = []
        for sequence, (envelope, led_to) in enumerate(own, start=self.sequence + 1):
            body = ent.body_of(envelope, led_to)
            found.append(Entry(self.stream, sequence, envelope.id, envelope.at, body))
            marks += ent.marks(self.stream, sequence, led_to)
        if self.group is not None:
            moves = moves_of(self.table, events)
            if moves:
                moved = MoveMeters(
                    table=self.table.table_id,
                    entry=self.sequence + len(own),
                    round=self.table.rounds_played,
                    moves=moves,
                )
                id = derived_id(self.stream, given.id)
                found.append(self.group.prepare(Envelope(id, given.by, given.at, moved)))
        return Prepared(given, events, found, marks, self._snapshots(events), len(own))

    def _snapshots(self, events: tuple[Event, ...]) -> list[Snapshot]:
        opens = any(isinstance(event, ev.RoundOpened) for event in events)
        if not opens or self.sequence - self._frozen_at < SNAPSHOT_EVERY:
            return []
        return [Snapshot(self.stream, self.sequence, SCHEMA, self.table.freeze())]

    def _append(self, prepared: Prepared) -> list[Stored]:
        try:
            return self.store.append(
                prepared.entries,
                marks=prepared.marks,
                snapshots=prepared.snapshots,
                reserved=len(prepared.entries) > 1,
            )
        except StoreFailed as error:
            self._stop(error)
            raise

    def _take_over(self, prepared: Prepared, stored: list[Stored]) -> None:
        if prepared.snapshots:
            self._frozen_at = self.sequence
        for event in prepared.events:
            self.table.evolve(event)
        self.sequence += prepared.first
        if self.group is not None and len(stored) > prepared.first:
            self.group.take_over(stored[-1])

    def _check_running(self) -> None:
        if self.stopped:
            raise TableStopped(f"{self.stream} has stopped: {self.stopped}; open it again")

    def _stop(self, error: BaseException) -> None:
        self.stopped = str(error) or type(error).__name__

    @property
    def _refused(self) -> str:
        return ent.REFUSED + self.stream.removeprefix(ent.TABLE)

    # Shared meters

    def _group_lock(self) -> AbstractContextManager[Any]:
        return self.group.lock if self.group is not None else nullcontext()

    def _turn(self) -> AbstractContextManager[None]:
        contested = self.group.stream if self.group is not None else self.stream
        return self.store.turn(contested)

    def _check_meters_reached(self, command: Command) -> None:
        """A wager on meters that cannot be reached is refused, never kept for later."""
        if self.group is None or not isinstance(command, cmd.PlaceWagers):
            return
        if command.wagers.get("progressive"):
            self.group.reach()

    def _under_shared_meters(self, given: Envelope, read: list[ent.Recorded]) -> tuple[Event, ...]:
        """Decide, under the shared meters of this moment where the answer depends on them."""
        if self.group is None:
            return self.table.decide(given)
        if self.table.due().kind != "settle":  # awards are verified and paid when settling is due
            events = self.table.decide(given)
            if not touches(events):
                return events
        self._read_meters(self.group, given, read)
        return self.table.decide(given)

    def _read_meters(self, group: Group, given: Envelope, read: list[ent.Recorded]) -> None:
        try:
            shared = group.refresh()
        except StoreFailed as error:
            self._stop(error)
            raise
        if shared.values == self.table.meters:
            return
        command = cmd.ReadMeters(group=group.name, position=group.sequence, meters=shared.shown())
        envelope = Envelope(derived_id(group.stream, given.id), READER, given.at, command)
        events = self.table.decide(envelope)
        read.append(ent.Recorded(self.stream, 0, 0, envelope, events, b""))
        for event in events:
            self.table.evolve(event)

    @contextmanager
    def _tentative(self) -> Iterator[list[ent.Recorded]]:
        """Meters may be read to decide under them; unless that is recorded, it is undone."""
        read: list[ent.Recorded] = []
        table, current = self.table, self.table.open_round
        before = (dict(table.meters), table.meters_position, table.clock)
        held = dict(current.meters_before) if current is not None else {}
        try:
            yield read
        finally:
            if read:
                table.meters, table.meters_position, table.clock = before
                if current is not None:
                    current.meters_before = held


def touches(events: tuple[Event, ...]) -> bool:
    """Whether a table's events move meters, or state their values."""
    return any(
        isinstance(event, ev.MeterPaid | ev.RoundVoided)
        or (isinstance(event, ev.ProgressiveLocked | ev.PlayerSatOut) and event.contributions)
        for event in events
    )


def accepted(envelope: Envelope) -> Envelope:
    """The envelope, if its form and its id are those that somebody may send."""
    given = checked(envelope)
    if not given.id or given.id.startswith(RESERVED) or given.id != given.id.strip():
        raise BadInput(f"{given.id!r} is not an id that a command may have")
    return given
