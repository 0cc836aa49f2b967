"""Synchronization of the system clock, as the kernel knows it, recorded every hour."""

from __future__ import annotations

import asyncio
import ctypes
import logging

import msgspec

from croupier.errors import CroupierError
from croupier.ledger.aggregates.administration import NoteClock
from croupier.server.floor import Floor

PERIOD_SECONDS = 3600.0
OFFSET_MAX_MS = 1_000  # beyond it there is a warning
TIME_ERROR = 5  # the state of a clock that nothing synchronizes
log = logging.getLogger("croupier.server")


class ClockState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the clock is synchronized, and by how much it may be off."""

    synchronized: bool | None  # None where the system does not tell
    offset_ms: int | None = None  # upper bound of the error, if synchronized


class _NtpTime(ctypes.Structure):
    """`struct ntptimeval` of the C library; the last field leaves room for reserved ones."""

    _fields_ = (
        ("seconds", ctypes.c_long),
        ("microseconds", ctypes.c_long),
        ("maximum_error", ctypes.c_long),
        ("estimated_error", ctypes.c_long),
        ("reserved", ctypes.c_long * 16),
    )


def read_clock_state() -> ClockState:
    """Ask the kernel, which the time service of the system keeps informed."""
    try:
        ask = ctypes.CDLL(None, use_errno=True).ntp_gettime
    except (OSError, AttributeError, TypeError):
        return ClockState(synchronized=None)
    answer = _NtpTime()
    state = ask(ctypes.byref(answer))
    if state < 0:
        return ClockState(synchronized=None)
    if state == TIME_ERROR:
        return ClockState(synchronized=False)
    return ClockState(synchronized=True, offset_ms=answer.maximum_error // 1000)


class ClockWatch:
    """Records the state of the clock of this server."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    async def run(self) -> None:
        """Record it again and again until cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(PERIOD_SECONDS)

    async def check(self) -> ClockState:
        """Record the state, with a warning if the clock may be wrong."""
        state = read_clock_state()
        if state.synchronized is False:
            log.warning("the clock is not synchronized; start a time service")
        elif state.offset_ms is not None and state.offset_ms > OFFSET_MAX_MS:
            log.warning("the clock may be off", extra={"milliseconds": state.offset_ms})
        command = NoteClock(synchronized=state.synchronized, offset_ms=state.offset_ms)
        try:
            await self.floor.administer(command)
        except CroupierError as error:
            log.error("the clock could not be recorded", extra={"why": str(error)})
        return state
