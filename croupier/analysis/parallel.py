"""Thread pool for kernels, which release the GIL; reusable buffers; progress callbacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

Progress: TypeAlias = Callable[[float, str], None]
Buffer = TypeVar("Buffer")


def no_progress(done: float, what: str) -> None:
    """Progress callback that does nothing."""


@cache
def cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def pool() -> Executor:
    """The shared pool of one thread per core."""
    return ThreadPoolExecutor(cores(), thread_name_prefix="analysis")


def parallel_for(count: int, work: Callable[[int, int], object], parts: int = 32) -> None:
    """Call `work(first, last)` in parallel on slices that cover `range(count)`.

    Calls must not write to the same output.
    """
    edges = [count * part // parts for part in range(parts + 1)]
    pairs = [(low, high) for low, high in pairwise(edges) if low < high]
    for _ in pool().map(lambda pair: work(*pair), pairs):
        pass


class BufferPool(Generic[Buffer]):
    """Reusable buffers for concurrent work: at most one per thread that runs at the same time."""

    def __init__(self, make: Callable[[], Buffer]) -> None:
        self.make = make
        self.buffers: list[Buffer] = []
        self._free: list[Buffer] = []

    @contextmanager
    def borrow(self) -> Iterator[Buffer]:
        """Exclusive use of a buffer; it still holds what earlier users accumulated in it."""
        try:
            buffer = self._free.pop()
        except IndexError:
            buffer = self.make()
            self.buffers.append(buffer)
        yield buffer
        self._free.append(buffer)
