"""Which games installed packages enter: the entry points of one group, read from their files.

`importlib.metadata` reads the same, but takes a fifth of the time in which a submission is checked:
it imports the parser of mails and looks at every package for every group. It is asked only where no
file is found, as in a program that was packed into one archive.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

GROUP = "croupier.games"
INFORMATION = (".dist-info", ".egg-info")  # how a folder ends in which a package is described
FILE = "entry_points.txt"


def entered() -> dict[str, str]:
    """Where each game is, by the name under which it is entered."""
    found = {name: place for text in texts() for name, place in entries(text)}
    return found or asked()


def asked() -> dict[str, str]:
    """The same, from Python's own library."""
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def texts() -> Iterator[str]:
    """What packages enter; of a package that is there twice, what Python would import."""
    heading, seen = f"[{GROUP}]", set()
    for folder in dict.fromkeys(sys.path):
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:  # an archive, or gone
            continue
        for name in names:
            package = name.partition("-")[0].lower()
            if not name.endswith(INFORMATION) or package in seen:
                continue
            seen.add(package)
            try:
                with open(os.path.join(folder, name, FILE), encoding="utf-8") as file:
                    text = file.read()
            except OSError:  # most enter nothing
                continue
            if heading in text:
                yield text


def entries(text: str) -> Iterator[tuple[str, str]]:
    """The lines `name = module:object` of our group; other groups, comments and blanks are not."""
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]").strip()
        elif group == GROUP and "=" in line and not line.startswith(("#", ";")):
            name, _, place = line.partition("=")
            yield name.strip(), place.strip()


def object_at(place: str) -> Any:
    """What is entered as `module:object`, imported."""
    module, _, name = place.partition(":")
    found: Any = import_module(module.strip())
    for part in filter(None, name.strip().split(".")):
        found = getattr(found, part)
    return found
