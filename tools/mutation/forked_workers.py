"""Work in forked children: everything is imported once, and what a child breaks dies with it."""

from __future__ import annotations

import gc
import os
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import msgspec

Answer = TypeVar("Answer")
# Seconds of the processor for one test: a mutant that makes it go on for ever is noticed.
LONGEST = 60


class TookTooLong(Exception):
    """A test that does not come to an end."""


def ask(
    works: Sequence[Callable[[], Answer]], kind: type[Answer], jobs: int = 1
) -> Iterator[tuple[int, Answer]]:
    """Do each piece of work in a child of its own; its number and answer as soon as it is done."""
    gc.freeze()  # what is never collected is never copied
    waiting = list(enumerate(works))[::-1]
    running: dict[int, tuple[int, int, bytearray]] = {}  # by pipe: number, process, answer so far
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
    """Start a child; the pipe that its answer comes through, and its process."""
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
    except BaseException as problem:  # a child never returns into its parent's work
        os.write(error, f"a child failed: {problem!r}\n".encode())
    os._exit(0)


def too_long(number: int, frame: object) -> None:
    """The alarm of one test."""
    raise TookTooLong(f"more than {LONGEST} seconds")
