"""One stretch of one stream, decided anew entry by entry."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256

from croupier.errors import CroupierError, Refusal
from croupier.games import House, house_from_text
from croupier.ledger import entry_codec as ent
from croupier.ledger import linked_tables
from croupier.ledger.aggregates import aggregate_types, approval_messages, approvals, duty_roster
from croupier.ledger.aggregates.linked_meter_messages import FoundMeters, LinkTable, MoveMeters
from croupier.ledger.aggregates.linked_meters_meters import Meters, moves_of
from croupier.ledger.audit.findings import Bound, Checked, Moved, Read, Segment, Taken, difference
from croupier.ledger.errors import (
    Damaged,
    Excluded,
    LedgerError,
    MeterUnreachable,
    NotFound,
    shown,
)
from croupier.ledger.log import Store, Stored
from croupier.table import Envelope, Event, Table
from croupier.table import validate_envelope as checked_form
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.accounting import meter_account

# After these the table and its accounts must agree.
_AGREE_AFTER = frozenset((ev.RoundClosed, ev.CorrectionMade, ev.MeterAdjusted, ev.TableClosed))


def find_house_in(store: Store) -> Callable[[str], House]:
    """Houses read from a store, each once."""
    known: dict[str, House] = {}

    def find(digest: str) -> House:
        if digest not in known:
            text = store.house(digest)
            if text is None:
                raise NotFound(f"House {digest[:12]} is not on record")
            known[digest] = house_from_text(digest, text)
        return known[digest]

    return find


def check(store: Store, segment: Segment) -> Checked:
    """Decide a stretch anew, up to the first entry that is wrong."""
    collecting = gc.isenabled()
    gc.disable()  # nothing here makes cycles, and looking for them costs a quarter of the time
    walk = SegmentReplay(store, segment)
    checked = walk.checked
    try:
        walk.run()
    except Damaged as error:
        checked.problems.append((error.stream, error.sequence, error.problem))
    except CroupierError as error:
        checked.problems.append((segment.stream, walk.sequence + 1, str(error)))
    except Exception as error:  # what somebody wrote there may confuse anything
        told = f"cannot be decided from what came before: {error!r}"
        checked.problems.append((segment.stream, walk.sequence + 1, shown(told)))
    finally:
        if collecting:
            gc.enable()
    return checked


class SegmentReplay:
    """The walk along one segment."""

    def __init__(self, store: Store, segment: Segment) -> None:
        self.store = store
        self.segment = segment
        self.checked = Checked(stream=segment.stream, number=segment.number)
        self.find_house = find_house_in(store)
        self.sequence = segment.start
        self.position = -1  # of the entry before
        self.cuts = sorted(segment.cuts)
        self.taken: dict[int, list[Taken]] = {}
        for taken in segment.taken:
            self.taken.setdefault(taken.sequence, []).append(taken)
        self.refused: dict[int, list[ent.Refused]] = {}
        for refused in segment.refused:
            self.refused.setdefault(refused.after, []).append(refused)
        self.reading: tuple[int, Envelope] | None = None  # waits for the command it was for
        self.marks: list[tuple[int, str, int]] = []
        self.first = -1
        self.machine: aggregate_types.Aggregate

    def run(self) -> None:
        """Every entry in its order."""
        segment, checked, agreeing = self.segment, self.checked, _AGREE_AFTER
        self.machine = self._begin()
        machine = self.machine
        stops, cuts = self.taken.keys() | self.refused.keys(), self.cuts
        look: Callable[[Stored, Envelope, tuple[Event, ...]], None] | None = None
        if isinstance(machine, Table):
            look = self._look_at_table
        elif isinstance(machine, Meters):
            look = self._look_at_meters
        elif isinstance(machine, duty_roster.DutyRoster):
            look = self._look_at_people
        elif isinstance(machine, approvals.Approvals):
            look = self._look_at_decisions
        meters = machine if isinstance(machine, Meters) else None
        table = machine if isinstance(machine, Table) else None
        evolve, body_of, asked = machine.evolve, ent.body_of, ent.asked
        for stored in self.store.read(
            segment.stream, after=segment.start, until=segment.end, size=segment.size
        ):
            entry = stored.entry
            if self.sequence in stops or cuts:
                self._between(stored)
            envelope = asked(entry)
            events = self._decided(envelope)
            if body_of(envelope, events) != entry.body:
                raise Damaged(segment.stream, entry.sequence, difference(stored, events))
            if look is not None:
                look(stored, envelope, events)
            for event in events:
                evolve(event)
            self.sequence, self.position = entry.sequence, stored.position
            if meters is not None:
                checked.values.append((stored.position, meters.shown()))
            elif table is not None and not agreeing.isdisjoint(map(type, events)):
                self._agree(table)
            checked.entries += 1
            checked.events += len(events)
        if segment.end is not None and self.sequence != segment.end:
            raise Damaged(segment.stream, self.sequence + 1, "is missing")
        self._finish()

    def _begin(self) -> aggregate_types.Aggregate:
        segment = self.segment
        if segment.start:
            schema = aggregate_types.schema_of(segment.stream)
            kept = self.store.snapshot(segment.stream, schema=schema, until=segment.start)
            if kept is None or kept.sequence != segment.start:
                raise LedgerError(f"the snapshot at {segment.start} went away meanwhile")
            if sha256(kept.text.encode()).hexdigest() != segment.start_digest:
                raise Damaged(segment.stream, segment.start, "the snapshot changed meanwhile")
            return aggregate_types.thawed(segment.stream, kept.text, self.find_house)
        machine = aggregate_types.new(segment.stream, self.find_house)
        if machine is None:
            raise Damaged(segment.stream, 1, "no such stream belongs to a ledger")
        return machine

    def _decided(self, envelope: Envelope) -> tuple[Event, ...]:
        machine = self.machine
        try:
            if isinstance(machine, Table):
                return machine.decide_checked(checked_form(envelope, typed=True))
            return machine.decide(envelope)
        except CroupierError as error:
            told = f"the rules refuse this: {error}"
            raise Damaged(self.segment.stream, self.sequence + 1, shown(told)) from None

    def _between(self, following: Stored | None) -> None:
        """What must hold between two entries: snapshots, refusals, days."""
        sequence = self.sequence
        for taken in self.taken.pop(sequence, ()):
            self._check_snapshot(taken, following)
        for refused in self.refused.pop(sequence, ()):
            self._check_refused(refused)
        while self.cuts and following is not None and self.cuts[0] <= following.position:
            self._cut(self.cuts.pop(0))

    def _cut(self, size: int) -> None:
        layout = self.machine.layout if isinstance(self.machine, Table) else 0
        self.checked.cuts[size] = (self.checked.rounds, layout)

    def _check_snapshot(self, taken: Taken, following: Stored | None) -> None:
        """A snapshot holds what the machine has come to, and was taken with the next command."""
        told = ""
        compare = taken.sequence != self.segment.start  # which the segment before has compared
        if compare and taken.schema == aggregate_types.schema_of(self.segment.stream):
            text = aggregate_types.frozen(self.machine)
            if text is None or sha256(text.encode()).hexdigest() != taken.digest:
                told = "a snapshot says otherwise than the record"
        if following is not None and (
            taken.at != following.entry.at or taken.position <= following.position
        ):
            told = "a snapshot was taken at another time than the log says"
        if told:
            self.checked.problems.append((taken.stream, taken.sequence, told))

    def _check_refused(self, refused: ent.Refused) -> None:
        """A refused attempt is refused again, for the same clause."""
        told = ""
        if refused.position <= self.position:
            told = "was refused before the entry that it followed"
        elif not self._refuses(refused):
            told = f"the rules do not refuse this for {refused.clause}"
        if told:
            place = (ent.REFUSED + self.segment.stream, refused.sequence, shown(told))
            self.checked.problems.append(place)

    def _refuses(self, refused: ent.Refused) -> bool:
        machine, command = self.machine, refused.envelope.command
        if refused.clause == Excluded.CLAUSE and linked_tables.asks_to_play(command):
            return True  # who is excluded is nowhere on record
        if isinstance(machine, Table) and machine.group:
            if refused.clause == MeterUnreachable.CLAUSE and linked_tables.wagers_progressive(
                command
            ):
                return True  # whether meters could be reached is nowhere on record
            with linked_tables.tentatively(machine) as reads:
                if refused.read is not None:
                    reading = linked_tables.reading_for(
                        machine.group, refused.envelope, refused.read
                    )
                    linked_tables.take_reading(machine, reading, reads)
                return refused_for(machine, refused)
        return refused.read is None and refused_for(machine, refused)

    # What the streams must agree in

    def _look_at_table(self, stored: Stored, given: Envelope, events: tuple[Event, ...]) -> None:
        table, checked = self.machine, self.checked
        assert isinstance(table, Table)
        command, position = type(given.command), stored.position
        if self.reading is not None or command is cmd.ReadMeters or given.id[:1] == "@":
            self._check_id(stored, given)
        for word, number in ent.marks_of(events):
            self.marks.append((position, word, number))
            checked.rounds += word == ent.CLOSED
        if self.first < 0:
            self.first = position
        if command is cmd.BindTable:
            assert isinstance(events[0], ev.TableBound)
            checked.bound.append(Bound(stored.entry.sequence, position, events[0]))
        elif table.group:
            self._look_at_sharing(table, stored, given, events)
        if table.attended and (posts := duty_roster.moves_of(table, events)):
            checked.posts.append(self._moved(stored, given, posts))

    def _look_at_sharing(
        self, table: Table, stored: Stored, given: Envelope, events: tuple[Event, ...]
    ) -> None:
        entry = stored.entry
        if isinstance(given.command, cmd.ReadMeters):
            read = given.command
            self.reading = (stored.position, given)
            self.checked.reads.append(
                Read(entry.sequence, stored.position, read.group, read.position, read.meters)
            )
            return
        moves = moves_of(table, events)
        if moves:
            round, before = table.rounds_played, dict(table.meters)
            self.checked.moves.append(self._moved(stored, given, moves, round, before))

    def _moved(
        self,
        stored: Stored,
        given: Envelope,
        moves: tuple[object, ...],
        round: int = 0,
        before: dict[str, Fraction] | None = None,
    ) -> Moved:
        """What an entry of this table did to a stream that it shares."""
        place = (self.segment.stream, stored.entry.sequence, stored.position)
        return Moved(*place, given.id, given.by, given.at, round, moves, before or {})

    def _check_id(self, stored: Stored, given: Envelope) -> None:
        """The ledger's own ids are those of readings, which stand right before their command."""
        waiting, self.reading = self.reading, None
        if waiting is not None:
            position, reading = waiting
            table = self.machine
            assert isinstance(table, Table)
            right = linked_tables.reading_for(table.group, given, reading.command)
            if reading != right or stored.position != position + 1:
                told = "read shared meters for no command"
                raise Damaged(self.segment.stream, stored.entry.sequence - 1, told)
        if given.id.startswith("@") != isinstance(given.command, cmd.ReadMeters):
            told = f"has an id that is not its own: {given.id!r}"
            raise Damaged(self.segment.stream, stored.entry.sequence, shown(told))

    def _agree(self, table: Table) -> None:
        """The table and its accounts are two counts of the same chips and meters."""
        book, told = table.book, ""
        if not book.linked:
            for meter, value in table.meters.items():
                if book.balance(meter_account(meter)) != value:
                    told = f"meter {meter} and its account differ"
        if table.service != "rounds":
            for account, amount in book.balances.items():
                counted = account == "tray" and table.attended
                if amount < 0 and (counted or account.startswith(("rack:", "held:"))):
                    told = f"{account} holds {amount} cents"
        if told:
            raise Damaged(self.segment.stream, self.sequence, shown(told))

    def _look_at_meters(self, stored: Stored, given: Envelope, events: tuple[Event, ...]) -> None:
        meters, checked = self.machine, self.checked
        assert isinstance(meters, Meters)
        command = given.command
        if given.id.startswith("@") != isinstance(command, MoveMeters):
            told = f"has an id that is not its own: {given.id!r}"
            raise Damaged(self.segment.stream, stored.entry.sequence, shown(told))
        if isinstance(command, FoundMeters):
            checked.group, checked.terms = command.group, command.terms
        elif isinstance(command, LinkTable):
            checked.linked[command.table] = (stored.entry.sequence, command.house)
        elif isinstance(command, MoveMeters):
            checked.moves.append(
                Moved(
                    ent.TABLE + command.table,
                    command.entry,
                    stored.position - 1,
                    given.id,
                    given.by,
                    given.at,
                    command.round,
                    command.moves,
                    dict(meters.values),
                    stored.entry.sequence,
                )
            )

    def _look_at_people(self, stored: Stored, given: Envelope, events: tuple[Event, ...]) -> None:
        command = given.command
        assert isinstance(command, duty_roster.MovePosts)
        self.checked.posts.append(
            Moved(
                ent.TABLE + command.table,
                command.entry,
                stored.position - 1,
                given.id,
                given.by,
                given.at,
                0,
                command.moves,
                {},
                stored.entry.sequence,
            )
        )

    def _look_at_decisions(
        self, stored: Stored, given: Envelope, events: tuple[Event, ...]
    ) -> None:
        for event in events:
            match event:
                case approval_messages.SubmissionSent():
                    self.checked.sent.append(stored.position)
                case approval_messages.OpenedUnder():
                    self.checked.opened.append((stored.position, event.table, event.house))
                case approval_messages.TestSigned():
                    dealt = (event.table, event.trainee, event.rounds)
                    self.checked.tests.append((stored.entry.sequence, *dealt))

    def _finish(self) -> None:
        self._between(None)
        for refusals in self.refused.values():
            for refused in refusals:
                place = (ent.REFUSED + self.segment.stream, refused.sequence)
                told = f"follows entry {refused.after}, which is not there"
                self.checked.problems.append((*place, told))
        if self.reading is not None:
            raise Damaged(self.segment.stream, self.sequence, "read shared meters for no command")
        if isinstance(self.machine, Table):
            self.checked.layout = self.machine.layout
            self._check_marks()

    def _check_marks(self) -> None:
        """Every entry is found by what it says; a count of all marks shows those too many."""
        if self.first < 0:
            return
        stored = set(
            self.store.ask(
                "SELECT position, word, number FROM mark"
                " WHERE word IN (?, ?, ?) AND stream = (SELECT number FROM stream WHERE name = ?)"
                " AND position >= ? AND position <= ?",
                (ent.ROUND, ent.CLOSED, ent.VOID, self.segment.stream, self.first, self.position),
            )
        )
        for position, word, number in self.marks:
            if (position, word, number) not in stored:
                told = f"the entry at position {position} is not found by {word} {number}"
                self.checked.problems.append((self.segment.stream, 0, told))
        self.checked.marks = len(self.marks)


def refused_for(machine: aggregate_types.Aggregate, refused: ent.Refused) -> bool:
    """Whether the machine, as it stands, refuses an attempt for the clause on record."""
    try:
        machine.decide(refused.envelope)
    except Refusal as refusal:
        return refusal.clause == refused.clause
    return False
