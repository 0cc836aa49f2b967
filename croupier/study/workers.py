"""Spreading a kernel over the cores: kernels release the interpreter, so threads are enough."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeAlias

Progress: TypeAlias = Callable[[float, str], None]


def silent(done: float, what: str) -> None:
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
    return ThreadPoolExecutor(cores(), thread_name_prefix="study")


def over(count: int, work: Callable[[int, int], object], parts: int = 32) -> None:
    """Call `work(first, last)` on slices that cover `range(count)` and share no output."""
    edges = [count * part // parts for part in range(parts + 1)]
    pairs = [(low, high) for low, high in pairwise(edges) if low < high]
    for _ in pool().map(lambda pair: work(*pair), pairs):
        pass
