"""The ledger: one database of tables, shared meters and days."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

from croupier.clock import now_ms
from croupier.errors import BadInput, Refusal
from croupier.games import House, canonical_text, house_from_text
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import administration, aggregate_types
from croupier.ledger.aggregates import linked_meters_meters as shared
from croupier.ledger.aggregates.administration import FOUNDER, Administration
from croupier.ledger.aggregates.approvals_deciding import ApprovalsFollower
from croupier.ledger.aggregates.linked_meter_messages import FoundMeters, LinkTable
from croupier.ledger.aggregates.linked_meters import LinkedMetersFollower
from croupier.ledger.aggregates.shared import DutyRosterFollower
from croupier.ledger.errors import Conflict, LedgerError, NotFound, RepeatedCommand
from croupier.ledger.log import Store
from croupier.ledger.log.canonical_json import check_name
from croupier.ledger.log.database.url import Place
from croupier.ledger.log.failpoints import NO_FAULTS, Failpoints
from croupier.ledger.recorded_table import IsExcluded, RecordedTable, nobody_is
from croupier.money import meter_text
from croupier.submission import check_player_edge
from croupier.table import Account, Command, Envelope, Event, Service, Table, epoch_ms
from croupier.table import commands as cmd

TABLE = ent.TABLE


def stream_of(table_id: str) -> str:
    """The stream of a table."""
    return TABLE + table_id


class Ledger:
    """A database opened for tables; use it as a context, or close it."""

    def __init__(
        self,
        place: Place,
        *,
        purpose: administration.Purpose = "live",
        timezone: str = administration.TIMEZONE,
        day_starts: str = administration.DAY_STARTS,
        create: bool = True,
        readonly: bool = False,
        lock_timeout_ms: int = 5_000,
        excluded: IsExcluded = nobody_is,
        faults: Failpoints = NO_FAULTS,
    ) -> None:
        """Open a ledger; with `create=False` or `readonly` one that does not exist is refused.

        Its purpose, and how its property counts days, are stated once, when it is founded.
        `excluded` is asked before somebody gets a seat or chips at any of its tables.
        """
        self.store = Store(
            place,
            create=create and not readonly,
            readonly=readonly,
            lock_timeout_ms=lock_timeout_ms,
            faults=faults,
        )
        self._houses: dict[str, House] = {}
        self._groups: dict[str, LinkedMetersFollower] = {}
        self.people = DutyRosterFollower(self.store)
        self.decisions = ApprovalsFollower(self.store, self.house)
        self.excluded = excluded
        self._lock = threading.Lock()
        try:
            self.office = self._found(
                administration.FoundLedger(
                    purpose=purpose, timezone=timezone, day_starts=day_starts
                )
            )
        except BaseException:
            self.store.close()
            raise

    @property
    def purpose(self) -> administration.Purpose:
        """What this database is for, as its first entry says."""
        assert self.office.founded is not None
        return self.office.founded.purpose

    def close(self) -> None:
        """Finish queued appends and let the database go."""
        self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _found(self, command: administration.FoundLedger) -> Administration:
        """The ledger's own stream, begun if there is none."""
        for _ in range(2):
            found = self.read_office()
            if found.founded is not None:
                return found
            if self.store.readonly:
                raise NotFound("nothing is on record in this database")
            try:
                self.tell_office(command, FOUNDER)
            except Conflict:
                continue  # another process founded it in the meantime
        return self.read_office()

    # The ledger's own stream

    def read_office(self) -> Administration:
        """The ledger's own stream as the record has it."""
        found, _, _ = aggregate_types.recover(self.store, administration.STREAM, self.house)
        assert isinstance(found, Administration)
        return found

    def tell_office(
        self,
        command: Command,
        by: Account,
        at: dt.datetime | int | None = None,
        *,
        id: str = "",
    ) -> tuple[Event, ...]:
        """Carry out a command of the ledger itself; Conflict if somebody else was first."""
        moment = now_ms() if at is None else epoch_ms(at)
        envelope = Envelope(id or ent.new_id(), by, moment, command)
        known, sequence, _ = aggregate_types.recover(self.store, administration.STREAM, self.house)
        events = self._decided(known, administration.STREAM, sequence, envelope)
        self.store.append([ent.entry_of(administration.STREAM, sequence + 1, envelope, events)])
        self.office = self.read_office()
        return events

    def _decided(
        self, machine: aggregate_types.Aggregate, stream: str, sequence: int, envelope: Envelope
    ) -> tuple[Event, ...]:
        """Decide; a refusal is noted, as one of a table is."""
        try:
            return machine.decide(envelope)
        except Refusal as refusal:
            value = ent.refused_value(envelope, refusal.clause, sequence, None)
            with suppress(LedgerError):
                self.store.note(ent.REFUSED + stream, envelope.at, value)
            raise

    # Houses

    def house(self, digest: str) -> House:
        """The House that rounds under this digest are played by."""
        with self._lock:
            found = self._houses.get(digest)
        if found is None:
            text = self.store.house(digest)
            if text is None:
                raise NotFound(f"no House {digest[:12]} is on record")
            found = house_from_text(digest, text)
            with self._lock:
                self._houses[digest] = found
        return found

    def add_house(self, house: House) -> None:
        """Put a House on record, so that every round can be explained under it."""
        if house.proposal is not None:
            raise BadInput(
                f"{house.operator}: this is a proposal, and no table is opened or recorded under "
                "one; expected a Rules Submission without [proposal]"
            )
        check_player_edge(house)  # a draft is looked at, never played under
        # Played is the House as it is read back, so that every process has the very same one.
        self.store.add_house(house.digest, canonical_text(house))

    # Tables

    def tables(self) -> list[str]:
        """The ids of the tables on record."""
        return [stream[len(TABLE) :] for stream in self.store.streams(TABLE)]

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
        """The table as the record has it, or a new one under this House.

        Binding a table to a House, the first time or anew, is a command: `by` says who gives it.
        `group` links the meters of a new table, `meters` are the values it starts with.
        """
        check_name("a table's id", table_id)
        if group:
            check_name("a group's name", group)
        stream = stream_of(table_id)
        if self.store.tip(stream)[0] == 0:
            if house is None:
                raise NotFound(f"no table {table_id!r} is on record; name the House to open it")
            new = self._recorded(stream, Table(find_house=self.house), 0, 0)
            self._bind(new, table_id, house, by, service, group, meters, at)
        table = self.recover(stream)
        bound = table.table.bound
        if house is not None and bound is not None and house.digest != bound.house:
            self._bind(table, table_id, house, by, bound.service, bound.group, None, at)
        return table

    def recover(self, stream: str) -> RecordedTable:
        """The table as the record has it."""
        table, sequence, frozen_at = aggregate_types.recover(self.store, stream, self.house)
        assert isinstance(table, Table)
        return self._recorded(stream, table, sequence, frozen_at)

    def _recorded(self, stream: str, table: Table, sequence: int, frozen_at: int) -> RecordedTable:
        return RecordedTable(
            self.store,
            stream,
            table,
            sequence,
            people=self.people,
            group=self.group(table.group) if table.group else None,
            frozen_at=frozen_at,
            excluded=self.excluded,
        )

    def table_at(self, table_id: str, size: int) -> Table:
        """The table as it stood when the log had so many entries."""
        table, _, _ = aggregate_types.recover(
            self.store, stream_of(table_id), self.house, size=size
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
            raise BadInput(f"table {table_id!r} is bound to a House by somebody; say by whom")
        if service == "attended" and self.purpose == "live":
            self.decisions.refresh().check_opening(table_id, house.digest)
        self.add_house(house)
        given = {name: meter_text(value) for name, value in (meters or {}).items()}
        first = table.table.bound is None
        if group and first:
            given = self.link(group, table_id, house, by=by, at=at).shown()
        elif group and shared.terms_of(house) != self.group(group).refresh().terms:
            raise LedgerError(f"{table.stream} shares meters, and {house!r} has other terms")
        founded = self.office.founded
        assert founded is not None
        command = cmd.BindTable(
            table=table_id,
            house=house.digest,
            service=service,
            live=self.purpose == "live",
            group=group,
            meters=given,
            timezone=founded.timezone,
            day_starts=founded.day_starts,
        )
        try:
            table.do(command, by, at, id="bind" if first else "")
        except (Conflict, RepeatedCommand):
            return  # another process bound it first; the caller reads what it wrote

    # Shared meters

    def group(self, name: str) -> LinkedMetersFollower:
        """Shared meters as this process knows them."""
        with self._lock:
            found = self._groups.get(name)
            if found is None:
                found = self._groups[name] = LinkedMetersFollower(self.store, name)
            return found

    def link(
        self,
        name: str,
        table_id: str,
        house: House,
        *,
        by: Account,
        at: dt.datetime | int | None = None,
    ) -> shared.Meters:
        """Join a table to shared meters, founding them if need be; other terms are refused."""
        group, terms = self.group(name), shared.terms_of(house)
        moment = now_ms() if at is None else epoch_ms(at)
        while True:  # somebody else may found them, or link the table, at the same time
            with group.lock, suppress(Conflict):
                known = group.refresh()
                command: Command
                if not known.terms:
                    initial: dict[str, int | str] = {**house.opening_meters()}
                    command = FoundMeters(group=name, terms=terms, meters=initial)
                elif table_id not in known.tables:
                    command = LinkTable(table=table_id, house=house.digest, terms=terms)
                else:
                    return known
                self._append_to(group, Envelope(ent.new_id(), by, moment, command))

    def tell_group(
        self,
        name: str,
        command: Command,
        *,
        by: Account,
        at: dt.datetime | int | None = None,
    ) -> None:
        """Carry out a command of shared meters, decided anew if others were first."""
        group = self.group(name)
        moment = now_ms() if at is None else epoch_ms(at)
        envelope = Envelope(ent.new_id(), by, moment, command)
        while True:
            with group.lock, suppress(Conflict):
                group.refresh()
                self._append_to(group, envelope)
                return

    def _append_to(self, group: LinkedMetersFollower, envelope: Envelope) -> None:
        """Decide under what is known of a group, and append; Conflict if it has moved on."""
        events = self._decided(group.machine, group.stream, group.sequence, envelope)
        entry = ent.entry_of(group.stream, group.sequence + 1, envelope, events)
        (stored,) = self.store.append([entry])
        group.take_over(stored)
