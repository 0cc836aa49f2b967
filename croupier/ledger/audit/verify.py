"""Verification: every command of every stream is decided anew and must lead to what is on record.

A stream is checked in segments between snapshots, in parallel where it is long: each segment
starts from the state that a snapshot holds and must arrive at the state of the next one, so
together they prove what one pass from the beginning would. The log itself, its hashes and the
database around it are checked by `croupier.ledger.log.transparency.check`.
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

from croupier.ledger import entry_codec as ent
from croupier.ledger.aggregates import administration, aggregate_types, approvals
from croupier.ledger.aggregates.administration import Administration
from croupier.ledger.audit import cross_stream
from croupier.ledger.audit.findings import SegmentResult, Segment, SnapshotRecord
from croupier.ledger.audit.replay_check import check_segment, find_house_in
from croupier.ledger.errors import Damaged, LedgerError, NotFound, StoreFailed, printable
from croupier.ledger.log import Head, Store
from croupier.ledger.log.canonical_json import canonical
from croupier.ledger.log.database.url import Address, Place, parse
from croupier.ledger.log.transparency import check as audit
from croupier.ledger.log.transparency.check import DATABASE, PROBLEMS_MAX, LogProblem
from croupier.ledger.log.transparency.checkpoint import Checkpoint
from croupier.ledger.log.transparency.signed_note import PublicKey
from croupier.ledger.log.write.rows import SNAPSHOTS
from croupier.ledger.queries.periods import utc_timestamp

SEGMENT_ENTRIES = 5_000  # at least so many per segment, if snapshots allow
PARALLEL_FROM = 60_000  # below that, starting processes costs more than it saves

Progress = Callable[[int], None]  # told how many entries have been checked so far


class AuditVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found, and up to where it looked."""

    head: Head
    entries: int
    events: int
    rounds: int
    problems: tuple[LogProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "ok": self.ok,
            "entries": self.entries,
            "events": self.events,
            "rounds": self.rounds,
            "time": utc_timestamp(self.head.time),
            "root": self.head.root.hex(),
            "problems": [str(problem) for problem in self.problems],
        }

    def __str__(self) -> str:
        if self.ok:
            counts = f"{self.entries:,} entries, {self.events:,} events, {self.rounds:,} rounds"
            upto = f"up to {utc_timestamp(self.head.time)}" if self.head.size else "nothing is on record"
            return f"verified: {counts}, {upto}, root {self.head.root.hex()}"
        return "\n".join(["NOT verified", *map(str, self.problems)])


def verify(
    database: Place | Store,
    *,
    workers: int | None = None,
    kept: Checkpoint | None = None,
    keys: Sequence[PublicKey] = (),
    progress: Progress | None = None,
) -> AuditVerdict:
    """Check everything in a database as it stands at one head, and say what is wrong with it.

    It is only read, while others may go on writing. `workers` is the number of processes; None
    means as many as there are cores when the record is long. `kept` is a checkpoint that the log
    must extend; with `keys` every signature on record must be of one of them.
    """
    if isinstance(database, Store):
        return _verify(database, [], workers, kept, keys, progress)
    address = parse(database)
    found = list(audit.check_file(address))
    try:
        with Store(address, create=False, readonly=True, damaged=True) as store:
            return _verify(store, found, workers, kept, keys, progress)
    except (StoreFailed, NotFound) as error:
        if isinstance(error, NotFound) and not found:
            raise
        return _verdict(Head(0, bytes(32), 0), [], [*found, LogProblem(DATABASE, 0, str(error))])


def _verify(
    store: Store,
    problems: list[LogProblem],
    workers: int | None,
    kept: Checkpoint | None,
    keys: Sequence[PublicKey],
    progress: Progress | None,
) -> AuditVerdict:
    found: list[SegmentResult] = []
    try:
        head = store.head()
        plan = AuditPlan(store, head.size)
        segments = plan.segments()
    except LedgerError as error:  # nothing can be walked; the log itself may still be looked at
        problems.append(_problem(error))
        seen = audit.check(store, kept=kept, found=problems, entries=False)
        return _verdict(seen.head, found, problems)
    problems += plan.problems
    try:
        with _walking(store, segments, workers) as parts:
            audit.check(store, head=head, kept=kept, found=problems, entries=False)
            for part in parts:
                found.append(part)
                problems += (LogProblem(*place) for place in part.problems)
                if progress:
                    progress(sum(one.entries for one in found))
        problems += _careful(lambda: _check_whole(store, head, plan, found))
        if not problems:  # where a stream is broken, what others say about it means nothing
            problems += _careful(lambda: _check_across(store, plan, found, keys))
    except LedgerError as error:
        problems.append(_problem(error))
    return _verdict(head, found, problems)


