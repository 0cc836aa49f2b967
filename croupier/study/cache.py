"""Where study keeps what it has worked out: a folder of the user, files written whole or not."""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.generic]]


def folder() -> Path:
    """The cache folder: `CROUPIER_CACHE`, or `croupier` under the user's own cache folder."""
    if chosen := os.environ.get("CROUPIER_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "croupier" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "croupier"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


def load(name: str) -> Arrays | None:
    """The arrays kept under a name, or None when there are none or the file is damaged."""
    import numpy as np

    try:
        path = folder() / f"{name}.npz"
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            return {key: found[key] for key in found.files}
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        return None  # a damaged file is as good as none: what it held is worked out again


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
    except OSError:  # a cache that cannot be written only costs time
        if temporary:
            Path(temporary).unlink(missing_ok=True)
