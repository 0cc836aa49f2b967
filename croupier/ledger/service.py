"""The ledger: one database of tables, shared meters and days."""

from __future__ import annotations

import datetime as dt
import threading
import uuid
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from sqlalchemy.engine import URL

from croupier.games import House
from croupier.ledger import codec, groups, houses
from croupier.ledger import events as lev
from croupier.ledger.chain import GENESIS, stamp
from croupier.ledger.errors import Conflict, LedgerError, NotFound, RepeatedCommand
from croupier.ledger.fold import Fold
from croupier.ledger.groups import Group
from croupier.ledger.logged import LoggedTable
from croupier.ledger.store import Store
from croupier.money import meter_text
from croupier.table.events import Event
from croupier.table.life.people import SYSTEM, Person

TABLE = "table:"
LEDGER = "ledger"


def stream_of(table_id: str) -> str:
    """The stream of a table."""
    return TABLE + table_id


class Ledger:
    """A database opened for tables; use it as a context, or close it."""

    def __init__(
        self,
        url: str | Path | URL,
        *,
        purpose: lev.Purpose = "live",
        lock_timeout_ms: int = 5_000,
        create: bool = True,
    ) -> None:
        """Open a ledger; with `create=False` one that does not exist is refused."""
        self.store = Store(url, lock_timeout_ms=lock_timeout_ms, create=create)
        self._houses: dict[str, House] = {}
        self._groups: dict[str, Group] = {}
        self._lock = threading.Lock()
        try:
            self.purpose = self._found(purpose)
        except BaseException:
            self.store.close()
            raise

    def close(self) -> None:
        """Finish queued appends and let the database go."""
        self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _found(self, purpose: lev.Purpose) -> lev.Purpose:
        """The purpose of this database, stated once by its first event."""
        for _ in range(2):
            first = next(self.store.read(LEDGER, until=1), None)
            if first is not None:
                known = codec.decode(first)
                assert isinstance(known, lev.LedgerFounded)
                return known.purpose
            try:
                founded = lev.LedgerFounded(purpose=purpose)
                self.append(LEDGER, [founded], after=(0, GENESIS), command_id="found")
            except (Conflict, RepeatedCommand):
                continue  # another process founded it in the meantime
        return purpose

    # Houses

    def house(self, digest: str) -> House:
        """The House that rounds under this digest are played by."""
        with self._lock:
            found = self._houses.get(digest)
        if found is None:
            text = self.store.house(digest)
            if text is None:
                raise NotFound(f"no House {digest[:12]} is on record")
            found = houses.read(digest, text)
            with self._lock:
                self._houses[digest] = found
        return found

    def add_house(self, house: House) -> None:
        """Put a House on record, so that every round can be explained under it."""
        # Played is the House as it is read back, so that every process has the very same one.
        self.store.add_house(house.digest, houses.write(house))

    # Tables

    def tables(self) -> list[str]:
        """The ids of the tables on record."""
        return [stream[len(TABLE) :] for stream in self.store.streams(TABLE)]

    def open_table(
        self,
        table_id: str,
        house: House | None = None,
        *,
        life: bool = False,
        group: str = "",
        meters: dict[str, Fraction] | None = None,
        by: Person | str = SYSTEM,
        at: dt.datetime | None = None,
    ) -> LoggedTable:
        """The table as the record has it, or a new one under this House.

        `life` makes a new one a LiveTable; `group` links its meters; `meters` are the values a
        new table starts with. A House other than the one on record binds the table anew.
        """
        stream = stream_of(table_id)
        if self.store.tip(stream)[0] == 0:
            if house is None:
                raise NotFound(f"no table {table_id!r} is on record; name the House to open it")
            self._bind_first(table_id, house, life=life, group=group, meters=meters, by=by, at=at)
        table = self._recover(stream)
        if house is not None and table.fold.bound and house.digest != table.fold.bound.house:
            self._bind_again(table, house, by=by, at=at)
        return table

    def _recover(self, stream: str) -> LoggedTable:
        """Snapshot and tail: the tail's chain is checked, the snapshot itself by `verify`."""
        kept = self.store.latest_snapshot(stream)
        if kept is None:
            fold, tip = Fold(self.house), (0, GENESIS)
        else:
            fold, tip = Fold.thaw(kept[2], self.house), (kept[0], kept[1])
        frozen_at = tip[0]
        for row in self.store.read(stream, after=tip[0]):
            fold.apply(codec.decode_next(row, tip))
            tip = (row.sequence, row.hash)
        group = self.group(fold.group) if fold.group else None
        return LoggedTable(self.store, stream, fold, tip, group=group, frozen_at=frozen_at)

    def _bind_first(
        self,
        table_id: str,
        house: House,
        *,
        life: bool,
        group: str,
        meters: dict[str, Fraction] | None,
        by: Person | str,
        at: dt.datetime | None,
    ) -> None:
        self.add_house(house)
        if group:
            values = self.link(group, table_id, house, by=by, at=at).values
        else:
            values = {name: Fraction(meter.initial) for name, meter in house.meters.items()}
            values |= meters or {}
        bound = lev.TableBound(
            table=table_id,
            house=house.digest,
            variety="life" if life else "rounds",
            live=self.purpose == "live",
            group=group,
            meters={name: meter_text(value) for name, value in values.items()},
        )
        try:
            stream, start = stream_of(table_id), (0, GENESIS)
            self.append(stream, [bound], after=start, by=by, at=at, command_id="bind")
        except (Conflict, RepeatedCommand):
            return  # another process bound it first; the caller reads what it wrote

    def _bind_again(
        self, table: LoggedTable, house: House, *, by: Person | str, at: dt.datetime | None
    ) -> None:
        bound = table.fold.bound
        assert bound is not None
        if not table.fold.between_rounds:
            raise LedgerError(f"{table.stream} plays a round; a House is changed between rounds")
        if bound.group and groups.terms_of(house) != self.group(bound.group).refresh().terms:
            raise LedgerError(f"{table.stream} shares meters, and {house!r} has other terms")
        lost = [name for name in table.meters if name not in house.meters]
        if lost:  # a level with a balance is not closed without a destination (R44)
            raise LedgerError(f"{house!r} has no meter {', '.join(lost)}, which holds money")
        self.add_house(house)
        values = {name: Fraction(meter.initial) for name, meter in house.meters.items()}
        values |= table.meters
        again = lev.TableBound(
            table=bound.table,
            house=house.digest,
            variety=bound.variety,
            live=bound.live,
            group=bound.group,
            meters={name: meter_text(value) for name, value in values.items()},
        )
        table.carry_out(lambda: [again], by=by, at=at or dt.datetime.now(dt.UTC))

    # Shared meters

    def group(self, name: str) -> Group:
        """Shared meters as this process knows them."""
        with self._lock:
            found = self._groups.get(name)
            if found is None:
                found = self._groups[name] = Group(self.store, name)
            return found

    def link(
        self,
        name: str,
        table_id: str,
        house: House,
        *,
        by: Person | str = SYSTEM,
        at: dt.datetime | None = None,
    ) -> groups.GroupFold:
        """Join a table to shared meters, founding them if need be; other terms are refused."""
        group = self.group(name)
        terms = groups.terms_of(house)
        while True:
            with group.lock:
                fold = group.refresh()
                if fold.terms and fold.terms != terms:
                    raise LedgerError(f"table {table_id!r} cannot share meters {name!r}: {terms}")
                if table_id in fold.tables:
                    return fold
                events: list[Event] = []
                if not fold.terms:
                    initial = {key: meter.initial for key, meter in house.meters.items()}
                    events.append(lev.GroupFounded(group=name, terms=terms, meters=dict(initial)))
                events.append(lev.TableLinked(table=table_id, house=house.digest))
                try:
                    key = f"link:{table_id}"
                    self.append(group.stream, events, after=group.tip, by=by, at=at, command_id=key)
                except (Conflict, RepeatedCommand):
                    continue
                return group.refresh()

    def tell_group(
        self,
        name: str,
        decide: Callable[[groups.GroupFold], Event],
        *,
        by: Person | str,
        at: dt.datetime | None = None,
    ) -> None:
        """Append what is decided under the group as it stands, asked anew if others were first."""
        group = self.group(name)
        command_id = uuid.uuid4().hex
        while True:
            with group.lock:
                fold = group.refresh()
                if not fold.terms:
                    raise NotFound(f"no meters {name!r} are shared here")
                try:
                    told = [decide(fold)]
                    self.append(
                        group.stream, told, after=group.tip, by=by, at=at, command_id=command_id
                    )
                except Conflict:
                    continue
                group.refresh()
                return

    def halt_group(self, name: str, reason: str, *, by: Person | str) -> None:
        """Take no progressive wager on these meters until they are resumed."""
        self.tell_group(name, lambda fold: lev.GroupHalted(reason=reason), by=by)

    def resume_group(self, name: str, *, by: Person | str) -> None:
        """Take progressive wagers again."""
        self.tell_group(name, lambda fold: lev.GroupResumed(), by=by)

    # Streams that are no table

    def append(
        self,
        stream: str,
        events: list[Event],
        *,
        after: tuple[int, str],
        by: Person | str = SYSTEM,
        at: dt.datetime | None = None,
        command_id: str = "",
    ) -> None:
        """Append after the tip that was decided on; Conflict if somebody else was first."""
        rows = codec.rows(
            stream,
            after,
            events,
            time=stamp(at or dt.datetime.now(dt.UTC)),
            actor=str(by),
            command_id=command_id or uuid.uuid4().hex,
        )
        self.store.append(rows)
