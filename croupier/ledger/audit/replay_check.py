"""Replay of one segment: every command is decided again and must lead to the recorded events."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256

from croupier.errors import CroupierError, Refusal
from croupier.games import House, house_from_text
from croupier.ledger import entry_codec, linked_tables, round_index
from croupier.ledger.aggregates import aggregate_types, approval_messages, duty_roster
from croupier.ledger.aggregates.approvals import Approvals, find_second_person, request_key
from croupier.ledger.aggregates.duty_roster import DutyRoster
from croupier.ledger.aggregates.linked_meter_messages import (
    FoundMeters,
    HaltMeters,
    LinkTable,
    MoveMeters,
    ResumeMeters,
)
from croupier.ledger.aggregates.linked_meters import LinkedMeters, meter_moves
from croupier.ledger.audit.segments import (
    MeterReading,
    Segment,
    SegmentResult,
    SharedMove,
    SignedTableTest,
    SnapshotRecord,
    TableBinding,
    TwoPersonCommand,
    describe_difference,
    received_move,
)
from croupier.ledger.errors import (
    Damaged,
    Excluded,
    LedgerError,
    MeterUnreachable,
    NotAgreed,
    NotFound,
    printable,
)
from croupier.ledger.log import Store, StoredEntry
from croupier.ledger.log.transparency.check import LogProblem
from croupier.table import Envelope, Event, Table, validate_envelope
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.core.accounting import meter_account

# After these events the table must agree with its accounts.
_BALANCED_AFTER = frozenset((ev.RoundClosed, ev.CorrectionMade, ev.MeterAdjusted, ev.TableClosed))


def find_house_in(store: Store) -> Callable[[str], House]:
    """A cached lookup of Houses in a store."""
    houses: dict[str, House] = {}

    def find(digest: str) -> House:
        if digest not in houses:
            text = store.house(digest)
            if text is None:
                raise NotFound(f"House {digest[:12]} is not on record")
            houses[digest] = house_from_text(digest, text)
        return houses[digest]

    return find


def check_segment(store: Store, segment: Segment) -> SegmentResult:
    """Replay a segment up to its first wrong entry."""
    collecting = gc.isenabled()
    gc.disable()  # a replay creates no cycles, and looking for them takes a quarter of the time
    replay = SegmentReplay(store, segment)
    result = replay.result
    try:
        replay.run()
    except Damaged as error:
        result.problems.append(LogProblem(error.stream, error.sequence, error.problem))
    except CroupierError as error:
        result.problems.append(LogProblem(segment.stream, replay.sequence + 1, str(error)))
    except Exception as error:  # a manipulated entry can fail anywhere
        problem = printable(f"cannot be decided from what came before: {error!r}")
        result.problems.append(LogProblem(segment.stream, replay.sequence + 1, problem))
    finally:
        if collecting:
            gc.enable()
    return result


class SegmentReplay:
    """The replay of one segment; `result` collects problems and facts."""

    def __init__(self, store: Store, segment: Segment) -> None:
        self.store = store
        self.segment = segment
        self.result = SegmentResult(stream=segment.stream, number=segment.number)
        self.find_house = find_house_in(store)
        self.sequence = segment.start
        self.position = -1  # of the previous entry
        self.cuts = sorted(segment.cuts)
        self.snapshots: dict[int, list[SnapshotRecord]] = {}
        for snapshot in segment.snapshots:
            self.snapshots.setdefault(snapshot.sequence, []).append(snapshot)
        self.refused: dict[int, list[entry_codec.RecordedRefusal]] = {}
        for refusal in segment.refused:
            self.refused.setdefault(refusal.after, []).append(refusal)
        self.reading: tuple[int, Envelope] | None = None  # a reading still waiting for its command
        self.index_terms: list[tuple[int, str, int]] = []
        self.first_position = -1
        self.aggregate: aggregate_types.Aggregate

    def run(self) -> None:
        """Replay every entry in order."""
        segment, result, balanced_after = self.segment, self.result, _BALANCED_AFTER
        self.aggregate = self._initial_state()
        aggregate = self.aggregate
        stops, cuts = self.snapshots.keys() | self.refused.keys(), self.cuts
        inspect = self._inspector()
        meters = aggregate if isinstance(aggregate, LinkedMeters) else None
        table = aggregate if isinstance(aggregate, Table) else None
        evolve, encode_body = aggregate.evolve, entry_codec.encode_body
        decode_envelope = entry_codec.decode_envelope
        for stored in self.store.read(
            segment.stream, after=segment.start, until=segment.end, size=segment.size
        ):
            entry = stored.entry
            if self.sequence in stops or cuts:
                self._check_between(stored)
            envelope = decode_envelope(entry)
            events = self._decide(envelope)
            if encode_body(envelope, events) != entry.body:
                raise Damaged(segment.stream, entry.sequence, describe_difference(stored, events))
            if inspect is not None:
                inspect(stored, envelope, events)
            for event in events:
                evolve(event)
            self.sequence, self.position = entry.sequence, stored.position
            if meters is not None:
                result.values.append((stored.position, meters.value_texts()))
            elif table is not None and not balanced_after.isdisjoint(map(type, events)):
                self._check_accounts(table)
            result.entries += 1
            result.events += len(events)
        if segment.end is not None and self.sequence != segment.end:
            raise Damaged(segment.stream, self.sequence + 1, "is missing")
        self._finish()

    def _initial_state(self) -> aggregate_types.Aggregate:
        segment = self.segment
        aggregate_type = aggregate_types.find_type(segment.stream)
        if aggregate_type is None:
            raise Damaged(segment.stream, 1, "is not a stream of a ledger")
        if not segment.start:
            return aggregate_type.create(self.find_house)
        schema = aggregate_type.snapshot_schema
        snapshot = self.store.snapshot(segment.stream, schema=schema, until=segment.start)
        if snapshot is None or snapshot.sequence != segment.start:
            raise LedgerError(f"the snapshot at {segment.start} was deleted during the audit")
        if sha256(snapshot.text.encode()).hexdigest() != segment.start_digest:
            problem = "the snapshot was changed during the audit"
            raise Damaged(segment.stream, segment.start, problem)
        assert aggregate_type.restore is not None, "a type with snapshots can restore them"
        return aggregate_type.restore(snapshot.text, self.find_house)

    def _decide(self, envelope: Envelope) -> tuple[Event, ...]:
        aggregate = self.aggregate
        try:
            if isinstance(aggregate, Table):
                return aggregate.decide_checked(validate_envelope(envelope, typed=True))
            return aggregate.decide(envelope)
        except CroupierError as error:
            problem = printable(f"the rules refuse this: {error}")
            raise Damaged(self.segment.stream, self.sequence + 1, problem) from None

    def _check_between(self, following: StoredEntry | None) -> None:
        """Check snapshots, refusals and closed days between two entries."""
        sequence = self.sequence
        for snapshot in self.snapshots.pop(sequence, ()):
            self._check_snapshot(snapshot, following)
        for refusal in self.refused.pop(sequence, ()):
            self._check_refusal(refusal)
        while self.cuts and following is not None and self.cuts[0] <= following.position:
            self._cut(self.cuts.pop(0))

    def _cut(self, size: int) -> None:
        layout = self.aggregate.layout if isinstance(self.aggregate, Table) else 0
        self.result.cuts[size] = (self.result.rounds, layout)

    def _check_snapshot(self, snapshot: SnapshotRecord, following: StoredEntry | None) -> None:
        """A snapshot must equal the state, and must have been taken with the next command."""
        problem = ""
        aggregate_type = aggregate_types.find_type(self.segment.stream)
        assert aggregate_type is not None
        # The snapshot at the start was compared by the segment before.
        compare = snapshot.sequence != self.segment.start
        if compare and snapshot.schema == aggregate_type.snapshot_schema:
            text = aggregate_type.take_snapshot(self.aggregate)
            if text is None or sha256(text.encode()).hexdigest() != snapshot.digest:
                problem = "a snapshot differs from the record"
        if following is not None and (
            snapshot.at != following.entry.at or snapshot.position <= following.position
        ):
            problem = "a snapshot was taken at another time than the log says"
        if problem:
            self.result.problems.append(LogProblem(snapshot.stream, snapshot.sequence, problem))

    def _check_refusal(self, refusal: entry_codec.RecordedRefusal) -> None:
        """A refused command must be refused again, for the same clause."""
        problem = ""
        if refusal.position <= self.position:
            problem = "was refused before the entry that it followed"
        elif not self._refuses(refusal):
            problem = f"the rules do not refuse this for {refusal.clause}"
        if problem:
            self._report_refusal(refusal, problem)

    def _report_refusal(self, refusal: entry_codec.RecordedRefusal, problem: str) -> None:
        stream = entry_codec.REFUSED_PREFIX + self.segment.stream
        self.result.problems.append(LogProblem(stream, refusal.sequence, printable(problem)))

    def _refuses(self, refusal: entry_codec.RecordedRefusal) -> bool:
        aggregate, command, reading = self.aggregate, refusal.envelope.command, refusal.reading
        if isinstance(command, entry_codec.LargeCommand):
            return True  # only its digest is on record
        group = aggregate.group if isinstance(aggregate, Table) else ""
        if reading is not None:
            if not group or not isinstance(reading, cmd.ReadMeters):
                return False
            stream = entry_codec.REFUSED_PREFIX + self.segment.stream
            self._note_reading(stream, refusal.sequence, refusal.position, reading)
        exclusion = refusal.clause in (Excluded.CLAUSE, Excluded.EARLIER_CLAUSE)
        if exclusion and linked_tables.admits_player(command):
            return True  # the property's own list is not on record
        if refusal.clause == NotAgreed.CLAUSE and find_second_person(command) is not None:
            return True  # nor is it which answers had been read
        wager = group and linked_tables.places_progressive_wager(command)
        if refusal.clause == MeterUnreachable.CLAUSE and wager:
            return True  # nor whether meters were reachable
        if not isinstance(aggregate, Table):
            return _refuses_for_clause(aggregate, refusal)
        with linked_tables.tentative_readings(aggregate) as readings:
            if reading is not None:
                envelope = linked_tables.reading_envelope(group, refusal.envelope, reading)
                linked_tables.apply_reading(aggregate, envelope, readings)
            return _refuses_for_clause(aggregate, refusal)

    # Facts for the comparison across streams

    def _inspector(self) -> Callable[[StoredEntry, Envelope, tuple[Event, ...]], None] | None:
        match self.aggregate:
            case Table():
                return self._inspect_table
            case LinkedMeters():
                return self._inspect_meters
            case DutyRoster():
                return self._inspect_roster
            case Approvals():
                return self._inspect_approvals
        return None

    def _inspect_table(
        self, stored: StoredEntry, envelope: Envelope, events: tuple[Event, ...]
    ) -> None:
        table, result = self.aggregate, self.result
        assert isinstance(table, Table)
        command, position = type(envelope.command), stored.position
        self._note_second_person(stored, envelope)
        if self.reading is not None or command is cmd.ReadMeters or envelope.id[:1] == "@":
            self._check_reading_id(table, stored, envelope)
        for word, number in round_index.index_words(envelope.by, events):
            self.index_terms.append((position, word, number))
            result.rounds += word == round_index.CLOSED
        if self.first_position < 0:
            self.first_position = position
        if command is cmd.BindTable:
            assert isinstance(events[0], ev.TableBound)
            result.bindings.append(TableBinding(stored.entry.sequence, position, events[0]))
        elif table.group:
            self._inspect_linked_table(table, stored, envelope, events)
        if table.attended and (posts := duty_roster.post_moves(table, events)):
            result.post_moves.append(self._shared_move(stored, envelope, posts))

    def _note_second_person(self, stored: StoredEntry, envelope: Envelope) -> None:
        second = find_second_person(envelope.command)
        if second is not None:
            place = self.segment.stream.removeprefix(entry_codec.TABLE_PREFIX)
            named = (envelope.id, envelope.at, second, request_key(place, envelope, second))
            command = TwoPersonCommand(stored.entry.sequence, stored.position, *named)
            self.result.two_person.append(command)

    def _inspect_linked_table(
        self, table: Table, stored: StoredEntry, envelope: Envelope, events: tuple[Event, ...]
    ) -> None:
        if isinstance(envelope.command, cmd.ReadMeters):
            read = envelope.command
            self.reading = (stored.position, envelope)
            self._note_reading(self.segment.stream, stored.entry.sequence, stored.position, read)
            return
        if linked_tables.places_progressive_wager(envelope.command):
            self.result.wagers.append((stored.entry.sequence, stored.position))
        moves = meter_moves(table, events)
        if moves:
            number, before = table.rounds_played, dict(table.meters)
            move = self._shared_move(stored, envelope, moves, number, before)
            self.result.meter_moves.append(move)

    def _note_reading(
        self, stream: str, sequence: int, position: int, read: cmd.ReadMeters
    ) -> None:
        reading = MeterReading(stream, sequence, position, read.position, read.meters)
        self.result.readings.append(reading)

    def _shared_move(
        self,
        stored: StoredEntry,
        envelope: Envelope,
        moves: tuple[object, ...],
        round: int = 0,
        before: dict[str, Fraction] | None = None,
    ) -> SharedMove:
        return SharedMove(
            self.segment.stream,
            stored.entry.sequence,
            stored.position,
            envelope.id,
            envelope.by,
            envelope.at,
            round,
            moves,
            before or {},
        )

    def _check_reading_id(self, table: Table, stored: StoredEntry, envelope: Envelope) -> None:
        """Reserved ids belong to readings, each directly before the command that caused it."""
        pending, self.reading = self.reading, None
        if pending is not None:
            position, reading = pending
            expected = linked_tables.reading_envelope(table.group, envelope, reading.command)
            if reading != expected or stored.position != position + 1:
                problem = "read linked meters without a command"
                raise Damaged(self.segment.stream, stored.entry.sequence - 1, problem)
        self._check_reserved_id(
            stored, envelope, reserved=isinstance(envelope.command, cmd.ReadMeters)
        )

    def _check_reserved_id(
        self, stored: StoredEntry, envelope: Envelope, *, reserved: bool
    ) -> None:
        if envelope.id.startswith("@") != reserved:
            problem = printable(f"has an id of the wrong kind: {envelope.id!r}")
            raise Damaged(self.segment.stream, stored.entry.sequence, problem)

    def _check_accounts(self, table: Table) -> None:
        """The table and its accounts count the same chips and meters independently."""
        book, problem = table.book, ""
        if not book.linked:
            for meter, value in table.meters.items():
                if book.balance(meter_account(meter)) != value:
                    problem = f"meter {meter} and its account differ"
        if table.service != "rounds":
            for account, amount in book.balances.items():
                counted = account == "tray" and table.attended
                if amount < 0 and (counted or account.startswith(("rack:", "held:"))):
                    problem = f"{account} holds {amount} cents"
        if problem:
            raise Damaged(self.segment.stream, self.sequence, printable(problem))

    def _inspect_meters(
        self, stored: StoredEntry, envelope: Envelope, events: tuple[Event, ...]
    ) -> None:
        meters, result, command = self.aggregate, self.result, envelope.command
        assert isinstance(meters, LinkedMeters)
        self._check_reserved_id(stored, envelope, reserved=isinstance(command, MoveMeters))
        self._note_second_person(stored, envelope)
        match command:
            case FoundMeters():
                result.group, result.terms = command.group, command.terms
            case LinkTable():
                result.linked[command.table] = (stored.entry.sequence, command.house)
            case HaltMeters(reason=reason):
                result.halts.append((stored.position, reason))
            case ResumeMeters():
                result.halts.append((stored.position, ""))
            case MoveMeters():
                move = received_move(stored, envelope, command, command.round, meters.values)
                result.meter_moves.append(move)

    def _inspect_roster(
        self, stored: StoredEntry, envelope: Envelope, events: tuple[Event, ...]
    ) -> None:
        command = envelope.command
        assert isinstance(command, duty_roster.MovePosts)
        self.result.post_moves.append(received_move(stored, envelope, command, 0, {}))

    def _inspect_approvals(
        self, stored: StoredEntry, envelope: Envelope, events: tuple[Event, ...]
    ) -> None:
        for event in events:
            match event:
                case approval_messages.SubmissionSent():
                    self.result.sent.append(stored.position)
                case approval_messages.OpenedUnder():
                    self.result.opened.append((stored.position, event.table, event.house))
                case approval_messages.SecondAnswered():
                    self.result.answers.append((stored.position, event))
                case approval_messages.GamingEnabled(second=None):
                    self.result.enabled_alone.append(stored.entry.sequence)
        self._note_second_person(stored, envelope)
        if isinstance(envelope.command, approval_messages.SignTest):
            test = SignedTableTest(stored.entry.sequence, stored.position, envelope.command)
            self.result.tests.append(test)

    def _finish(self) -> None:
        self._check_between(None)
        for refusals in self.refused.values():
            for refusal in refusals:
                self._report_refusal(refusal, f"follows entry {refusal.after}, which is missing")
        if self.reading is not None:
            problem = "read linked meters without a command"
            raise Damaged(self.segment.stream, self.sequence, problem)
        if isinstance(self.aggregate, Table):
            self.result.layout = self.aggregate.layout
            self._check_index()

    def _check_index(self) -> None:
        """Every expected index term is stored; superfluous ones show in the total count."""
        if self.first_position < 0:
            return
        stored = set(
            self.store.query(
                "SELECT position, word, number FROM mark"
                " WHERE stream = (SELECT number FROM stream WHERE name = ?)"
                " AND position >= ? AND position <= ?",
                (self.segment.stream, self.first_position, self.position),
            )
        )
        for position, word, number in self.index_terms:
            if (position, word, number) not in stored:
                problem = f"the entry at position {position} is not indexed by {word} {number}"
                self.result.problems.append(LogProblem(self.segment.stream, 0, problem))
        self.result.index_terms = len(self.index_terms)


def _refuses_for_clause(
    aggregate: aggregate_types.Aggregate, refusal: entry_codec.RecordedRefusal
) -> bool:
    """Whether the aggregate refuses a command now, for the recorded clause."""
    try:
        aggregate.decide(refusal.envelope)
    except Refusal as refused:
        return refused.clause == refusal.clause
    return False
