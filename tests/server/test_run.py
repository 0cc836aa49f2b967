"""`croupier serve`: start, sign-in links, graceful shutdown, a port in use."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from croupier.ledger.audit.verify import verify
from croupier.server.app import LINK_SECONDS
from tests.support.floor_server import serving
from tests.support.paths import ROOT
from tests.support.run_python import run_python


def test_demonstration_starts_and_stops(tmp_path: Path) -> None:
    """A link signs in once; an interrupt ends the process; the record verifies."""
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
        link = re.search(r"http\S+", served.stdout.readline())
        assert link is not None
        jar = urllib.request.HTTPCookieProcessor()
        browser = urllib.request.build_opener(jar)
        page = browser.open(link[0]).read().decode()
        assert "croupier-lobby" in page
        lobby = json.load(browser.open(f"{address}/tables"))
        assert 6 == len(lobby["tables"])
        services = {table["id"]: (table["service"], table["open"]) for table in lobby["tables"]}
        assert ("attended", True) == services["Harbor 1"]
        form = urllib.request.build_opener().open(f"{address}/sign-in").read().decode()
        assert all(f'value="{name}"' in form for name in ("dana", "frank", "sam", "olga", "tina"))
        visit = urllib.request.Request(f"{address}/visit", b"name=frank", {"origin": address})
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        visitor.open(visit).close()
        assert "frank" == json.load(visitor.open(f"{address}/me"))["account"]
        stranger = urllib.request.Request(f"{address}/visit", b"name=root", {"origin": address})
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.build_opener().open(stranger)
        assert 403 == error.value.code
        error.value.close()
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.build_opener().open(link[0])
        assert 403 == error.value.code
        error.value.close()
    finally:
        served.send_signal(signal.SIGINT)
        _, log = served.communicate(timeout=20)
    for line in log.splitlines():
        assert json.loads(line)["level"] in ("info", "warning"), line
    accounts = tmp_path / "floor.db.people"
    assert 0o600 == accounts.stat().st_mode & 0o777
    assert verify(tmp_path / "floor.db").ok


def test_port_in_use_is_reported(tmp_path: Path) -> None:
    """Exit status 2 with a message; no database is created."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = ("-m", "croupier.cli", "serve", "--port", port)
        done = run_python(*command, cwd=tmp_path, env=environment, timeout=60)
    assert 2 == done.returncode
    assert f"cannot listen at 127.0.0.1 port {port}" in done.stderr
    assert ["croupier.db-server"] == [path.name for path in tmp_path.iterdir()]  # the lock


def test_a_sign_in_link_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an hour it signs nobody in."""
    with serving(tmp_path) as world:
        assert world.server is not None
        token = world.server.sign_in_link("ann").removeprefix("/enter/")
        assert world.server.find_sign_in_link(token)
        later = time.monotonic() + LINK_SECONDS + 1
        monkeypatch.setattr(time, "monotonic", lambda: later)
        assert None is world.server.find_sign_in_link(token)
