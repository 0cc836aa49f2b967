"""Other programs beside which ours is timed: C of this folder, and commands in new processes."""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Clocked(NamedTuple):
    """A program that has run to its end: wall and CPU seconds, and what it printed."""

    wall: float
    cpu: float
    printed: str


@cache
def compiled(name: str) -> str | None:
    """The program of a C file beside this one, or None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source = Path(__file__).with_name(f"{name}.c")
    program = str(Path(_folder().name) / name)
    subprocess.run([compiler, "-O3", "-march=native", source, "-o", program], check=True)
    return program


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where programs lie until this one ends."""
    return tempfile.TemporaryDirectory(prefix="croupier-bench-")


def clocked(*command: str) -> Clocked:
    """Run a command in a process of its own."""
    cpu, wall = _children(), time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Clocked(time.perf_counter() - wall, _children() - cpu, done.stdout)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
