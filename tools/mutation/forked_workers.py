"""Runs work in forked processes: imports are shared, and patches do not leave the child."""

from __future__ import annotations

import gc
import os
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import msgspec

Answer = TypeVar("Answer")
# CPU seconds per test; a mutant that causes an endless loop counts as caught.
TIME_LIMIT = 60


class TookTooLong(Exception):
    """A test exceeded the time limit."""


def run_forked(
    works: Sequence[Callable[[], Answer]], kind: type[Answer], jobs: int = 1
) -> Iterator[tuple[int, Answer]]:
    """Run each function in a forked child; yield its index and result when it is done.

    Results are sent as JSON of type `kind`. At most `jobs` children run at once.
    """
    gc.freeze()  # keeps the collector from touching, and so copying, shared pages
    waiting = list(enumerate(works))[::-1]
    running: dict[int, tuple[int, int, bytearray]] = {}  # by pipe: index, process, output so far
    while waiting or running:
        while waiting and len(running) < jobs:
            number, work = waiting.pop()
            pipe, process = fork(work)
            running[pipe] = (number, process, bytearray())
        for pipe in select.select(list(running), [], [])[0]:
            part = os.read(pipe, 1 << 16)
            number, process, answer = running[pipe]
            answer += part
            if not part:
                os.close(pipe)
                os.waitpid(process, 0)
                del running[pipe]
                yield number, msgspec.json.decode(bytes(answer), type=kind)


def fork(work: Callable[[], Answer]) -> tuple[int, int]:
    """Start a child; the pipe of its output, and its process id."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return reading, process
    os.close(reading)
    silence = os.open(os.devnull, os.O_RDWR)
    error = os.dup(2)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    signal.signal(signal.SIGPROF, too_long)
    try:
        answer = msgspec.json.encode(work())
        while answer:
            answer = answer[os.write(writing, answer) :]
    except BaseException as problem:  # a child must never return to the code of its parent
        os.write(error, f"worker failed: {problem!r}\n".encode())
    os._exit(0)


def too_long(number: int, frame: object) -> None:
    raise TookTooLong(f"more than {TIME_LIMIT} seconds")
