"""The programs of the bot tutorial and of the protocol page run as printed, but for the port."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.run_python import run_python
from tests.support.server_processes import Process

BOTS = {"tutorial_bot.md": "The round is over.", "protocol.md": "snapshot"}


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", BOTS)
def test_documented_bot_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands before it create its account; the server has the demo tables."""
    password, admit, serve = blocks(page, "sh")[0].splitlines()
    name, _, value = password.removeprefix("export ").partition("=")
    monkeypatch.setenv(name, value.strip("'"))
    monkeypatch.setenv("CROUPIER_DATABASE", str(tmp_path / "croupier.db"))
    done = run_python("-m", "croupier.cli", *admit.split()[1:], cwd=tmp_path)
    assert 0 == done.returncode, done.stderr
    options = serve.removeprefix("croupier serve").split()
    server = Process(str(tmp_path / "croupier.db"), *options, "--port", "0").serving()
    try:
        program = blocks(page, "python")[0].replace("http://127.0.0.1:8000", server.address)
        done = run_python("-c", program, cwd=tmp_path, timeout=60)
    finally:
        server.stop()

    assert 0 == done.returncode, done.stderr
    assert BOTS[page] in done.stdout