def _problem(error: LedgerError) -> LogProblem:
    """What an error says, at the place that it names."""
    if isinstance(error, Damaged):
        return LogProblem(error.stream, error.sequence, error.problem)
    return LogProblem(DATABASE, 0, str(error))


def _verdict(head: Head, found: Sequence[SegmentResult], problems: Iterable[LogProblem]) -> AuditVerdict:
    return AuditVerdict(
        head=head,
        entries=head.size,
        events=sum(part.events for part in found),
        rounds=sum(part.rounds for part in found),
        problems=tuple(sorted(set(problems)))[:PROBLEMS_MAX],
    )


def _careful(part: Callable[[], Iterator[LogProblem]]) -> Iterator[LogProblem]:
    """A check that cannot go on says so."""
    try:
        yield from part()
    except LedgerError as error:
        yield _problem(error)
    except Exception as error:  # what somebody wrote there may confuse anything
        yield LogProblem(DATABASE, 0, printable(f"holds what does not belong there: {error!r}"))


class AuditPlan:
    """What is to be walked: the streams that there were at one size of the log."""

    def __init__(self, store: Store, size: int) -> None:
        self.store, self.size = store, size
        self.problems: list[LogProblem] = []
        self.administration = Administration()
        self.others = 0  # entries that belong to no machine: snapshots taken, refusals noted
        self.taken: dict[str, list[SnapshotRecord]] = {}
        self.refused: dict[str, list[ent.RecordedRefusal]] = {}
        names = store.streams()
        self.streams = [
            name for name in names if name != SNAPSHOTS and not name.startswith(ent.REFUSED_PREFIX)
        ]
        self._guarded(self._read_office)
        self._guarded(self._read_taken)
        for name in names:
            if name.startswith(ent.REFUSED_PREFIX):
                self._guarded(lambda name=name: self._read_refused(name))  # type: ignore[misc]

    def _guarded(self, step: Callable[[], None]) -> None:
        self.problems += _careful(lambda: iter(step() or ()))  # type: ignore[func-returns-value]

    def _read_office(self) -> None:
        """The days that were closed; whether they may be is decided with the other streams."""
        for stored in self.store.read(administration.STREAM, size=self.size):
            if stored.entry.sequence == 1 and stored.position != 0:
                self.problems.append(
                    LogProblem(administration.STREAM, 1, "is not the first of the log")
                )
            for event in ent.decode_entry(stored).events:
                self.administration.evolve(event)
        if self.size and self.administration.founded is None:
            self.problems.append(LogProblem(administration.STREAM, 0, "nobody founded this ledger"))

    def _read_taken(self) -> None:
        for stored in self.store.read(SNAPSHOTS, size=self.size):
            self.others += 1
            entry = stored.entry
            try:
                said = msgspec.json.decode(entry.body, type=_Said)
                if canonical(said) != entry.body or entry.id != f"@{entry.sequence}":
                    raise ValueError("it is written otherwise")
            except ValueError as error:
                told = f"is not what the log says about a snapshot: {error}"
                raise Damaged(SNAPSHOTS, entry.sequence, printable(told)) from None
            own = self.taken.setdefault(said.stream, [])
            place = (entry.sequence, entry.at, stored.position)
            own.append(SnapshotRecord(said.stream, said.sequence, said.schema, said.digest, *place))
        for stream in self.taken.keys() - set(self.streams):
            told = printable(f"a snapshot was taken of {stream!r}, which is no stream")
            self.problems.append(LogProblem(SNAPSHOTS, self.taken[stream][0].number, told))

    def _read_refused(self, name: str) -> None:
        for stored in self.store.read(name, size=self.size):
            self.others += 1
            refused = ent.decode_refusal(stored)
            if refused.stream == approvals.STREAM and refused.stream not in self.streams:
                self.streams.append(refused.stream)  # all that was ever asked of it was refused
            if refused.stream not in self.streams:
                told = "was refused by a stream that is not there"
                raise Damaged(name, stored.entry.sequence, told)
            self.refused.setdefault(refused.stream, []).append(refused)

    def segments(self) -> list[Segment]:
        """Stretches of about the same length."""
        kept = {
            (name, sequence, form)
            for name, sequence, form in self.store.ask(
                "SELECT name, sequence, schema FROM snapshot JOIN stream ON number = stream"
            )
        }
        found: list[Segment] = []
        for stream in self.streams:
            form = aggregate_types.schema_of(stream)
            bounds: list[tuple[int, str]] = [(0, "")]
            for taken in self.taken.get(stream, ()):
                known = taken.schema == form and (stream, taken.sequence, form) in kept
                if known and taken.sequence - bounds[-1][0] >= SEGMENT_ENTRIES:
                    bounds.append((taken.sequence, taken.digest))
            ends = [*(sequence for sequence, _ in bounds[1:]), None]
            for number, ((start, digest), end) in enumerate(zip(bounds, ends, strict=True)):
                found.append(self._segment(stream, number, start, digest, end))
        return found

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
            taken=tuple(t for t in self.taken.get(stream, ()) if start <= t.sequence <= last),
            refused=tuple(
                refused
                for refused in self.refused.get(stream, ())
                if (start < refused.after <= last) or (not start and refused.after <= 0)
            ),
        )


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the log says about a snapshot."""

    digest: str
    schema: int
    sequence: int
    stream: str


@contextmanager
def _walking(
    store: Store, segments: list[Segment], workers: int | None
) -> Iterator[Iterator[SegmentResult]]:
    """What every segment brings back; other processes begin at once where the record is long."""
    if workers is None:
        size = segments[0].size if segments else 0
        workers = (os.cpu_count() or 1) if size >= PARALLEL_FROM else 1
    if workers <= 1 or len(segments) <= 1:
        yield (check_segment(store, segment) for segment in segments)
        return
    pool = _pool(workers)
    try:
        yield _gathered(store, segments, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _gathered(
    store: Store, segments: list[Segment], pool: ProcessPoolExecutor
) -> Iterator[SegmentResult]:
    """The work is given out now, and what comes back is told as it comes."""
    left = dict(enumerate(segments))
    waiting: dict[Future[SegmentResult], int] = {}
    with suppress(BrokenProcessPool):
        for number, segment in left.items():
            waiting[pool.submit(_work, store.address, segment)] = number

    def gather() -> Iterator[SegmentResult]:
        with suppress(BrokenProcessPool):
            for done in as_completed(waiting):
                checked = done.result()
                del left[waiting[done]]
                yield checked
        for segment in left.values():  # no processes can be had here, or somebody ended them
            yield check_segment(store, segment)

    return gather()


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


_stores: dict[Address, Store] = {}


def _work(address: Address, segment: Segment) -> SegmentResult:
    if address not in _stores:
        _stores[address] = Store(address, create=False, readonly=True, damaged=True)
    return check_segment(_stores[address], segment)


def _check_whole(
    store: Store, head: Head, plan: AuditPlan, found: list[SegmentResult]
) -> Iterator[LogProblem]:
    """No entry and no mark is left over that nobody looked at."""
    if any(part.problems for part in found) or plan.problems:
        return
    entries = sum(part.entries for part in found) + plan.others
    if entries != head.size:
        yield LogProblem(DATABASE, 0, f"{entries} entries are in streams, the log has {head.size}")
    ((marks,),) = store.ask("SELECT count(*) FROM mark WHERE position < ?", (head.size,))
    right = sum(part.marks for part in found)
    if marks != right:
        yield LogProblem(DATABASE, 0, f"entries are found by {marks} marks, should be by {right}")
    ((beyond,),) = store.ask(
        "SELECT count(*) FROM mark WHERE position > (SELECT max(position) FROM entry)"
    )
    if beyond:
        yield LogProblem(DATABASE, 0, f"{beyond} marks lead beyond the log")


def _check_across(
    store: Store, plan: AuditPlan, found: list[SegmentResult], keys: Sequence[PublicKey]
) -> Iterator[LogProblem]:
    told = cross_stream.join_segments(part for part in found if part.entries)
    founded = plan.administration.founded
    if founded is not None:  # which is named where it is missing
        for place in cross_stream.check_tables(told, founded, find_house_in(store)):
            yield LogProblem(*place)
    for place in cross_stream.check_groups(told):
        yield LogProblem(*place)
    for place in cross_stream.check_people(told):
        yield LogProblem(*place)
    for place in cross_stream.check_openings(told, plan.administration):
        yield LogProblem(*place)
    for place in cross_stream.check_tests(told):
        yield LogProblem(*place)
    for place in cross_stream.check_days(store, plan.administration, told, keys):
        yield LogProblem(*place)
