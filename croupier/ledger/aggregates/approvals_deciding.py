"""What was decided beside the tables, as one process knows it, and how it comes onto the record."""

from __future__ import annotations

from contextlib import suppress

from croupier.clock import now_ms
from croupier.errors import Refusal
from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates.approvals import STREAM, Approvals
from croupier.ledger.aggregates.shared import SharedAggregate
from croupier.ledger.errors import Conflict, IdTaken, LedgerError, RepeatedCommand, StoreFailed
from croupier.ledger.log import Store
from croupier.table import Account, Command, Envelope, Event, FindHouse

ATTEMPTS = 100  # times to decide anew when others write first


class ApprovalsFollower(SharedAggregate[Approvals]):
    """The stream of decisions. Every function here blocks."""

    def __init__(self, store: Store, find_house: FindHouse) -> None:
        super().__init__(store, STREAM, lambda: Approvals(find_house), find_house)

    def do(self, command: Command, by: Account, *, id: str = "") -> tuple[Event, ...]:
        """Carry out a command durably; a refusal is noted and changes nothing.

        The same id again changes nothing and is answered as the first time.
        """
        envelope = ent.validate_envelope(Envelope(id or ent.new_id(), by, now_ms(), command))
        for _ in range(ATTEMPTS):
            with self.lock, suppress(Conflict):
                self.refresh()
                try:
                    return self._append(envelope)
                except RepeatedCommand:
                    self.refresh()
                    return self.answered(envelope)
        raise StoreFailed(f"{self.stream}: others wrote first {ATTEMPTS} times in a row")

    def _append(self, envelope: Envelope) -> tuple[Event, ...]:
        try:
            entry = self.prepare(envelope)
        except Refusal as refusal:  # it may be refused because it was carried out already
            before = self.recorded(envelope.id)
            if before is not None and ent.same_command(envelope, before.envelope):
                return before.events
            value = ent.refusal_note(envelope, refusal.clause, self.sequence, None)
            with suppress(LedgerError):
                self.store.note(ent.REFUSED_PREFIX + self.stream, envelope.at, value)
            raise
        (stored,) = self.store.append([entry], snapshots=self.snapshots())
        self.take_over(stored)
        return ent.decode_entry(stored).events

    def recorded(self, id: str) -> ent.Recorded | None:
        """The entry of a command, if it is in the record."""
        found = self.store.command(self.stream, id)
        return None if found is None else ent.decode_entry(found)

    def answered(self, envelope: Envelope) -> tuple[Event, ...]:
        """What a command led to when it was carried out; IdTaken if its id is another's."""
        found = self.recorded(envelope.id)
        assert found is not None, f"{self.stream}: {envelope.id} is said to be in the record"
        if not ent.same_command(envelope, found.envelope):
            raise IdTaken(self.stream, envelope.id)
        return found.events
