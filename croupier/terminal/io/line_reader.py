"""Line readers: answers from the keyboard or from a file, and the handling of Ctrl-C."""

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

# Takes a prompt and returns the next line; EOFError at the end, KeyboardInterrupt for Ctrl-C.
Reader: TypeAlias = Callable[[str], str]

PIPE_TIMEOUT_SECONDS = 2.0


def read_line(prompt: str) -> str:
    """Read a line from the terminal, with line editing if the platform has it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (importing it gives `input` its editing keys)
    with interruptible():
        return input(prompt)


def discard_typeahead() -> None:
    """Discard keys typed before the prompt, if the platform can."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def scripted_reader(answers: Iterator[str], echo: Callable[[str], None]) -> Reader:
    """A reader of lines from a pipe, which echoes them so that the transcript is complete."""

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


def has_content(stream: TextIO, timeout: float = PIPE_TIMEOUT_SECONDS) -> bool:
    """Whether a piped stream has something to read within the timeout."""
    try:
        ready, _, _ = select.select([stream], [], [], timeout)
    except (OSError, ValueError, TypeError):
        return True  # `select` does not support this stream; reading it will show
    return bool(ready)


_waiting = threading.Event()
_interrupted = threading.Event()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Allow Ctrl-C to interrupt this block; used only while waiting for an answer."""
    if _interrupted.is_set():
        _interrupted.clear()
        raise KeyboardInterrupt
    _waiting.set()
    try:
        yield
    finally:
        _waiting.clear()


@contextlib.contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C to the next prompt, so that it never interrupts a transaction."""

    def defer(number: int, frame: FrameType | None) -> None:
        if _waiting.is_set():
            raise KeyboardInterrupt
        _interrupted.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, defer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        _interrupted.clear()


def replace_invalid_bytes(stream: TextIO) -> TextIO:
    """Make the stream read invalid bytes as replacement characters instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        with contextlib.suppress(ValueError, OSError):
            reconfigure(errors="replace")
    return stream


def standard_input() -> TextIO | None:
    """Standard input, or None if it is closed."""
    stream: TextIO | None = sys.stdin
    if stream is None or stream.closed:
        return None
    return stream
