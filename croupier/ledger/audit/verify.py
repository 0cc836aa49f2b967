"""Verification: every command of every stream is decided again and must match the record.

A stream is checked in segments between snapshots, in parallel if it is long. Each segment starts
from the state of a snapshot and must arrive at the state of the next one, so together they prove
the same as one replay from the beginning. The log itself, its hashes and the database around it
are checked by `croupier.ledger.log.transparency.check`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any

import msgspec

from croupier.ledger import entry_codec
from croupier.ledger.aggregates import administration, aggregate_types
from croupier.ledger.aggregates.administration import Administration, ClockAccepted
from croupier.ledger.audit import cross_stream
from croupier.ledger.audit.commit_gaps import AcceptedClock, check_gaps
from croupier.ledger.audit.replay_check import check_segment, find_house_in
from croupier.ledger.audit.segments import Segment, SegmentResult, SnapshotRecord
from croupier.ledger.entry_codec import REFUSED_PREFIX
from croupier.ledger.errors import Damaged, LedgerError, StoreFailed, printable
from croupier.ledger.log import Store, TreeHead
from croupier.ledger.log.canonical_json import encode_canonical
from croupier.ledger.log.database.url import DatabaseAddress, DatabaseLocation, parse_location
from croupier.ledger.log.store import OUTAGES
from croupier.ledger.log.transparency import check as log_check
from croupier.ledger.log.transparency.check import DATABASE, PROBLEMS_MAX, LogProblem
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.signed_note import PublicKey
from croupier.ledger.log.write.rows import SNAPSHOT_STREAM
from croupier.ledger.queries.periods import utc_timestamp

SEGMENT_ENTRIES = 5_000  # entries per segment at least, if there are snapshots to split at
PARALLEL_FROM = 60_000  # entries; below that, starting processes costs more than it saves

Progress = Callable[[int], None]  # called with the number of entries checked so far

NO_HEAD = TreeHead(0, bytes(32), 0)  # of a database that cannot be read


class AuditVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an audit: the head that was audited, and the problems."""

    head: TreeHead
    entries: int
    events: int
    rounds: int
    problems: tuple[LogProblem, ...]
    accepted_clocks: tuple[str, ...] = ()  # gaps between commits that two people accepted

    @property
    def ok(self) -> bool:
        """Whether there are no problems."""
        return not self.problems

    def data(self) -> dict[str, Any]:
        """The verdict for JSON output."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "events": self.events,
            "rounds": self.rounds,
            "time": utc_timestamp(self.head.time) if self.ok else "",
            "root": self.head.root.hex(),
            "problems": [str(problem) for problem in self.problems],
            "accepted_clocks": list(self.accepted_clocks),
        }

    def __str__(self) -> str:
        if self.ok:
            counts = f"{self.entries:,} entries, {self.events:,} events, {self.rounds:,} rounds"
            size, time = self.head.size, utc_timestamp(self.head.time)
            upto = f"up to {time}" if size else "nothing is on record"
            lines = [f"verified: {counts}, {upto}, root {self.head.root.hex()}"]
        else:
            lines = ["NOT verified", *map(str, self.problems)]
        return "\n".join([*lines, *self.accepted_clocks])


def verify(
    database: DatabaseLocation | Store,
    *,
    workers: int | None = None,
    checkpoint: Checkpoint | None = None,
    keys: Sequence[PublicKey] = (),
    progress: Progress | None = None,
) -> AuditVerdict:
    """Check everything in a database as of its current head.

    The database is only read; others may go on writing. `workers` is the number of processes; None
    uses all cores for a long log. `checkpoint` is an earlier head that the log must extend. With
    `keys`, every recorded signature must be by one of them. NotFound if there is no ledger.
    """
    if isinstance(database, Store):
        return _verify(database, [], workers, checkpoint, keys, progress)
    address = parse_location(database)
    try:
        with Store(address, create=False, readonly=True, damaged=True) as store:
            return _verify(store, [], workers, checkpoint, keys, progress)
    except StoreFailed as error:
        unreadable = LogProblem(DATABASE, 0, str(error))
        return _verdict(NO_HEAD, [], [unreadable])


def _verify(
    store: Store,
    problems: list[LogProblem],
    workers: int | None,
    checkpoint: Checkpoint | None,
    keys: Sequence[PublicKey],
    progress: Progress | None,
) -> AuditVerdict:
    results: list[SegmentResult] = []
    head = NO_HEAD
    try:
        head = store.head()
        plan = AuditPlan(store, head.size)
        segments = plan.segments()
    except LedgerError as error:  # nothing can be replayed; the log itself can still be checked
        problems.append(_as_problem(error))
        problems += log_check.check(store, head, checkpoint)
        return _verdict(head, results, problems)
    problems += plan.problems
    try:
        with _checking(store, segments, workers) as checked:
            problems += log_check.check(store, head, checkpoint)
            for result in checked:
                results.append(result)
                problems += result.problems
                if progress:
                    progress(sum(done.entries for done in results))
        problems += _guard(lambda: _check_completeness(store, head, plan, results))
        problems += _guard(lambda: check_gaps(store, head.size, plan.administration, plan.accepted))
        if not problems:  # comparing streams is meaningless while one of them is broken
            problems += _guard(lambda: _check_across_streams(store, plan, results, keys))
    except LedgerError as error:
        problems.append(_as_problem(error))
    return _verdict(head, results, problems, plan.accepted.values())


def _as_problem(error: LedgerError) -> LogProblem:
    if isinstance(error, Damaged):
        return LogProblem(error.stream, error.sequence, error.problem)
    return LogProblem(DATABASE, 0, str(error))


def _verdict(
    head: TreeHead,
    results: Sequence[SegmentResult],
    problems: Iterable[LogProblem],
    accepted: Iterable[AcceptedClock] = (),
) -> AuditVerdict:
    return AuditVerdict(
        head=head,
        entries=head.size,
        events=sum(result.events for result in results),
        rounds=sum(result.rounds for result in results),
        problems=tuple(sorted(set(problems)))[:PROBLEMS_MAX],
        accepted_clocks=tuple(map(str, accepted)),
    )


def _guard(check: Callable[[], Iterator[LogProblem]]) -> Iterator[LogProblem]:
    """Report an error of a check as a problem."""
    try:
        yield from check()
    except LedgerError as error:
        yield _as_problem(error)
    except Exception as error:  # a manipulated database can fail anywhere
        yield LogProblem(DATABASE, 0, printable(f"has unexpected content: {error!r}"))


class _SnapshotNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of the entry that records a snapshot."""

    digest: str
    schema: int
    sequence: int
    stream: str


