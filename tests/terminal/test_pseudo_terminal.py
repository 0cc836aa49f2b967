"""A pseudo-terminal of 80 columns and 24 rows: keys, Ctrl-C, Ctrl-D, screens that fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

import fcntl
import pty
import select
import struct
import termios

from tests.terminal.scripted_sessions import Played

RUN = (
    "import sys; from croupier import terminal;"
    "sys.exit(terminal.play(seed=4, game='ultimate', plain=True))"
)
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CTRL_C, CTRL_D = "\x03", "\x04"


def run_in_terminal(home: Path, *keys: str) -> tuple[int, list[str]]:
    """The exit status and all screens; each key is typed after a prompt."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
    } | {"CROUPIER_HOME": str(home), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=environment,
        # The pseudo-terminal must be the controlling one for Ctrl-C to become a signal.
        preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)),  # type: ignore[func-returns-value]
    )
    os.close(inner)
    text = ""
    for key in (*keys, None):
        text += until_prompt(outer)
        if key is not None:
            os.write(outer, key.encode())
    status = process.wait(timeout=30)
    os.close(outer)
    return status, text.split("\x1b[2J")


def until_prompt(outer: int) -> str:
    """Output up to the next prompt, or to the end of the process."""
    output = b""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        ready, _, _ = select.select([outer], [], [], 0.15)
        if ready:
            try:
                chunk = os.read(outer, 65536)
            except OSError:
                break
            if not chunk:
                break
            output += chunk
        elif SEQUENCE.sub("", output.decode("utf-8", "replace")).rstrip("\x00").endswith("> "):
            break
    return output.decode("utf-8", "replace")


def rows(screen: str) -> list[str]:
    """The rows of a screen without escape sequences."""
    return SEQUENCE.sub("", screen).replace("\r", "").split("\n")


def test_a_round_fits_the_screen(home: Path) -> None:
    """Every screen has at most 24 rows of at most 80 columns."""
    status, screens = run_in_terminal(
        home, "trips 5, prog on\r", "\r", "c\r", "c\r", "1x\r", "?\r", "q\r", "q\r"
    )
    text = SEQUENCE.sub("", "".join(screens)).replace("\r", "")

    assert status == 0 and "Traceback" not in text
    assert "┌─ Ultimate Texas Hold'Em Poker" in text
    assert "You leave with" in text
    for screen in screens:
        assert len(rows(screen)) <= 25, screen
        assert max(len(row) for row in rows(screen)) <= 80
    assert Played(status, text, home).conserved()


@pytest.mark.parametrize("keys", [(CTRL_C,), (CTRL_D,), ("\r", CTRL_C, CTRL_C), ("\r", CTRL_D)])
def test_interrupts_end_the_session(keys: tuple[str, ...], home: Path) -> None:
    """Before and during a round: status 0, no traceback, money conserved."""
    status, screens = run_in_terminal(home, *keys)
    text = SEQUENCE.sub("", "".join(screens)).replace("\r", "")

    assert status == 0 and "Traceback" not in text
    assert "You leave with" in text
    assert Played(status, text, home).conserved()
