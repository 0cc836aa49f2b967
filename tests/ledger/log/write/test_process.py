"""The separate writer process, which may be killed at any time."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from croupier.ledger.errors import Conflict, Fenced, RepeatedCommand, StoreFailed
from croupier.ledger.log import Entry, Fence, IndexTerm, Snapshot, Store
from croupier.ledger.log.transparency import check
from croupier.ledger.log.write.async_append import AsyncAppender
from croupier.ledger.log.write.ipc import Frames
from tests.ledger.log.sample_entries import AT, entries, one_entry
from tests.support.paths import ROOT

Answer = TypeVar("Answer")


def in_writer_process(store: Store, work: Callable[[AsyncAppender], Awaitable[Answer]]) -> Answer:
    """Do something with a writer of its own, in a new loop."""

    async def run() -> Answer:
        async with AsyncAppender(store, writer_process=True) as waiting:
            return await asyncio.wait_for(work(waiting), 60)

    return asyncio.run(run())


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_is_written_apart_is_what_is_read(store: Store) -> None:
    """Entries, places, marks and snapshots; each is told of its own append, or why not."""
    kept = Snapshot("t1", 2, 3, "state ♠")

    async def work(waiting: AsyncAppender) -> list[Any]:
        stored = await waiting.append(
            entries("t1", 0, 3), index_terms=[IndexTerm("t1", 2, "round", 7)], snapshots=[kept]
        )
        good = [waiting.append(entries(f"u{i}", 0, 2)) for i in range(20)]
        bad = [waiting.append(one_entry("t1", 9))]
        assert waiting.process and alive(waiting.process)
        return [stored, *await asyncio.gather(*good, *bad, return_exceptions=True)]

    stored, *good, late = in_writer_process(store, work)

    assert stored == list(store.read("t1"))
    assert [
        store.read(f"u{i}") is not None and list(store.read(f"u{i}")) for i in range(20)
    ] == good
    assert isinstance(late, Conflict)
    assert [1] == store.find_positions("round", number=7)
    assert kept == store.snapshot("t1", schema=3)
    assert check.verify(store.address).ok


def test_errors_arrive_as_they_were_raised(store: Store) -> None:
    """With what they are about, since whoever wrote reads on from there."""
    store.append(one_entry("a", 0))
    again = Entry.of("a", 2, one_entry("a", 0)[0].id, AT, {"n": 2})
    lost = Fence("SELECT name FROM stream WHERE name = ?", ("a",), ("b",))
    held = Fence("SELECT name FROM stream WHERE name = ?", ("a",), ("a",))

    async def work(waiting: AsyncAppender) -> list[Any]:
        tried = [
            waiting.append(one_entry("a", 5)),
            waiting.append(one_entry("c", 0), fence=lost),
            waiting.append(one_entry("d", 0), fence=held),
        ]
        first = await asyncio.gather(*tried, return_exceptions=True)
        return [*first, *await asyncio.gather(waiting.append([again]), return_exceptions=True)]

    conflict, fenced, passed, repeated = in_writer_process(store, work)

    assert isinstance(conflict, Conflict) and conflict.stream == "a"
    assert "expected to follow entry 5, but the log is at 1" in str(conflict)
    assert isinstance(fenced, Fenced) and fenced.stream == "c"
    assert passed == list(store.read("d"))
    assert isinstance(repeated, RepeatedCommand)
    assert ("a", again.id) == (repeated.stream, repeated.command_id)


def test_what_does_not_fit_at_once_is_sent_on(store: Store) -> None:
    """Snapshots that are larger than any buffer, with others behind them."""
    texts = [random.Random(number).randbytes(1_500_000).hex() for number in range(3)]

    async def work(waiting: AsyncAppender) -> None:
        await asyncio.gather(
            *(
                waiting.append(one_entry(f"s{n}", 0), snapshots=[Snapshot(f"s{n}", 1, 1, text)])
                for n, text in enumerate(texts)
            ),
            *(waiting.append(entries(f"t{n}", 0, 2)) for n in range(5)),
        )

    in_writer_process(store, work)

    assert texts == [getattr(store.snapshot(f"s{n}", schema=1), "text", "") for n in range(3)]
    assert 8 == len(store.streams()) - store.streams().count("@snapshots")


def test_frames_are_put_together_from_any_pieces() -> None:
    """Wherever the bytes are cut."""
    given = [b"", b"a", bytes(range(256)) * 3]
    wire = b"".join(len(each).to_bytes(4, "big") + each for each in given)
    for step in (1, 3, 7, 1000):
        frames = Frames()
        found = [
            frame
            for start in range(0, len(wire), step)
            for frame in frames.take(wire[start : start + step])
        ]
        assert given == found


def test_a_writer_that_is_killed_fails_what_it_had(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for ever; it is logged, the next append begins another, the record goes on."""

    async def work(waiting: AsyncAppender) -> tuple[int, int]:
        await waiting.append(one_entry("a", 0))
        first = waiting.process
        os.kill(first, signal.SIGSTOP)  # so that it is killed before it writes
        lost = asyncio.ensure_future(waiting.append(one_entry("a", 1)))
        await asyncio.sleep(0.05)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(StoreFailed, match="its writer has ended"):
            await lost
        await waiting.append(one_entry("a", 1))
        return first, waiting.process

    first, second = in_writer_process(store, work)

    (logged,) = (each for each in caplog.records if each.name == "croupier.ledger")

    told = vars(logged)

    assert (-9, "1 appends were on their way") == (told["status"], told["why"])
    assert first != second
    assert not alive(first) and not alive(second)
    assert 2 == store.stream_tip("a")[0]
    assert check.verify(store.address).ok


