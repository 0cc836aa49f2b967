"""Spreading a kernel over the cores: kernels release the interpreter, so threads are enough."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

Progress: TypeAlias = Callable[[float, str], None]
Buffer = TypeVar("Room")


def no_progress(done: float, what: str) -> None:
    """Report to nobody."""


@cache
def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def pool() -> Executor:
    """One thread per core, made when first needed."""
    return ThreadPoolExecutor(cores(), thread_name_prefix="analysis")


def parallel_for(count: int, work: Callable[[int, int], object], parts: int = 32) -> None:
    """Call `work(first, last)` on slices that cover `range(count)` and share no output."""
    edges = [count * part // parts for part in range(parts + 1)]
    pairs = [(low, high) for low, high in pairwise(edges) if low < high]
    for _ in pool().map(lambda pair: work(*pair), pairs):
        pass


class BufferPool(Generic[Buffer]):
    """Rooms for work that goes on at the same time: no more of them are made than that."""

    def __init__(self, make: Callable[[], Buffer]) -> None:
        self.make = make
        self.every: list[Buffer] = []
        self._free: list[Buffer] = []

    @contextmanager
    def one(self) -> Iterator[Buffer]:
        """A room of one's own for a while; what was left there before is still in it."""
        try:
            room = self._free.pop()
        except IndexError:
            room = self.make()
            self.every.append(room)
        yield room
        self._free.append(room)
