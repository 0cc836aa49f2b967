"""Notifies listeners when Numba compiles a kernel, which takes seconds on the first run only.

`kernels` reports here; this module imports no Numba, so that a command can listen before it knows
whether it needs a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[], None]] = []


@contextmanager
def on_compilation(listener: Callable[[], None]) -> Iterator[None]:
    """Call `listener` whenever a kernel is compiled during a block, from the compiling thread."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def notify() -> None:
    """Call all listeners."""
    for listener in tuple(_listeners):
        listener()
