"""Where study keeps what it has worked out: a folder of the user, files written whole or not.

The folder is bounded: what was used longest ago goes first. A folder that cannot be written, as in
a read-only home, only costs time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from croupier import ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.generic]]

MOST_BYTES = 512 * 2**20


def folder() -> Path:
    """The cache folder: `CROUPIER_CACHE`, or the user's own cache folder for Croupier."""
    chosen = os.environ.get("CROUPIER_CACHE")
    return Path(chosen) if chosen else user_cache_path("croupier", appauthor=False)


@cache
def source_digest(code: str = "croupier.ranking") -> str:
    """A digest of the study's own source and of a module: another solver keeps other files.

    The module is named as a game names its solver, "module:name".
    """
    named = import_module(code.partition(":")[0]).__file__ or ""
    sources = {*Path(__file__).parent.rglob("*.py"), Path(ranking.__file__), Path(named)}
    read = hashlib.sha256()
    for path in sorted(sources):
        read.update(path.name.encode() + path.read_bytes())
    return read.hexdigest()[:16]


def load(name: str) -> Arrays | None:
    """The arrays kept under a name, or None when there are none or the file is damaged."""
    import numpy as np

    try:
        path = folder() / f"{name}.npz"
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = {key: found[key] for key in found.files}
    except (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile):
        return None  # a damaged file is as good as none: what it held is worked out again
    with contextlib.suppress(OSError):
        os.utime(path)  # used just now
    return arrays


def load_text(name: str) -> bytes | None:
    """The text kept under a name."""
    found = load(name)
    return bytes(found["text"]) if found is not None and "text" in found else None


def save_text(name: str, text: bytes) -> None:
    """Keep a text under a name."""
    import numpy as np

    save(name, {"text": np.frombuffer(text, np.uint8)})


def load_or_compute(name: str, fields: Collection[str], work: Callable[[], Mapping[str, Any]]) -> Arrays:
    """The arrays of these fields kept under a name; worked out, and kept, where there are none."""
    found = load(name)
    if found is not None and set(found) == set(fields):
        return found
    made = dict(work())
    save(name, made)
    return made


def save(name: str, arrays: Mapping[str, Any]) -> None:
    """Keep arrays under a name; a reader sees the old file or the new one, never half of one."""
    import numpy as np

    temporary = ""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder(), suffix=".tmp", delete=False) as file:
            temporary = file.name
            np.savez(file, **arrays)
        Path(temporary).replace(folder() / f"{name}.npz")
        prune(MOST_BYTES)
    except (OSError, RuntimeError):  # a cache that cannot be written only costs time
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def prune(most_bytes: int) -> None:
    """Remove files, those used longest ago first, until the rest fit; the newest always stays."""
    load_or_compute = sorted(folder().glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for at, path in enumerate(load_or_compute):
        total += path.stat().st_size
        if at and total > most_bytes:
            path.unlink(missing_ok=True)
