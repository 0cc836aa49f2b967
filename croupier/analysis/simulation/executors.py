"""Who plays the blocks: threads of this process, other processes, or a Dask cluster.

A block that comes back is written to disk at once. Whoever is lost on the way costs only the
blocks that were being played there; they are given to somebody else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.connection import wait as wait_for_end
from multiprocessing.context import BaseContext
from threading import Thread
from typing import Any

from croupier.analysis.parallel import cores
from croupier.analysis.simulation.blocks import RoundBlock, SimulationPlan, play_block
from croupier.errors import BadInput

MOST_LOSSES = 20  # in a row; then it is no accident
SWITCH_SECONDS = 0.000_05
AHEAD = 2**10  # blocks that a cluster has at once: enough for any, and they fit into its memory
STARTED = "croupier.analysis.simulation.worker_preload"
BlockResults = Iterator[tuple[int, RoundBlock]]


def process_context() -> BaseContext:
    """Where worker processes come from: a server that has loaded what they need, or a new start.

    The server is another process, so that no thread of this one is ever forked.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    server = get_context("forkserver")
    server.set_forkserver_preload(["__main__", STARTED])
    return server


def exit_with_parent() -> None:
    """A worker whose parent is killed would wait for its next block forever."""
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def leave() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    Thread(target=leave, name="leave with the parent", daemon=True).start()


def start_fork_server(workers: int | None) -> None:
    """Let the server of worker processes load while this process does something else."""
    if workers and process_context().get_start_method() == "forkserver":
        from multiprocessing.forkserver import ensure_running

        ensure_running()


def run_in_threads(
    what: SimulationPlan,
    wanted: Sequence[int],
    threads: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """Kernels release the interpreter, so that threads are enough on one machine.

    Between two kernels a thread needs the interpreter for some microseconds. Whoever settles holds
    it, by Python's usual interval for longer than a kernel takes: it is told to let go sooner.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        with ThreadPoolExecutor(threads, thread_name_prefix="rounds") as pool:
            yield from _handed_out(pool, what, wanted, threads, work)
    finally:
        sys.setswitchinterval(before)


def run_in_processes(
    what: SimulationPlan,
    wanted: Sequence[int],
    processes: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """So many processes; when one dies the others are started anew, and play what is missing."""
    left, losses = list(wanted), 0
    while left:
        pool = ProcessPoolExecutor(processes, process_context(), exit_with_parent)
        try:
            for number, block in _handed_out(pool, what, left, processes, work):
                left.remove(number)
                losses = 0
                yield number, block
        except BrokenProcessPool:
            losses += 1
            if losses > MOST_LOSSES:
                raise BadInput(
                    f"workers died {losses} times before they finished a block"
                ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _handed_out(
    pool: Executor,
    what: SimulationPlan,
    wanted: Sequence[int],
    at_once: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """A few blocks ahead of the workers, never all: their results would fill the memory."""
    waiting = list(reversed(wanted))
    running: dict[Future[RoundBlock], int] = {}
    while waiting or running:
        while waiting and len(running) < 2 * at_once:
            number = waiting.pop()
            running[pool.submit(work, what, number)] = number
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


def run_on_cluster(what: SimulationPlan, wanted: Sequence[int], address: str | Any) -> BlockResults:
    """The workers of a Dask scheduler; what a lost worker was playing is played again."""
    dask: Any = import_module("distributed")  # it has no types
    client = dask.Client(address, timeout=10) if isinstance(address, str) else address
    losses = 0
    waiting = list(reversed(wanted))
    running: dict[Any, int] = {}

    def submit(number: int) -> Any:
        future = client.submit(play_block, what, number, pure=False, retries=MOST_LOSSES)
        running[future] = number
        return future

    try:
        coming = dask.as_completed([submit(waiting.pop()) for _ in wanted[:AHEAD]])
        for future in coming:
            number = running.pop(future)
            try:
                block = future.result()
            except dask.KilledWorker:
                losses += 1
                if losses > MOST_LOSSES:
                    raise BadInput(f"the cluster lost {losses} workers") from None
                coming.add(submit(number))
                continue
            future.release()
            if waiting:
                coming.add(submit(waiting.pop()))
            yield number, block
    finally:
        if isinstance(address, str):
            client.close()


def run_blocks(
    what: SimulationPlan,
    wanted: Sequence[int],
    workers: int | None = None,
    cluster: str | Any = None,
) -> BlockResults:
    """Blocks as they come, in any order: on a cluster, in processes, or in threads."""
    if not wanted:
        return iter(())
    if cluster:
        return run_on_cluster(what, wanted, cluster)
    if workers is not None and workers < 1:
        raise BadInput(f"{workers} workers; expected 1 or more")
    if workers:
        return run_in_processes(what, wanted, workers)
    return run_in_threads(what, wanted, cores())
