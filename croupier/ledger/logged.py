"""A table whose every step is on the disk before it is true.

`do` decides, appends, and only then evolves. If the append fails the table stops: what nobody
recorded did not happen. A command id that is in the record already changes nothing and is
answered with what it led to the first time.
"""

from __future__ import annotations

import datetime as dt
import random
import threading
import time as clock
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from typing import Any

from croupier.errors import Refusal
from croupier.games import House
from croupier.ledger import codec, faults
from croupier.ledger import events as lev
from croupier.ledger.accounts import Book
from croupier.ledger.chain import Row, stamp
from croupier.ledger.errors import Conflict, RepeatedCommand, StoreFailed, TableStopped
from croupier.ledger.fold import Fold, Machine
from croupier.ledger.groups import Group, touches
from croupier.ledger.store import Store
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.life.live import LiveTable
from croupier.table.life.people import SYSTEM, Person
from croupier.table.round import Due, Round
from croupier.table.table import Table

SNAPSHOT_EVERY = 2_000  # events between snapshots: opening replays no more than about that
ATTEMPTS = 100  # times to decide anew when others write first

Decide = Callable[[], list[Event]]


class LoggedTable:
    """One table with its record. Safe to call from several threads, one command at a time."""

    def __init__(
        self,
        store: Store,
        stream: str,
        fold: Fold,
        tip: tuple[int, str],
        *,
        group: Group | None,
        frozen_at: int,
    ) -> None:
        self.store = store
        self.stream = stream
        self.fold = fold
        self.tip = tip
        self.group = group
        self.stopped = ""
        self._frozen_at = frozen_at
        self._lock = threading.RLock()

    # What it shows

    @property
    def machine(self) -> Machine:
        """The table itself; look, but send commands to `do`."""
        return self.fold.machine

    @property
    def table(self) -> Table:
        """The round engine inside."""
        return self.fold.table

    @property
    def house(self) -> House:
        """The House as it is played now."""
        return self.table.house

    @property
    def round(self) -> Round | None:
        """The last round, open or closed."""
        return self.table.round

    @property
    def meters(self) -> dict[str, Fraction]:
        """The meters as this table last saw them."""
        return self.table.meters

    @property
    def book(self) -> Book:
        """The accounts."""
        return self.fold.book

    def due(self) -> Due:
        """What must happen next in the round."""
        return self.table.due()

    # What it does

    def do(
        self,
        command: cmd.Command,
        *,
        command_id: str = "",
        by: Person | str = "",
        at: dt.datetime | None = None,
    ) -> list[Event]:
        """Carry out a command durably and return its events; a refusal changes nothing.

        StoreFailed means that the table stopped: open it again to learn whether the command,
        under the same id, is in the record.
        """
        at = at or dt.datetime.now(dt.UTC)
        actor = by or SYSTEM

        def decide() -> list[Event]:
            return self._decide(command, actor, at)

        return self.carry_out(decide, command=command, command_id=command_id, by=actor, at=at)

    def carry_out(
        self,
        decide: Decide,
        *,
        command: cmd.Command | None = None,
        command_id: str = "",
        by: Person | str,
        at: dt.datetime,
    ) -> list[Event]:
        """Append what `decide` answers; it is asked anew whenever others wrote first."""
        command_id = command_id or uuid.uuid4().hex
        for attempt in range(ATTEMPTS):
            if attempt:
                clock.sleep(random.uniform(0, 0.002 * min(attempt, 10)))
            try:
                with self._lock, self._group_lock():
                    self._check_running()
                    return self._attempt(decide, command, command_id, str(by), at)
            except Conflict:
                self.catch_up()
            except RepeatedCommand:
                self.catch_up()
                return self.recorded(command_id)
        raise StoreFailed(f"{self.stream}: others wrote first {ATTEMPTS} times in a row")

    def catch_up(self) -> None:
        """Read what others appended to this table."""
        with self._lock:
            self._check_running()
            try:
                for row in self.store.read(self.stream, after=self.tip[0]):
                    self.fold.apply(codec.decode_next(row, self.tip))
                    self.tip = (row.sequence, row.hash)
            except BaseException as error:
                self._stop(error)
                raise

    def recorded(self, command_id: str) -> list[Event]:
        """The events that a command led to, none if it is not in the record."""
        return [codec.decode(row) for row in self.store.command(self.stream, command_id)]

    # How

    def _attempt(
        self,
        decide: Decide,
        command: cmd.Command | None,
        command_id: str,
        actor: str,
        at: dt.datetime,
    ) -> list[Event]:
        with self._tentative_meters() as read:
            try:
                self._check_meters_reached(command)
                events = self._under_shared_meters(decide, read)
            except Refusal as refusal:
                if done := self._settle_refusal(refusal, command_id):
                    return done
                raise
            if not events:
                return []
            rows, shared = self._rows(events, command_id, actor, stamp(at))
            # What is true is what was written: a table read back must not differ in anything,
            # not even in the order of a mapping.
            events = [codec.decode(row) for row in rows]
            book = self.book.copy()
            for event in events:
                book.post(event)
            self._append(rows, shared, events)
            faults.point()
            read.clear()  # now recorded: nothing to undo
        for event in events:
            self.fold.step(event)
        self.fold.book = book
        self.tip = (rows[-1].sequence, rows[-1].hash)
        faults.point()
        return events

    def _settle_refusal(self, refusal: Refusal, command_id: str) -> list[Event]:
        """It may be refused because it was carried out already, or on a view that is behind."""
        try:
            done = self.recorded(command_id)
            behind = self.store.tip(self.stream) != self.tip
        except StoreFailed:
            raise refusal from None
        if done:
            self.catch_up()
        elif behind:
            raise Conflict(self.stream, self.tip[0], -1) from None
        return done

    def _decide(self, command: cmd.Command, by: Person | str, at: dt.datetime) -> list[Event]:
        machine = self.machine
        if isinstance(machine, LiveTable):
            assert isinstance(by, Person), f"a live table is told who acts, got {by!r}"
            return machine.decide(command, by, at)
        return machine.decide(command)

    def _rows(
        self, events: list[Event], command_id: str, actor: str, time: str
    ) -> tuple[list[Row], list[Row]]:
        rows = codec.rows(
            self.stream, self.tip, events, time=time, actor=actor, command_id=command_id
        )
        if self.group is None:
            return rows, []
        number = self.table.rounds_played
        self._moved = self.group.consequences(self.stream, number, events)
        key = f"{self.stream}:{command_id}"
        shared = self.group.rows(self._moved, time=time, actor=actor, command_id=key)
        return rows, shared

    def _append(self, rows: list[Row], shared: list[Row], events: list[Event]) -> None:
        snapshots = []
        opens = any(isinstance(event, ev.RoundOpened) for event in events)
        if opens and self.tip[0] - self._frozen_at >= SNAPSHOT_EVERY:
            snapshots.append((self.stream, *self.tip, self.fold.freeze()))
        try:
            self.store.append(rows + shared, snapshots=snapshots)
        except StoreFailed as error:
            self._stop(error)
            raise
        if snapshots:
            self._frozen_at = self.tip[0]
        if self.group is not None:
            self.group.advance(shared, self._moved)

    def _check_running(self) -> None:
        if self.stopped:
            raise TableStopped(f"{self.stream} has stopped: {self.stopped}; open it again")

    def _stop(self, error: BaseException) -> None:
        self.stopped = str(error) or type(error).__name__

    # Shared meters

    def _group_lock(self) -> Any:
        return self.group.lock if self.group is not None else nullcontext()

    def _check_meters_reached(self, command: cmd.Command | None) -> None:
        """A wager on meters that cannot be reached is refused, never kept for later."""
        if self.group is None or not isinstance(command, cmd.PlaceWagers):
            return
        if command.wagers.get("progressive"):
            self.group.reach()

    def _under_shared_meters(self, decide: Decide, read: list[Event]) -> list[Event]:
        """Decide, under the shared meters of this moment where the answer depends on them."""
        if self.group is None:
            return decide()
        if self.due().kind != "settle":  # awards are verified and paid when settling is due
            events = decide()
            if not touches(events):
                return events
        self._read_meters(self.group, read)
        return [*read, *decide()]

    def _read_meters(self, group: Group, read: list[Event]) -> None:
        try:
            shared = group.refresh()
        except StoreFailed as error:
            self._stop(error)
            raise
        if shared.values != self.table.meters:
            meters = shared.shown()
            read.append(lev.MetersRead(group=group.name, position=group.tip[0], meters=meters))
            self.fold.set_meters(shared.values)

    @contextmanager
    def _tentative_meters(self) -> Iterator[list[Event]]:
        """Meters may be set to decide under them; unless that is recorded, they are set back."""
        read: list[Event] = []
        before = dict(self.table.meters)
        try:
            yield read
        finally:
            if read:
                self.fold.set_meters(before)
