"""Firefox over WebDriver BiDi, which it serves itself: no driver program is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

EXECUTABLES = ("firefox-esr", "firefox")
HELP = (
    "this test needs Firefox: install it (apt-get install firefox-esr) or set "
    "CROUPIER_FIREFOX=/path/to/firefox"
)
START_SECONDS = 60


def find_firefox() -> str:
    """The path of an installed Firefox; an empty string if there is none."""
    configured = os.environ.get("CROUPIER_FIREFOX", "")
    return configured or next((path for name in EXECUTABLES if (path := shutil.which(name))), "")


class FirefoxPage:
    """A tab; `errors` collects what its scripts throw or log as an error."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.ids = count(1)
        self.errors: list[str] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        (tab,) = self.call("browsingContext.getTree")["contexts"]
        self.tab = tab["context"]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result."""
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=START_SECONDS))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message}"
                return dict(message["result"])

    def goto(self, address: str) -> None:
        """Open a page and wait until it has loaded."""
        self.call("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        target = {"context": self.tab}
        answer = self.call(
            "script.evaluate", expression=expression, target=target, awaitPromise=True
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        deadline = time.monotonic() + START_SECONDS
        while not self.evaluate(f"Boolean({expression})"):
            text = self.evaluate("document.body.innerText")
            assert time.monotonic() < deadline, f"not true: {expression}; the page says {text}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press a key."""
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self.call("input.performActions", context=self.tab, actions=[source])


@contextmanager
def firefox_page(folder: Path) -> Iterator[FirefoxPage]:
    """A headless Firefox with a fresh profile in a folder."""
    options = ["--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen([find_firefox(), *options], stdout=quiet, stderr=quiet) as process:
        try:
            address = _address(folder / "WebDriverBiDiServer.json")
            with connect(f"{address}/session", max_size=None) as socket:
                yield FirefoxPage(socket)
        finally:
            process.terminate()


def _address(file: Path) -> str:
    """The address that Firefox writes into its profile when it is ready."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if file.exists() and (text := file.read_text("utf-8")):
            server = json.loads(text)
            return f"ws://{server['ws_host']}:{server['ws_port']}"
        time.sleep(0.1)
    raise AssertionError("Firefox does not start")
