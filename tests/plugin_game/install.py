"""Installs the plugin game Harbor Duel for a test: puts its package and metadata on the path.

The metadata is written from its pyproject.toml instead of by an installer, so that tests need no
network and do not change the environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.games.registry import refresh
from tests.support.run_python import run_python

HERE = Path(__file__).parent
SOURCE = HERE / "src"
ROOT = HERE.parents[1]
KEY = "harbor_duel"


def metadata(folder: Path, editions: Iterable[int] = (1, 2)) -> Path:
    """Write the metadata of the package into a folder, with only these editions."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"harbor_duel-{project['version']}.dist-info"
    info.mkdir(parents=True)
    names = f"Name: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\n{names}", "utf-8")
    entries = project["entry-points"]["croupier.games"]
    lines = [f"{KEY}.{edition} = {entries[f'{KEY}.{edition}']}" for edition in editions]
    text = "\n".join(["[croupier.games]", *lines, ""])
    (info / "entry_points.txt").write_text(text, "utf-8")
    return folder


@contextmanager
def installed(folder: Path, editions: Iterable[int] = (1, 2)) -> Iterator[None]:
    """Install the plugin game in this process for the duration of the context."""
    added = [str(SOURCE), str(metadata(folder, editions))]
    sys.path[:0] = added
    refresh()
    try:
        yield
    finally:
        for path in added:
            sys.path.remove(path)
        refresh()


def croupier(
    folder: Path, *arguments: str | Path, input: str = "", home: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a subprocess with the plugin game installed from a folder."""
    path = os.pathsep.join(map(str, (SOURCE, folder, ROOT)))
    variables = {"CROUPIER_HOME": str(home or folder / "home"), "PYTHONPATH": path}
    return run_python("-m", "croupier.cli", *arguments, input=input, env=os.environ | variables)