class _Outage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    failed: str


class _OutageNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of the entry that records a failed write."""

    note: _Outage
    dropped: int = 0


class AuditPlan:
    """The streams to audit as of one size of the log, and their segments."""

    def __init__(self, store: Store, size: int) -> None:
        self.store, self.size = store, size
        self.problems: list[LogProblem] = []
        self.administration = Administration()
        self.accepted: dict[int, AcceptedClock] = {}  # by position
        self.other_entries = 0  # of no aggregate: recorded snapshots, refusals and outages
        self.snapshots: dict[str, list[SnapshotRecord]] = {}
        self.refused: dict[str, list[entry_codec.RecordedRefusal]] = {}
        names = store.streams()
        self.streams = [
            name
            for name in names
            if name not in (SNAPSHOT_STREAM, OUTAGES) and not name.startswith(REFUSED_PREFIX)
        ]
        self._run(self._read_administration)
        self._run(self._read_snapshots)
        self._run(self._read_outages)
        for name in names:
            if name.startswith(REFUSED_PREFIX):
                self._run(lambda name=name: self._read_refused(name))  # type: ignore[misc]

    def _run(self, step: Callable[[], None]) -> None:
        self.problems += _guard(lambda: iter(step() or ()))  # type: ignore[func-returns-value]

    def _read_administration(self) -> None:
        """Read the closed days; whether they were allowed is decided by the replay."""
        stream = administration.STREAM
        for stored in self.store.read(stream, size=self.size):
            if stored.entry.sequence == 1 and stored.position != 0:
                self.problems.append(LogProblem(stream, 1, "is not the first entry of the log"))
            for event in entry_codec.decode_entry(stored).events:
                self.administration.evolve(event)
                if isinstance(event, ClockAccepted):
                    clock = AcceptedClock(stored.entry.sequence, stored.position, event)
                    self.accepted[stored.position] = clock
        if self.size and self.administration.founded is None:
            self.problems.append(LogProblem(stream, 0, "this ledger was never founded"))

    def _read_snapshots(self) -> None:
        for stored in self.store.read(SNAPSHOT_STREAM, size=self.size):
            self.other_entries += 1
            entry = stored.entry
            try:
                note = msgspec.json.decode(entry.body, type=_SnapshotNote)
                if encode_canonical(note) != entry.body or entry.id != f"@{entry.sequence}":
                    raise ValueError("not in canonical form")
            except ValueError as error:
                problem = printable(f"is not the record of a snapshot: {error}")
                raise Damaged(SNAPSHOT_STREAM, entry.sequence, problem) from None
            self.snapshots.setdefault(note.stream, []).append(
                SnapshotRecord(
                    note.stream,
                    note.sequence,
                    note.schema,
                    note.digest,
                    entry.sequence,
                    entry.at,
                    stored.position,
                )
            )
        for stream in self.snapshots.keys() - set(self.streams):
            problem = printable(f"a snapshot was taken of {stream!r}, which is not a stream")
            number = self.snapshots[stream][0].number
            self.problems.append(LogProblem(SNAPSHOT_STREAM, number, problem))

    def _read_outages(self) -> None:
        for stored in self.store.read(OUTAGES, size=self.size):
            self.other_entries += 1
            entry = stored.entry
            try:
                msgspec.json.decode(entry.body, type=_OutageNote)
            except ValueError as error:
                problem = printable(f"is not the record of an outage: {error}")
                raise Damaged(OUTAGES, entry.sequence, problem) from None

    def _read_refused(self, name: str) -> None:
        for stored in self.store.read(name, size=self.size):
            self.other_entries += 1
            refusal = entry_codec.decode_refusal(stored)
            if aggregate_types.find_type(refusal.stream) and refusal.stream not in self.streams:
                self.streams.append(refusal.stream)  # it consists of refusals only
            if refusal.stream not in self.streams:
                problem = "was refused by a stream that does not exist"
                raise Damaged(name, stored.entry.sequence, problem)
            self.refused.setdefault(refusal.stream, []).append(refusal)

    def segments(self) -> list[Segment]:
        """Segments of about equal length."""
        stored = {
            (name, sequence, schema)
            for name, sequence, schema in self.store.query(
                "SELECT name, sequence, schema FROM snapshot JOIN stream ON number = stream"
            )
        }
        segments: list[Segment] = []
        for stream in self.streams:
            schema = aggregate_types.snapshot_schema(stream)
            bounds: list[tuple[int, str]] = [(0, "")]
            for snapshot in self.snapshots.get(stream, ()):
                sequence = snapshot.sequence
                usable = snapshot.schema == schema and (stream, sequence, schema) in stored
                if usable and sequence - bounds[-1][0] >= SEGMENT_ENTRIES:
                    bounds.append((sequence, snapshot.digest))
            ends = [*(sequence for sequence, _ in bounds[1:]), None]
            for number, ((start, digest), end) in enumerate(zip(bounds, ends, strict=True)):
                segments.append(self._segment(stream, number, start, digest, end))
        return segments

    def _segment(
        self, stream: str, number: int, start: int, digest: str, end: int | None
    ) -> Segment:
        last = end if end is not None else 2**62
        return Segment(
            stream=stream,
            number=number,
            start=start,
            start_digest=digest,
            end=end,
            size=self.size,
            cuts=tuple(day.size for day in self.administration.days.values()),
            snapshots=tuple(
                snapshot
                for snapshot in self.snapshots.get(stream, ())
                if start <= snapshot.sequence <= last
            ),
            refused=tuple(
                refusal
                for refusal in self.refused.get(stream, ())
                if (start < refusal.after <= last) or (not start and refusal.after <= 0)
            ),
        )


@contextmanager
def _checking(
    store: Store, segments: list[Segment], workers: int | None
) -> Iterator[Iterator[SegmentResult]]:
    """Check the segments; for a long log, worker processes start at once."""
    if workers is None:
        size = segments[0].size if segments else 0
        workers = (os.cpu_count() or 1) if size >= PARALLEL_FROM else 1
    if workers <= 1 or len(segments) <= 1:
        yield (check_segment(store, segment) for segment in segments)
        return
    pool = _create_pool(workers)
    try:
        yield _submit(store, segments, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(
    store: Store, segments: list[Segment], pool: ProcessPoolExecutor
) -> Iterator[SegmentResult]:
    """Submit the segments now; the results are yielded as they complete."""
    left = dict(enumerate(segments))
    futures: dict[Future[SegmentResult], int] = {}
    with suppress(BrokenProcessPool):
        for number, segment in left.items():
            futures[pool.submit(_check_in_worker, store.address, segment)] = number

    def results() -> Iterator[SegmentResult]:
        with suppress(BrokenProcessPool):
            for future in as_completed(futures):
                result = future.result()
                del left[futures[future]]
                yield result
        for segment in left.values():  # no processes can be started here, or they were killed
            yield check_segment(store, segment)

    return results()


def _create_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


_worker_stores: dict[DatabaseAddress, Store] = {}


def _check_in_worker(address: DatabaseAddress, segment: Segment) -> SegmentResult:
    if address not in _worker_stores:
        _worker_stores[address] = Store(address, create=False, readonly=True, damaged=True)
    return check_segment(_worker_stores[address], segment)


def _check_completeness(
    store: Store, head: TreeHead, plan: AuditPlan, results: list[SegmentResult]
) -> Iterator[LogProblem]:
    """No entry and no index term is left unchecked."""
    if any(result.problems for result in results) or plan.problems:
        return
    entries = sum(result.entries for result in results) + plan.other_entries
    if entries != head.size:
        yield LogProblem(DATABASE, 0, f"{entries} entries are in streams, the log has {head.size}")
    ((stored,),) = store.query("SELECT count(*) FROM mark WHERE position < ?", (head.size,))
    expected = sum(result.index_terms for result in results)
    if stored != expected:
        yield LogProblem(DATABASE, 0, f"the index has {stored} terms, expected {expected}")
    ((beyond,),) = store.query(
        "SELECT count(*) FROM mark WHERE position > (SELECT max(position) FROM entry)"
    )
    if beyond:
        yield LogProblem(DATABASE, 0, f"{beyond} index terms point beyond the log")


def _check_across_streams(
    store: Store, plan: AuditPlan, results: list[SegmentResult], keys: Sequence[PublicKey]
) -> Iterator[LogProblem]:
    streams = cross_stream.join_segments(result for result in results if result.entries)
    founded = plan.administration.founded
    if founded is not None:  # otherwise reported by the plan
        yield from cross_stream.check_tables(streams, founded, find_house_in(store))
    yield from cross_stream.check_groups(streams)
    yield from cross_stream.check_duty_roster(streams)
    yield from cross_stream.check_openings(streams, plan.administration)
    yield from cross_stream.check_second_persons(streams, plan.administration)
    yield from cross_stream.check_table_tests(store, streams)
    yield from cross_stream.check_accounts(store, plan.administration)
    yield from cross_stream.check_days(store, plan.administration, streams, keys)
    yield from cross_stream.check_restores(store, plan.administration)
