"""The state of the clock is recorded, and a wrong clock is a warning."""

from __future__ import annotations

import asyncio
import ctypes
from pathlib import Path

import pytest

from croupier.ledger import entry_codec
from croupier.ledger.aggregates import administration
from croupier.ledger.audit.verify import verify
from croupier.server import Floor, clock_sync
from croupier.server.clock_sync import ClockState, ClockWatch, read_clock_state
from tests.support.floor_server import serving


@pytest.mark.parametrize(
    ("state", "warning"),
    [
        (ClockState(synchronized=True, offset_ms=12), ""),
        (ClockState(synchronized=True, offset_ms=1_001), "the clock may be off"),
        (ClockState(synchronized=False), "the clock is not synchronized"),
        (ClockState(synchronized=None), ""),
    ],
)
def test_the_state_is_recorded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    state: ClockState,
    warning: str,
) -> None:
    """With a warning beyond one second, or without synchronization."""
    monkeypatch.setattr(clock_sync, "read_clock_state", lambda: state)

    async def check(floor: Floor) -> object:
        await asyncio.gather(*(ClockWatch(floor).check() for _ in range(3)))  # also at once
        *_, last = floor.ledger.store.read(administration.STREAM)
        return entry_codec.decode_entry(last).events[0]

    with serving(tmp_path) as world:
        event = world.within(check)
    assert isinstance(event, administration.ClockNoted)
    assert (state.synchronized, state.offset_ms) == (event.synchronized, event.offset_ms)
    warnings = [each.message for each in caplog.records if each.message.startswith("the clock")]
    assert bool(warning) == bool(warnings) and all(warning in each for each in warnings)
    assert verify(world.database).ok


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (0, ClockState(synchronized=True, offset_ms=2_500)),
        (5, ClockState(synchronized=False)),
        (-1, ClockState(synchronized=None)),
    ],
)
def test_the_kernel_is_asked(
    monkeypatch: pytest.MonkeyPatch, answer: int, expected: ClockState
) -> None:
    """It states the greatest possible error; an error of the call is no state."""

    class Library:
        def __init__(self, *arguments: object, **options: object) -> None: ...

        @staticmethod
        def ntp_gettime(reference: object) -> int:
            reference._obj.maximum_error = 2_500_000  # type: ignore[attr-defined]
            return answer

    monkeypatch.setattr(ctypes, "CDLL", Library)
    assert expected == read_clock_state()


def test_this_system_is_asked() -> None:
    """Any system gives a state."""
    state = read_clock_state()
    assert state.synchronized or state.offset_ms is None
