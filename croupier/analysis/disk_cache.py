"""Disk cache of computed arrays and texts: one .npz file per key, written atomically.

Location: `CROUPIER_CACHE`, or the user's cache folder. Keys contain a digest of the source code
(`source_digest`), so a changed solver never reads old files. The folder is limited to `MOST_BYTES`;
the least recently used files are removed first. If it cannot be written, results are not cached.
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
    """The cache folder: `CROUPIER_CACHE`, or the user's cache folder for Croupier."""
    configured = os.environ.get("CROUPIER_CACHE")
    return Path(configured) if configured else user_cache_path("croupier", appauthor=False)


@cache
def source_digest(code: str = "croupier.ranking") -> str:
    """A digest of the source of this package, of the ranking, and of the module in `code`.

    `code` is "module:name", as a game names its solver.
    """
    module_file = import_module(code.partition(":")[0]).__file__ or ""
    sources = {*Path(__file__).parent.rglob("*.py"), Path(ranking.__file__), Path(module_file)}
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def load(name: str) -> Arrays | None:
    """The cached arrays under a key, or None if the file is missing or damaged."""
    import numpy as np

    try:
        path = folder() / f"{name}.npz"
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
    except (OSError, ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile):
        return None  # the caller computes a damaged entry again
    with contextlib.suppress(OSError):
        os.utime(path)  # `prune` removes the least recently used files
    return arrays


def load_text(name: str) -> bytes | None:
    """The cached text under a key, or None."""
    arrays = load(name)
    return bytes(arrays["text"]) if arrays is not None and "text" in arrays else None


def save_text(name: str, text: bytes) -> None:
    """Cache a text under a key."""
    import numpy as np

    save(name, {"text": np.frombuffer(text, np.uint8)})


def load_or_compute(
    name: str, fields: Collection[str], compute: Callable[[], Mapping[str, Any]]
) -> Arrays:
    """The cached arrays under a key, if it has exactly these fields; else computed and cached."""
    cached = load(name)
    if cached is not None and set(cached) == set(fields):
        return cached
    arrays = dict(compute())
    save(name, arrays)
    return arrays


def save(name: str, arrays: Mapping[str, Any]) -> None:
    """Cache arrays under a key; a reader sees the old file or the new one, never a partial one."""
    import numpy as np

    temporary = ""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder(), suffix=".tmp", delete=False) as file:
            temporary = file.name
            np.savez(file, **arrays)
        Path(temporary).replace(folder() / f"{name}.npz")
        prune(MOST_BYTES)
    except (OSError, RuntimeError):  # without a cache everything still works
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def prune(most_bytes: int) -> None:
    """Remove the least recently used files until the rest fit; the newest one always stays."""
    newest_first = sorted(
        folder().glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True
    )
    total = 0
    for position, path in enumerate(newest_first):
        total += path.stat().st_size
        if position and total > most_bytes:
            path.unlink(missing_ok=True)
