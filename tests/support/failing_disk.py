"""Programs that run on a disk whose writes and syncs fail or hang on demand (Linux)."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.run_python import run_python

EIO, ENOSPC = errno.EIO, errno.ENOSPC
SOURCE = Path(__file__).with_name("failing_disk.c")

PRELUDE = """
import os, signal, sys, time
from pathlib import Path
from croupier.ledger.errors import LedgerError, StoreFailed
from croupier.ledger.log import Append, Store
from tests.ledger.log.log_verdict import verify
from tests.ledger.log.sample_entries import entries

path = Path(sys.argv[1])

def fault(text):
    Path(os.environ["FAULT_FILE"]).write_text(text)

def repair():
    Path(os.environ["FAULT_FILE"]).unlink(missing_ok=True)

def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)

def kill():
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)

def fails(store, after, count=5):
    try:
        store.append(entries("a", after, count))
    except StoreFailed as failed:
        return str(failed)
    raise AssertionError("acknowledged")
"""


class FailingDisk:
    """Runs programs with the library preloaded; skips the test where it cannot be compiled."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None or not sys.platform.startswith("linux"):
            pytest.skip("injecting disk faults needs Linux and a C compiler")
        self.library = folder / "failing_disk.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", self.library, SOURCE], check=True)

    def run(self, program: str, path: Path, fault: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program after PRELUDE on the ledger at `path`; `fault` exists from the start."""
        control = path.with_name("fault")
        control.unlink(missing_ok=True)
        if fault:
            control.write_text(fault)
        return run_python(
            "-c",
            PRELUDE + program,
            path,
            env={**os.environ, "LD_PRELOAD": str(self.library), "FAULT_FILE": str(control)},
        )
