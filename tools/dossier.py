"""Breaks the rule of each row of the dossier that is met; its test must fail.

    python -m tools.dossier             # all rows, some minutes
    python -m tools.dossier "GLI-19 2.4"  # rows that start so

The edits are in `dossier.toml`. They are made in a copy of the source, one at a time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from croupier.rulebook.dossier import Requirement, requirements

ROOT = Path(__file__).parents[1]
COPIED = ("croupier", "tests", "tools", "docs", "benchmarks", "pyproject.toml", "README.md")
TIMEOUT_SECONDS = 300


class Break(NamedTuple):
    """A row, the file that is edited, its text and the edited text."""

    row: Requirement
    file: str
    old: str
    new: str


def breaks() -> Iterator[Break]:
    """An edit for each row that is met."""
    edits = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for row in requirements():
        if row.verdict == "met":
            edit = edits[row.id]
            yield Break(row, row.code.partition(":")[0], edit["old"], edit["new"])


def fails(folder: Path, test: str) -> bool:
    """Whether a test of the copy fails; an error of the run itself is raised."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", test]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{test}: pytest ended with {done.returncode}\n{done.stdout[-2000:]}")
    return done.returncode == 1


def main(start: str = "") -> int:
    """Print each row whose test does not fail; returns their number."""
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in COPIED:
            source = ROOT / each
            (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / each)
        for row, file, old, new in breaks():
            if not row.id.startswith(start):
                continue
            path = folder / file
            text = path.read_text("utf-8")
            path.write_text(text.replace(old, new, 1), "utf-8")
            caught = fails(folder, row.test)
            path.write_text(text, "utf-8")
            survivors += not caught
            print(f"{'caught' if caught else 'SURVIVED':9}{row.id}  {row.test}", flush=True)
    return survivors


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) and 1)
