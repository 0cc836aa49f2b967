"""Log lines: JSON whatever writes them, and short whatever people type."""

from __future__ import annotations

import io
import json
import logging
import resource
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.server.client import Client, ResponseError
from croupier.server.json_logging import LENGTH_MAX, configure_json_logging
from tests.support.floor_server import PASSWORD, run, serving

LOGGERS = ("", "croupier", "uvicorn")


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The log of a server; the loggers are restored afterwards."""
    kept = [(logging.getLogger(name), logging.getLogger(name).handlers[:]) for name in LOGGERS]
    levels = [(logger, logger.level, logger.propagate) for logger, _ in kept]
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    written = io.StringIO()
    configure_json_logging(written)
    yield written
    logging.captureWarnings(False)
    for logger, handlers in kept:
        logger.handlers[:] = handlers
    for logger, level, propagate in levels:
        logger.setLevel(level)
        logger.propagate = propagate


def lines(log: io.StringIO) -> list[dict[str, str]]:
    """The lines; every one must be JSON."""
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_every_line_is_json(log: io.StringIO, capfd: pytest.CaptureFixture[str]) -> None:
    """Of libraries, warnings, threads and destructors too; nothing else is written."""
    logging.getLogger("asyncio").error("a task failed")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("an old interface", DeprecationWarning, stacklevel=1)
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    sys.unraisablehook(
        type("Args", (), {"exc_value": ValueError("in a destructor"), "object": None})()
    )
    errors = [line.get("error", line["message"][:40]) for line in lines(log)]
    assert "a task failed" == errors[0] and errors[2:] == ["ZeroDivisionError", "ValueError"]
    assert "" == capfd.readouterr().err


def test_what_people_type_is_shortened(log: io.StringIO, tmp_path: Path) -> None:
    """A name of 60,000 characters at the sign-in."""

    async def attempt(address: str) -> None:
        async with Client(address) as client:
            with pytest.raises(ResponseError):
                await client.sign_in("x" * 60_000, PASSWORD)

    with serving(tmp_path) as world:
        run(attempt(world.address))
    denied = [line for line in log.getvalue().splitlines() if '"denied"' in line]
    assert denied and all(len(line) < 3 * LENGTH_MAX for line in denied)


def test_running_out_of_file_descriptors_is_logged(log: io.StringIO, tmp_path: Path) -> None:
    """Once, and the end of it."""

    def wait_for(text: str) -> None:
        deadline = time.monotonic() + 30
        while text not in log.getvalue() and time.monotonic() < deadline:
            time.sleep(0.1)

    with serving(tmp_path):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
            wait_for("no file descriptors left")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        wait_for("file descriptors are available again")
    assert 1 == log.getvalue().count("no file descriptors left")
    assert 1 == log.getvalue().count("file descriptors are available again")
