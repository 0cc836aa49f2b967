"""Executors for blocks: threads of this process, worker processes, or a Dask cluster.

Finished blocks are stored at once. A lost worker costs only the blocks it was playing; they are
submitted again.
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

MOST_LOSSES = 20  # consecutive worker losses before giving up
SWITCH_SECONDS = 0.000_05
AHEAD = 2**10  # blocks submitted to a cluster at once: enough for its workers and its memory
PRELOAD = "croupier.analysis.simulation.worker_preload"
BlockResults = Iterator[tuple[int, RoundBlock]]


def process_context() -> BaseContext:
    """The multiprocessing context: a preloaded fork server if available, else spawn.

    The fork server is a separate process, so no thread of this one is ever forked.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    server = get_context("forkserver")
    server.set_forkserver_preload(["__main__", PRELOAD])
    return server


def exit_with_parent() -> None:
    """End this worker when its parent dies; otherwise it would wait for work forever."""
    parent = parent_process()
    assert parent is not None, "a worker has a parent"

    def exit_on_parent_end() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    Thread(target=exit_on_parent_end, name="exit with parent", daemon=True).start()


def start_fork_server(workers: int | None) -> None:
    """Start the fork server now, so that it preloads while this process prepares the game."""
    if workers and process_context().get_start_method() == "forkserver":
        from multiprocessing.forkserver import ensure_running

        ensure_running()


def run_in_threads(
    plan: SimulationPlan,
    wanted: Sequence[int],
    threads: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """Run blocks in threads: kernels release the GIL.

    Between two kernels a thread needs the GIL for some microseconds, but the settling thread would
    hold it for Python's default switch interval, longer than a kernel takes; so it is shortened.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        with ThreadPoolExecutor(threads, thread_name_prefix="rounds") as pool:
            yield from _submit_ahead(pool, plan, wanted, threads, work)
    finally:
        sys.setswitchinterval(before)


def run_in_processes(
    plan: SimulationPlan,
    wanted: Sequence[int],
    processes: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """Run blocks in worker processes; if one dies, the pool is restarted for the missing blocks."""
    left, losses = list(wanted), 0
    while left:
        pool = ProcessPoolExecutor(processes, process_context(), exit_with_parent)
        try:
            for number, block in _submit_ahead(pool, plan, left, processes, work):
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


def _submit_ahead(
    pool: Executor,
    plan: SimulationPlan,
    wanted: Sequence[int],
    at_once: int,
    work: Callable[..., RoundBlock] = play_block,
) -> BlockResults:
    """Submit a few blocks ahead of the workers, not all: their results would fill the memory."""
    waiting = list(reversed(wanted))
    running: dict[Future[RoundBlock], int] = {}
    while waiting or running:
        while waiting and len(running) < 2 * at_once:
            number = waiting.pop()
            running[pool.submit(work, plan, number)] = number
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


def run_on_cluster(plan: SimulationPlan, wanted: Sequence[int], address: str | Any) -> BlockResults:
    """Run blocks on a Dask cluster; blocks of a lost worker are submitted again."""
    dask: Any = import_module("distributed")  # it has no types
    client = dask.Client(address, timeout=10) if isinstance(address, str) else address
    losses = 0
    waiting = list(reversed(wanted))
    running: dict[Any, int] = {}

    def submit(number: int) -> Any:
        future = client.submit(play_block, plan, number, pure=False, retries=MOST_LOSSES)
        running[future] = number
        return future

    try:
        completed = dask.as_completed([submit(waiting.pop()) for _ in wanted[:AHEAD]])
        for future in completed:
            number = running.pop(future)
            try:
                block = future.result()
            except dask.KilledWorker:
                losses += 1
                if losses > MOST_LOSSES:
                    raise BadInput(f"the cluster lost {losses} workers") from None
                completed.add(submit(number))
                continue
            future.release()
            if waiting:
                completed.add(submit(waiting.pop()))
            yield number, block
    finally:
        if isinstance(address, str):
            client.close()


def run_blocks(
    plan: SimulationPlan,
    wanted: Sequence[int],
    workers: int | None = None,
    cluster: str | Any = None,
) -> BlockResults:
    """Run blocks on a cluster, in processes, or in threads; yields them as they complete."""
    if not wanted:
        return iter(())
    if cluster:
        return run_on_cluster(plan, wanted, cluster)
    if workers is not None and workers < 1:
        raise BadInput(f"{workers} workers; expected 1 or more")
    if workers:
        return run_in_processes(plan, wanted, workers)
    return run_in_threads(plan, wanted, cores())