def test_whenever_it_is_killed_nothing_that_was_durable_is_lost(store: Store) -> None:
    """Many tables append, and the process is killed again and again in between."""
    durable = dict.fromkeys((f"t{number}" for number in range(8)), 0)
    kills = 0

    async def play(waiting: AsyncAppender, stream: str) -> None:
        while kills < 6 or durable[stream] < 40:
            told = durable[stream]
            try:
                await waiting.append(entries(stream, told, 2))
                durable[stream] = told + 2
            except (StoreFailed, Conflict):  # the record says what became of it, soon or late
                found = (await asyncio.to_thread(store.stream_tip, stream))[0]
                assert found in (told, told + 2)
                durable[stream] = found

    async def kill(waiting: AsyncAppender) -> None:
        nonlocal kills
        script = random.Random(7)
        while kills < 6:
            await asyncio.sleep(script.uniform(0.0, 0.05))
            if waiting.process and sum(durable.values()) >= 40 * kills:
                os.kill(waiting.process, signal.SIGKILL)
                kills += 1

    async def work(waiting: AsyncAppender) -> None:
        await asyncio.gather(*(play(waiting, stream) for stream in durable), kill(waiting))

    in_writer_process(store, work)

    assert durable == {stream: store.stream_tip(stream)[0] for stream in durable}
    assert check.verify(store.address).ok


def test_it_is_not_interrupted_before_its_server(store: Store) -> None:
    """Ctrl-C and a service that is stopped reach the whole group of processes."""

    async def work(waiting: AsyncAppender) -> None:
        await waiting.append(one_entry("a", 0))
        for interruption in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(waiting.process, interruption)
        before = waiting.process
        await waiting.append(one_entry("a", 1))
        assert before == waiting.process

    in_writer_process(store, work)

    assert 2 == store.stream_tip("a")[0]


def test_closing_finishes_what_is_on_its_way(store: Store) -> None:
    """And nothing is taken afterwards."""

    async def run() -> tuple[int, list[Any]]:
        waiting = AsyncAppender(store, writer_process=True)
        await waiting.append(one_entry("a", 0))
        process = waiting.process
        given = [asyncio.ensure_future(waiting.append(entries(f"t{n}", 0, 4))) for n in range(9)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await waiting.close()
        assert all(each.done() for each in given)
        with pytest.raises(StoreFailed, match="closed"):
            await waiting.append(one_entry("a", 1))
        return process, [await each for each in given]

    process, stored = asyncio.run(run())

    assert not alive(process)
    assert stored == [list(store.read(f"t{n}")) for n in range(9)]


LEFT = """
import asyncio, os, signal, sys
from croupier.ledger.log import Store
from croupier.ledger.log.write.async_append import AsyncAppender
from tests.ledger.log.sample_entries import one_entry

async def main():
    waiting = AsyncAppender(Store(sys.argv[1]), writer_process=True)
    await waiting.append(one_entry("a", 0))
    print(waiting.process, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_it_ends_with_the_server_that_is_killed(tmp_path: Path) -> None:
    """Nobody is left who would write for somebody that is gone."""
    done = subprocess.run(
        [sys.executable, "-c", LEFT, str(tmp_path / "ledger.db")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=False,
    )
    writer = int(done.stdout)
    end = time.monotonic() + 30
    while alive(writer) and time.monotonic() < end:
        time.sleep(0.01)

    assert not alive(writer)
    with Store(tmp_path / "ledger.db") as store:
        assert 1 == store.stream_tip("a")[0]


class Breaking:
    """Faults that never strike."""

    def point(self, where: str) -> None:
        """Go on."""


def test_faults_and_reading_stay_in_this_process(tmp_path: Path) -> None:
    """What is made to fail on purpose must be where it is looked at."""

    async def work(waiting: AsyncAppender) -> None:
        await waiting.append(one_entry("a", 0))
        assert not waiting.process

    with Store(tmp_path / "ledger.db", faults=Breaking()) as store:
        in_writer_process(store, work)
        assert 1 == store.stream_tip("a")[0]


def test_a_process_that_cannot_be_begun_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table stops, as it does when a disk fails; nothing is lost."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))

    def work(waiting: AsyncAppender) -> Coroutine[Any, Any, Any]:
        return waiting.append(one_entry("a", 0))

    with Store(tmp_path / "ledger.db") as store:
        with pytest.raises(StoreFailed, match="cannot be started"):
            in_writer_process(store, work)
        assert 0 == store.stream_tip("a")[0]
