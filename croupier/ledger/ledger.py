"""The ledger: one database of recorded tables, linked meters, approvals and closed days."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

from croupier.clock import DAY, now_ms
from croupier.errors import BadInput, Refusal
from croupier.games import House, canonical_text, house_from_text
from croupier.ledger import entry_codec, gaming_orders
from croupier.ledger.aggregates import administration, aggregate_types
from croupier.ledger.aggregates.administration import (
    FOUNDER,
    AcceptClock,
    Administration,
    ClockAccepted,
)
from croupier.ledger.aggregates.linked_meter_follower import LinkedMetersFollower
from croupier.ledger.aggregates.linked_meter_messages import FoundMeters, LinkTable
from croupier.ledger.aggregates.linked_meters import LinkedMeters, terms_of
from croupier.ledger.aggregates.shared_aggregates import (
    AccountsFollower,
    ApprovalsFollower,
    DutyRosterFollower,
)
from croupier.ledger.entry_codec import TABLE_PREFIX
from croupier.ledger.errors import Conflict, LedgerError, NotFound, RepeatedCommand
from croupier.ledger.log import Store
from croupier.ledger.log.canonical_json import check_name
from croupier.ledger.log.database.database import Failpoint, no_faults
from croupier.ledger.log.database.url import DatabaseLocation
from croupier.ledger.optimistic_retry import retry_on_conflict
from croupier.ledger.recorded_table import IsExcluded, RecordedTable, no_exclusions
from croupier.money import meter_text
from croupier.submission import check_player_edge
from croupier.table import Account, Command, Envelope, Event, Service, Table, epoch_ms
from croupier.table import commands as cmd
from croupier.table.core.roles import normalize_id


def check_new_table(table_id: str) -> None:
    """Refuse a name that cannot be part of an address; tables that have one keep it."""
    if "/" in table_id or table_id in (".", ".."):
        raise BadInput(f"a table's id cannot contain a slash or be a dot, got {table_id!r}")


def table_stream(table_id: str) -> str:
    """The stream of a table."""
    return TABLE_PREFIX + table_id


class Ledger:
    """An open ledger database. Use it as a context manager, or call `close`.

    >>> from croupier import Account, Ledger, PlaceWagers, example
    >>> dealer = Account("robot", "system")
    >>> with Ledger("casino.db", purpose="practice") as ledger:
    ...     table = ledger.open_table("T1", example("top_five"), by=dealer)
    ...     _ = table.do(PlaceWagers(1, {"ante": 1000}), dealer)
    ...     print(ledger.tables(), table.sequence)
    ['T1'] 2
    """

    def __init__(
        self,
        place: DatabaseLocation,
        *,
        purpose: administration.Purpose = "practice",
        timezone: str = administration.TIMEZONE,
        day_starts: str = administration.DAY_STARTS,
        create: bool = True,
        readonly: bool = False,
        lock_timeout_ms: int = 5_000,
        excluded: IsExcluded = no_exclusions,
        faults: Failpoint = no_faults,
    ) -> None:
        """Open a ledger, creating it if needed.

        `place` is a path or database URL. With `create=False` or `readonly` a missing ledger is
        NotFound. `purpose`, `timezone` and `day_starts` apply only to a new ledger and are fixed
        from then on. `excluded` is asked before a player gets a seat or chips at any table, besides
        the exclusion list on record.
        """
        found = administration.FoundLedger(
            purpose=purpose, timezone=timezone, day_starts=day_starts
        )
        if create and not readonly:  # what is refused leaves no database
            Administration().decide(Envelope("found", FOUNDER, now_ms(), found))
        self.store = Store(
            place,
            create=create and not readonly,
            readonly=readonly,
            lock_timeout_ms=lock_timeout_ms,
            faults=faults,
        )
        self._houses: dict[str, House] = {}
        self._groups: dict[str, LinkedMetersFollower] = {}
        self.duty_roster = DutyRosterFollower(self.store)
        self.approvals = ApprovalsFollower(self.store, self.house)
        self.accounts = AccountsFollower(self.store)
        self._excluded = excluded
        self._lock = threading.Lock()
        try:
            self.administration = self._ensure_founded(found)
            if not readonly:
                self.store.accept_gaps(administration.GAP_DAYS_MAX[self.purpose])
        except BaseException:
            self.store.close()
            raise

    def is_excluded(self, player: str) -> bool:
        """Whether a player is on the exclusion list on record, or on that of the property."""
        return self.accounts.is_excluded(player) or self._excluded(player)

    @property
    def purpose(self) -> administration.Purpose:
        """Whether the ledger is for live play or practice."""
        assert self.administration.founded is not None
        return self.administration.founded.purpose

    def close(self) -> None:
        """Finish queued appends and close the database."""
        self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Administration

    def _ensure_founded(self, command: administration.FoundLedger) -> Administration:
        state = self.read_administration()
        if state.founded is None:
            if self.store.readonly:
                raise NotFound("nothing is on record in this database")
            with suppress(Conflict):  # another process founded it first
                self.administer(command, FOUNDER)
            state = self.read_administration()
        return state

    def read_administration(self) -> Administration:
        """The administration aggregate as it is on record."""
        state, _, _ = aggregate_types.recover(self.store, administration.STREAM, self.house)
        assert isinstance(state, Administration)
        return state

    def administer(
        self,
        command: Command,
        by: Account,
        at: dt.datetime | int | None = None,
        *,
        id: str = "",
        accepts_clock_after: int | None = None,
    ) -> tuple[Event, ...]:
        """Execute an administration command; Conflict if another writer appended first.

        See `Append` for `accepts_clock_after`.
        """
        moment = now_ms() if at is None else epoch_ms(at)
        envelope = Envelope(id or entry_codec.new_id(), by, moment, command)
        stream = administration.STREAM
        state, sequence, _ = aggregate_types.recover(self.store, stream, self.house)
        events = self._decide(state, stream, sequence, envelope)
        entry = entry_codec.encode_entry(stream, sequence + 1, envelope, events)
        self.store.append([entry], accepts_clock_after=accepts_clock_after)
        self.administration = self.read_administration()
        return events

    def administer_again(self, command: Command, by: Account) -> tuple[Event, ...]:
        """`administer`, again and again while other writers append first."""
        stream = administration.STREAM
        return retry_on_conflict(lambda _: self.administer(command, by), stream)

    def clock_gap(self) -> tuple[int, int]:
        """The times of the last commit and of the clock, which is more than a day ahead of it.

        BadInput if it is not: there is nothing to accept.
        """
        last, now = self.store.head().time, now_ms()
        if now - last <= DAY:
            raise BadInput("the clock is not more than a day after the last commit: nothing to do")
        return last, now

    def accept_clock(self, *, by: Account, second: Account, reason: str) -> ClockAccepted:
        """Record that two people accept a clock that is far ahead of the last commit.

        The log then continues at the time of the clock. BadInput if it is not ahead by a day.
        """
        last, now = self.clock_gap()
        command = AcceptClock(last=last, time=now, second=second, reason=reason)
        (event,) = self.administer(command, by, now, accepts_clock_after=last)
        assert isinstance(event, ClockAccepted)
        return event

    def _decide(
        self, aggregate: aggregate_types.Aggregate, stream: str, sequence: int, envelope: Envelope
    ) -> tuple[Event, ...]:
        """Decide a command; a refusal is recorded, as at a table."""
        try:
            return aggregate.decide(envelope)
        except Refusal as refusal:
            entry_codec.record_refusal(self.store, stream, envelope, refusal.clause, sequence)
            raise

    # Houses

    def house(self, digest: str) -> House:
        """The House with this digest; NotFound if it is not on record."""
        with self._lock:
            house = self._houses.get(digest)
        if house is None:
            text = self.store.house(digest)
            if text is None:
                raise NotFound(f"no House {digest[:12]} is on record")
            house = house_from_text(digest, text)
            with self._lock:
                self._houses[digest] = house
        return house

    def add_house(self, house: House) -> None:
        """Record a House, so that every round played under it can be explained."""
        if house.proposal is not None:
            raise BadInput(
                f"{house.operator}: no table can be opened under a proposal; "
                "expected a Rules Submission without [proposal]"
            )
        check_player_edge(house)
        # Tables play the House as it is read back, so that all processes have the same one.
        self.store.add_house(house.digest, canonical_text(house))

    # Tables

    def tables(self) -> list[str]:
        """The ids of the tables on record."""
        return [stream[len(TABLE_PREFIX) :] for stream in self.store.streams(TABLE_PREFIX)]

    def open_table(
        self,
        table_id: str,
        house: House | None = None,
        *,
        by: Account | None = None,
        service: Service = "rounds",
        group: str = "",
        meters: Mapping[str, Fraction] | None = None,
        at: dt.datetime | int | None = None,
    ) -> RecordedTable:
        """Open a table on record, or a new one under `house`.

        Binding a table to a House, the first one or a different one, is a command by `by`. A new
        table is linked to the meters of `group`, or starts with the values of `meters`. Raises
        NotFound if the table is not on record and no House is given.
        """
        check_name("a table's id", table_id)
        if group:
            check_name("a group's name", group)
        stream = table_stream(table_id)
        if self.store.stream_tip(stream)[0] == 0:
            if house is None:
                raise NotFound(f"no table {table_id!r} is on record; name the House to open it")
            check_new_table(table_id)
            self._check_spelling(table_id)
            new = self._recorded_table(stream, Table(find_house=self.house), 0, 0)
            self._bind(new, table_id, house, by, service, group, meters, at)
        table = self.recover(stream)
        bound = table.table.bound
        if house is not None and bound is not None and house.digest != bound.house:
            self._bind(table, table_id, house, by, bound.service, bound.group, None, at)
        gaming_orders.apply_orders(self, table)
        return table

    def _check_spelling(self, table_id: str) -> None:
        """Refuse a new table whose id differs from another one only in case or spaces."""
        for known in self.tables():
            if normalize_id(known) == normalize_id(table_id):
                raise BadInput(f"table {table_id!r} is spelled like table {known!r} on record")

    def recover(self, stream: str) -> RecordedTable:
        """The table of a stream, rebuilt from the record."""
        table, sequence, snapshot_sequence = aggregate_types.recover(self.store, stream, self.house)
        assert isinstance(table, Table)
        return self._recorded_table(stream, table, sequence, snapshot_sequence)

    def _recorded_table(
        self, stream: str, table: Table, sequence: int, snapshot_sequence: int
    ) -> RecordedTable:
        return RecordedTable(
            self.store,
            stream,
            table,
            sequence,
            duty_roster=self.duty_roster,
            approvals=self.approvals,
            group=self.group(table.group) if table.group else None,
            snapshot_sequence=snapshot_sequence,
            is_excluded=self.is_excluded,
        )

    def table_at(self, table_id: str, size: int) -> Table:
        """The table as of a size of the log."""
        table, _, _ = aggregate_types.recover(
            self.store, table_stream(table_id), self.house, size=size
        )
        assert isinstance(table, Table)
        return table

    def _bind(
        self,
        table: RecordedTable,
        table_id: str,
        house: House,
        by: Account | None,
        service: Service,
        group: str,
        meters: Mapping[str, Fraction] | None,
        at: dt.datetime | int | None,
    ) -> None:
        if by is None:
            raise BadInput(f"binding table {table_id!r} to a House needs an account: pass `by`")
        if service == "attended" and self.purpose == "live":
            self.approvals.refresh().check_opening(table_id, house.digest)
        self.add_house(house)
        values = {name: meter_text(value) for name, value in (meters or {}).items()}
        first = table.table.bound is None
        if group and first:
            values = self.link(group, table_id, house, by=by, at=at).value_texts()
        elif group and terms_of(house) != self.group(group).refresh().terms:
            raise LedgerError(f"{table.stream} has linked meters, and {house!r} has other terms")
        founded = self.administration.founded
        assert founded is not None
        command = cmd.BindTable(
            table=table_id,
            house=house.digest,
            service=service,
            live=self.purpose == "live",
            group=group,
            meters=values,
            timezone=founded.timezone,
            day_starts=founded.day_starts,
        )
        try:
            table.do(command, by, at, id="bind" if first else "")
        except (Conflict, RepeatedCommand):
            return  # another process bound it first; the caller reads what it wrote

    # Linked meters

    def group(self, name: str) -> LinkedMetersFollower:
        """The follower of a group of linked meters."""
        with self._lock:
            follower = self._groups.get(name)
            if follower is None:
                follower = self._groups[name] = LinkedMetersFollower(self.store, name)
            return follower

    def link(
        self,
        name: str,
        table_id: str,
        house: House,
        *,
        by: Account,
        at: dt.datetime | int | None = None,
    ) -> LinkedMeters:
        """Link a table to a group, founding its meters if needed; other terms are refused."""
        group, terms = self.group(name), terms_of(house)
        moment = now_ms() if at is None else epoch_ms(at)

        def attempt(_: int) -> LinkedMeters:
            with group.lock:
                if not group.refresh().terms:
                    initial: dict[str, int | str] = {**house.opening_meters()}
                    founding = FoundMeters(group=name, terms=terms, meters=initial)
                    self._append_to(group, Envelope(entry_codec.new_id(), by, moment, founding))
                if table_id not in group.aggregate.tables:
                    linking = LinkTable(table=table_id, house=house.digest, terms=terms)
                    self._append_to(group, Envelope(entry_codec.new_id(), by, moment, linking))
                return group.refresh()

        return retry_on_conflict(attempt, group.stream)

    def execute_on_group(
        self,
        name: str,
        command: Command,
        *,
        by: Account,
        at: dt.datetime | int | None = None,
        id: str = "",
    ) -> None:
        """Execute a command of a group of linked meters; `id` is the one that was agreed to."""
        group = self.group(name)
        moment = now_ms() if at is None else epoch_ms(at)
        envelope = Envelope(id or entry_codec.new_id(), by, moment, command)

        def attempt(_: int) -> None:
            with group.lock:
                group.refresh()
                if self.purpose == "live":
                    self.approvals.refresh().check_agreed(group.stream, envelope)
                self._append_to(group, envelope)

        retry_on_conflict(attempt, group.stream)

    def _append_to(self, group: LinkedMetersFollower, envelope: Envelope) -> None:
        """Decide on the follower's state and append; Conflict if it is stale."""
        events = self._decide(group.aggregate, group.stream, group.sequence, envelope)
        entry = entry_codec.encode_entry(group.stream, group.sequence + 1, envelope, events)
        (stored,) = self.store.append([entry])
        group.apply_appended(stored)
