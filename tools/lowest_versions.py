"""Prints the lowest allowed version of every dependency, as constraints for pip.

    python -m tools.lowest_versions > lowest.txt
    pip install -c lowest.txt -e '.[server]'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS = ("analysis", "documents", "ledger", "server")  # not what only tests need
_RANGE = re.compile(r"([\w-]+)(?:\[\w+\])?>=([\w.]+)")


def lowest_versions(project: Path = PROJECT) -> Iterator[str]:
    """A pin for each dependency of the package and of `EXTRAS`."""
    declared = tomllib.loads(project.read_text("utf-8"))["project"]
    extras = declared["optional-dependencies"]
    for requirement in (*declared["dependencies"], *(r for name in EXTRAS for r in extras[name])):
        if match := _RANGE.match(requirement):
            yield f"{match[1]}=={match[2]}"


if __name__ == "__main__":
    print("\n".join(dict.fromkeys(lowest_versions())))
