"""Followers: in-process copies of the aggregates that tables share, kept current from the log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import entry_codec, idempotency, snapshot_policy
from croupier.ledger.aggregates import (
    account_register,
    aggregate_types,
    approvals,
    duty_roster,
)
from croupier.ledger.aggregates.account_messages import (
    AccountsFounded,
    FoundAccounts,
    SignInsNoted,
)
from croupier.ledger.aggregates.account_register import AccountRegister
from croupier.ledger.aggregates.administration import FOUNDER
from croupier.ledger.aggregates.aggregate_types import no_house
from croupier.ledger.aggregates.approvals import Approvals
from croupier.ledger.aggregates.duty_roster import DutyRoster
from croupier.ledger.errors import (
    RepeatedCommand,
)
from croupier.ledger.log import Entry, Snapshot, Store, StoredEntry
from croupier.ledger.optimistic_retry import retry_on_conflict
from croupier.table import Account, Command, Envelope, Event, FindHouse

if TYPE_CHECKING:
    pass


class SnapshotAggregate(Protocol):
    """An aggregate that can be written as a snapshot after any entry."""

    def decide(self, envelope: Envelope) -> tuple[Event, ...]: ...

    def evolve(self, event: Event) -> None: ...

    def to_snapshot(self) -> str: ...


A = TypeVar("A", bound=SnapshotAggregate)


class SharedAggregate(Generic[A]):
    """One shared stream folded into `aggregate`, up to entry `sequence`.

    Hold `lock` from `refresh` to the append, so that tables of this process do not conflict with
    each other. Conflicts with other processes are detected by the sequence of the entry.
    """

    def __init__(
        self, store: Store, stream: str, new: Callable[[], A], find_house: FindHouse = no_house
    ) -> None:
        self.store = store
        self.stream = stream
        self.find_house = find_house
        self.lock = threading.RLock()
        self.aggregate = new()
        self.sequence = 0
        self._class: type[A] = type(self.aggregate)
        self._snapshot_sequence = 0

    def refresh(self) -> A:
        """Apply the entries that are new in the log and return the aggregate."""
        with self.lock:
            if not self.sequence:
                self._recover()
            for stored in self.store.read(self.stream, after=self.sequence):
                self._apply(stored)
            return self.aggregate

    def _recover(self) -> None:
        aggregate, sequence, snapshot_sequence = aggregate_types.recover(
            self.store, self.stream, self.find_house
        )
        assert isinstance(aggregate, self._class)
        self.aggregate, self.sequence = aggregate, sequence
        self._snapshot_sequence = snapshot_sequence

    def decide_entry(self, envelope: Envelope) -> Entry:
        """Decide a command; the entry follows the last one that was read."""
        with self.lock:
            events = self.aggregate.decide(envelope)
            return entry_codec.encode_entry(self.stream, self.sequence + 1, envelope, events)

    def due_snapshots(self) -> list[Snapshot]:
        """A snapshot of the current state, if one is due."""
        with self.lock:
            if not snapshot_policy.is_due(self.sequence, self._snapshot_sequence):
                return []
            self._snapshot_sequence = self.sequence
            schema = aggregate_types.snapshot_schema(self.stream)
            return [Snapshot(self.stream, self.sequence, schema, self.aggregate.to_snapshot())]

    def apply_appended(self, stored: StoredEntry) -> None:
        """Apply an entry that this process has appended."""
        with self.lock:
            if stored.entry.sequence == self.sequence + 1:
                self._apply(stored)
            else:  # refreshed by another thread, or appended to by another process, meanwhile
                self.refresh()

    def _apply(self, stored: StoredEntry) -> None:
        aggregate_types.apply_recorded(self.aggregate, entry_codec.decode_entry(stored))
        self.sequence = stored.entry.sequence


class DutyRosterFollower(SharedAggregate[DutyRoster]):
    """Who is on duty at the tables of the property."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, duty_roster.STREAM, DutyRoster)


class CommandFollower(SharedAggregate[A]):
    """A shared stream that executes commands. All methods block."""

    def do(self, command: Command, by: Account, *, id: str = "") -> tuple[Event, ...]:
        """Execute a command durably and return its events; a refusal is recorded and raised.

        `id` is the idempotency key: a repeated command returns the events of the first time.
        """
        envelope = entry_codec.validate_external_envelope(
            Envelope(id or entry_codec.new_id(), by, now_ms(), command)
        )

        def attempt(_: int) -> tuple[Event, ...]:
            with self.lock:
                self.refresh()
                try:
                    return self._append(envelope)
                except RepeatedCommand:
                    self.refresh()
                    return idempotency.recorded_events(self.store, self.stream, envelope)

        return retry_on_conflict(attempt, self.stream)

    def _append(self, envelope: Envelope) -> tuple[Event, ...]:
        try:
            entry = self.decide_entry(envelope)
        except Refusal as refusal:
            # A repeated command may be refused because it was executed the first time.
            earlier = self.find_recorded(envelope.id)
            if earlier is not None and entry_codec.same_command(envelope, earlier.envelope):
                return earlier.events
            entry_codec.record_refusal(
                self.store, self.stream, envelope, refusal.clause, self.sequence
            )
            raise
        (stored,) = self.store.append([entry], snapshots=self.due_snapshots())
        self.apply_appended(stored)
        return entry_codec.decode_entry(stored).events

    def find_recorded(self, id: str) -> entry_codec.Recorded | None:
        """The entry of a command id, if it is on record."""
        return idempotency.find_recorded(self.store, self.stream, id)


class ApprovalsFollower(CommandFollower[Approvals]):
    """The approvals of the property."""

    def __init__(self, store: Store, find_house: FindHouse) -> None:
        super().__init__(store, approvals.STREAM, lambda: Approvals(find_house), find_house)


class AccountsFollower(CommandFollower[AccountRegister]):
    """The accounts of the property and its exclusion list."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, account_register.STREAM, AccountRegister)

    def found(self, command: FoundAccounts) -> None:
        """Found the accounts, unless another process has."""
        try:
            if not self.refresh().founded:
                self.do(command, FOUNDER)
        except Refusal:
            if not self.refresh().founded:
                raise

    def is_excluded(self, account: str) -> bool:
        """Whether a person is on the exclusion list now.

        While another thread appends, the event loop does not wait for it: the list before counts.
        """
        if self.lock.acquire(blocking=False):
            try:
                self.refresh()
            finally:
                self.lock.release()
        return self.aggregate.is_excluded(account, now_ms())

    def history(self, account: str = "") -> Iterator[entry_codec.Recorded]:
        """The entries about an account, or about all, oldest first."""
        for stored in self.store.read(self.stream):
            recorded = entry_codec.decode_entry(stored)
            if not account or names_account(recorded.events, account):
                yield recorded


def names_account(events: tuple[Event, ...], account: str) -> bool:
    """Whether events of the account register are about an account."""
    for event in events:
        match event:
            case AccountsFounded():
                return account in event.founders or account in event.adopted
            case SignInsNoted():
                return any(count.account == account for count in event.counts)
            case _:
                return getattr(event, "account", "") == account
    return False
