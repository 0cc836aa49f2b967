"""Verification: the chain is whole, every round follows from its House, every cent adds up.

A stream is checked in segments between snapshots, in parallel where it is long: each segment
starts from the state a snapshot holds and must arrive at the state of the next one, so together
they prove what one pass from the beginning would.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import msgspec

from croupier.ledger import cross, houses
from croupier.ledger.chain import GENESIS, hash_head
from croupier.ledger.errors import LedgerError
from croupier.ledger.segments import Checked, Segment, check
from croupier.ledger.store import Store

SEGMENT_EVENTS = 50_000  # at least so many per segment, if snapshots allow
PARALLEL_FROM = 150_000  # below that, starting processes costs more than it saves

Progress = Callable[[int], None]  # told how many events have been checked so far


class Problem(msgspec.Struct, frozen=True):
    """Something that is wrong, and with which event; sequence 0 is the stream as a whole."""

    stream: str
    sequence: int
    what: str

    def __str__(self) -> str:
        place = f"{self.stream} event {self.sequence}" if self.sequence else self.stream
        return f"{place}: {self.what}"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found."""

    events: int
    rounds: int
    number: int  # of the head
    head: str
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        if self.ok:
            return f"verified: {self.events:,} events, {self.rounds:,} rounds, head {self.head}"
        return "\n".join(["NOT verified", *map(str, self.problems)])


def verify(
    database: str | Path | Store,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Check everything in a database and say which event is wrong, if one is.

    The database is only read. `workers` is the number of processes; None means as many as there
    are cores when the record is long.
    """
    if isinstance(database, Store):
        return _verify(database, workers, progress)
    with Store(database, create=False) as store:
        return _verify(store, workers, progress)


def _verify(store: Store, workers: int | None, progress: Progress | None) -> Verdict:
    problems: list[Problem] = []
    number, head, tips = _check_heads(store, problems)
    _check_houses(store, problems)
    segments = list(_segments(store, tips))
    found = []
    done = 0
    for checked in _check_all(store, segments, workers):
        found.append(checked)
        done += checked.events
        if checked.problem:
            problems.append(Problem(*checked.problem))
        if progress:
            progress(done)
    problems += _check_tips(found, tips)
    if not problems:
        problems += [Problem(*what) for what in cross.check(store, found)]
    return Verdict(
        events=sum(checked.events for checked in found),
        rounds=sum(checked.rounds for checked in found),
        number=number,
        head=head,
        problems=tuple(sorted(problems, key=lambda p: (p.stream, p.sequence))),
    )


def _check_heads(
    store: Store, problems: list[Problem]
) -> tuple[int, str, dict[str, tuple[int, str]]]:
    """The chain of heads, and the last tip that they name for every stream."""
    number, previous = 0, GENESIS
    tips: dict[str, tuple[int, str]] = {}
    read = msgspec.json.Decoder(dict[str, tuple[int, str]]).decode
    for head in store.heads():
        what = ""
        if head.number != number + 1:
            what = f"head {number + 1} is missing"
        elif head.previous_hash != previous:
            what = "does not follow the head before it"
        elif hash_head(head.number, head.previous_hash, head.streams, head.time) != head.hash:
            what = "was changed: its hash is wrong"
        else:
            try:
                named = read(head.streams)
            except msgspec.MsgspecError as error:
                what = f"cannot be read: {error}"
        if what:
            problems.append(Problem("head", head.number, what))
            break
        if any(tips.get(name, (0, ""))[0] >= tip[0] for name, tip in named.items()):
            problems.append(Problem("head", head.number, "a stream does not move forward"))
            break
        tips |= named
        number, previous = head.number, head.hash
    return number, previous, tips


def _check_houses(store: Store, problems: list[Problem]) -> None:
    for digest, text in store.houses().items():
        try:
            houses.read(digest, text)
        except (LedgerError, msgspec.MsgspecError, AssertionError) as error:
            problems.append(Problem(f"house:{digest[:12]}", 0, str(error)))


def _segments(store: Store, tips: dict[str, tuple[int, str]]) -> Iterator[Segment]:
    for stream in sorted(set(store.streams()) | set(tips)):
        kept = store.snapshots(stream)
        start, start_hash, start_data = 0, GENESIS, ""
        inside: list[tuple[int, str, str]] = []
        for sequence, own, data in kept:
            inside.append((sequence, own, data))
            if sequence - start >= SEGMENT_EVENTS:
                yield Segment(stream, start, start_hash, start_data, sequence, tuple(inside))
                start, start_hash, start_data, inside = sequence, own, data, []
        yield Segment(stream, start, start_hash, start_data, None, tuple(inside))


def _check_all(store: Store, segments: list[Segment], workers: int | None) -> Iterator[Checked]:
    url = store.url.render_as_string(hide_password=False)
    if workers is None:
        events = sum(tip for tip, _ in map(store.tip, {s.stream for s in segments}))
        workers = (os.cpu_count() or 1) if events >= PARALLEL_FROM else 1
    if workers <= 1 or len(segments) == 1:
        for segment in segments:
            yield check(store, segment)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: list[Future[Checked]] = [pool.submit(_work, url, one) for one in segments]
        for done in as_completed(waiting):
            yield done.result()


_stores: dict[str, Store] = {}


def _work(url: str, segment: Segment) -> Checked:
    if url not in _stores:
        _stores[url] = Store(url, create=False)
    return check(_stores[url], segment)


def _check_tips(found: list[Checked], tips: dict[str, tuple[int, str]]) -> list[Problem]:
    """Every stream must end where the newest head that names it says."""
    ends: dict[str, tuple[int, str]] = {}
    broken = {checked.stream for checked in found if checked.problem}
    for checked in found:
        ends[checked.stream] = max(ends.get(checked.stream, (0, GENESIS)), checked.end)
    problems = []
    for stream in sorted(set(tips) | set(ends)):
        end, named = ends.get(stream, (0, GENESIS)), tips.get(stream, (0, GENESIS))
        if stream in broken or end == named:
            continue
        if end[0] < named[0]:
            what = f"the record ends with event {end[0]}, the head names {named[0]}"
            problems.append(Problem(stream, end[0] + 1, what))
        else:
            what = f"no head names it; the newest names event {named[0]}"
            problems.append(Problem(stream, end[0], what))
    return problems
