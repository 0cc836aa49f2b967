"""Compiles and times other programs: the C files of this folder, and commands."""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Timing(NamedTuple):
    """Wall and CPU seconds of a program, and its output."""

    wall: float
    cpu: float
    output: str


@cache
def compile_program(name: str) -> str | None:
    """Compile a C file of this folder; returns the program, or None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source = Path(__file__).with_name(f"{name}.c")
    program = str(Path(_folder().name) / name)
    subprocess.run([compiler, "-O3", "-march=native", source, "-o", program], check=True)
    return program


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for programs, deleted at exit."""
    return tempfile.TemporaryDirectory(prefix="croupier-bench-")


def time_command(*command: str) -> Timing:
    """Run a command in a new process and time it."""
    cpu, wall = _children_cpu(), time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Timing(time.perf_counter() - wall, _children_cpu() - cpu, done.stdout)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
