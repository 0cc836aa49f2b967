"""Answers, one line at a time: from a person, from a file, or from a test."""

from __future__ import annotations

import contextlib
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TextIO, TypeAlias

if TYPE_CHECKING:
    from types import FrameType

# Given a prompt, the next answer; EOFError at the end, KeyboardInterrupt for Ctrl-C.
Reader: TypeAlias = Callable[[str], str]

PATIENCE_SECONDS = 2.0


def person(prompt: str) -> str:
    """A line typed at the terminal, with line editing where the platform has it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (importing it is what gives `input` its editing keys)
    with interruptible():
        return input(prompt)


def forget_typed() -> None:
    """Drop what was typed before anything was asked, where the platform can."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def script(answers: Iterator[str], echo: Callable[[str], None]) -> Reader:
    """Lines out of a pipe, repeated after their prompt so that the transcript reads well."""

    def read(prompt: str) -> str:
        with interruptible():
            answer = next(answers, "")
        if not answer:
            echo(f"{prompt}(end of answers)")
            raise EOFError
        answer = answer.rstrip("\r\n")
        echo(f"{prompt}{answer}".rstrip())
        return answer

    return read


def has_content(stream: TextIO, patience: float = PATIENCE_SECONDS) -> bool:
    """Whether a piped stream has something to read; an open, silent pipe is given up on."""
    try:
        ready, _, _ = select.select([stream], [], [], patience)
    except (OSError, ValueError, TypeError):
        return True  # not a stream that can be waited for: reading it will tell
    return bool(ready)


_waiting = threading.Event()
_interrupted = threading.Event()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """The only moments at which Ctrl-C may interrupt: while an answer is awaited."""
    if _interrupted.is_set():
        _interrupted.clear()
        raise KeyboardInterrupt
    _waiting.set()
    try:
        yield
    finally:
        _waiting.clear()


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Hold back Ctrl-C while money moves: it is delivered at the next prompt."""

    def hold_back(number: int, frame: FrameType | None) -> None:
        if _waiting.is_set():
            raise KeyboardInterrupt
        _interrupted.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, hold_back)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _interrupted.clear()


def forgiving(stream: TextIO) -> TextIO:
    """The stream, made to read odd bytes as question marks instead of failing on them."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        with contextlib.suppress(ValueError, OSError):
            reconfigure(errors="replace")
    return stream


def standard_input() -> TextIO | None:
    """Standard input, or None where it is closed."""
    stream: TextIO | None = sys.stdin
    if stream is None or stream.closed:
        return None
    try:
        stream.fileno()
    except (OSError, ValueError, AttributeError):
        return stream  # a stand-in of a test
    return stream
