"""One thread for password hashing, apart from the threads that everything else uses.

A hash takes about a tenth of a second and 64 MiB, on purpose. Wrong sign-ins wait for each other,
and nothing else waits for them.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from croupier.server.http.errors import TooManyRequests

WAITING_MAX = 50  # attempts that wait or run
WAITING_PER_ADDRESS_MAX = 5  # of one client address

Result = TypeVar("Result")


class PasswordPool:
    """Runs functions that hash passwords, one at a time."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "passwords")
        self._waiting: Counter[str] = Counter()  # by client address
        self._rests_until = 0.0

    async def run(self, address: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function for a client; TooManyRequests if too many wait already."""
        waiting = self._waiting
        if waiting[address] >= WAITING_PER_ADDRESS_MAX or waiting.total() >= WAITING_MAX:
            raise TooManyRequests("too many sign-ins at once; wait a moment")
        loop = asyncio.get_running_loop()
        waiting[address] += 1
        future = loop.run_in_executor(self._executor, self._work, work, *arguments)
        future.add_done_callback(lambda _: self._done(address))
        return await asyncio.shield(future)

    def _work(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Rest as long as the attempt before took: hashing uses all cores of a small machine."""
        time.sleep(max(0.0, self._rests_until - time.monotonic()))
        started = time.monotonic()
        try:
            return work(*arguments)
        finally:
            ended = time.monotonic()
            self._rests_until = 2 * ended - started

    def _done(self, address: str) -> None:
        self._waiting[address] -= 1
        self._waiting += Counter()  # without the addresses at 0

    def close(self) -> None:
        """Let the thread end."""
        self._executor.shutdown(wait=False, cancel_futures=True)
