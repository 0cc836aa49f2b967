"""`croupier serve`: it starts, says where it is, lets people in by links, and stops gracefully."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from croupier.ledger.audit.verify import verify
from tests.support.paths import ROOT


def test_the_demonstration_is_served_and_stopped(tmp_path: Path) -> None:
    """A link lets somebody in once; an interrupt ends the process; the record verifies."""
    command = [sys.executable, "-m", "croupier.cli", "serve", "--demo", "--port", "0"]
    command += ["--database", str(tmp_path / "floor.db")]
    served = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert served.stdout is not None
        address = served.stdout.readline().split()[-1]
        found = re.search(r"http\S+", served.stdout.readline())
        assert found is not None
        jar = urllib.request.HTTPCookieProcessor()
        browser = urllib.request.build_opener(jar)
        page = browser.open(found[0]).read().decode()
        assert "croupier-lobby" in page
        lobby = json.load(browser.open(f"{address}/tables"))
        assert 6 == len(lobby["tables"])
        served_by = {table["id"]: (table["service"], table["open"]) for table in lobby["tables"]}
        assert ("attended", True) == served_by["Harbor 1"]
        door = urllib.request.build_opener().open(f"{address}/sign-in").read().decode()
        assert all(f'value="{name}"' in door for name in ("dana", "frank", "sam", "olga", "tina"))
        visit = urllib.request.Request(f"{address}/visit", b"name=frank", {"origin": address})
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        visitor.open(visit).close()
        assert "frank" == json.load(visitor.open(f"{address}/me"))["account"]
        stranger = urllib.request.Request(f"{address}/visit", b"name=root", {"origin": address})
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.build_opener().open(stranger)
        assert 403 == error.value.code
        error.value.close()
        again = urllib.request.build_opener()
        with pytest.raises(urllib.error.HTTPError) as error:
            again.open(found[0])
        assert 403 == error.value.code
        error.value.close()
    finally:
        served.send_signal(signal.SIGINT)
        _, said = served.communicate(timeout=20)
    for line in said.splitlines():
        assert json.loads(line)["level"] in ("info", "warning"), line
    kept = tmp_path / "floor.db.people"
    assert 0o600 == kept.stat().st_mode & 0o777
    assert verify(tmp_path / "floor.db").ok


def test_a_port_that_is_taken_is_said_plainly(tmp_path: Path) -> None:
    """Status 2 and a sentence, and no database is made."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "croupier.cli", "serve", "--port", port]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert 2 == done.returncode
    assert f"cannot listen at 127.0.0.1 port {port}" in done.stderr
    assert [] == list(tmp_path.iterdir())
