"""An end to waiting: a server that hangs is given up, whatever the network says.

Time-outs of the server help against long statements, not against a server that is stopped; the
operating system waits for ever on a local socket. So a thread of our own cuts the line.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Watchdog:
    """Cuts the connection of whoever has waited too long for an answer."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waiting: dict[int, tuple[float, Any]] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, driver: Any) -> Iterator[None]:
        """Everything inside together is given the time of one answer."""
        token = id(driver)
        with self._lock:
            self._waiting[token] = (time.monotonic() + self.seconds, driver)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="ledger-watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(token, None)

    def close(self) -> None:
        """Watch no longer."""
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.wait(min(0.25, self.seconds / 4)):
            now = time.monotonic()
            with self._lock:
                late = [token for token, (end, _) in self._waiting.items() if end < now]
                for token in late:
                    _cut(self._waiting.pop(token)[1])


def _cut(driver: Any) -> None:
    """End a connection under the feet of the thread that waits for it."""
    with (
        contextlib.suppress(Exception),  # it may have ended by itself in this moment
        socket.socket(fileno=os.dup(driver.fileno())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)
