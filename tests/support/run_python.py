"""Runs Python in another process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from tests.support.paths import ROOT


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the repository; the options are those of `subprocess.run`."""
    command = [sys.executable, *map(str, arguments)]
    settings: dict[str, Any] = {"cwd": ROOT, "check": False, "encoding": "utf-8"}
    return subprocess.run(command, capture_output=True, **settings | options)
