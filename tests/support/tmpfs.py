"""An in-memory file system for temporary files of tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FREE_BYTES_MIN = 2_000_000_000  # a full test run uses less than a tenth of it


def tmpfs_directory() -> str | None:
    """Return a directory on a tmpfs with enough free space, or None if there is none."""
    shm = Path("/dev/shm")
    if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > FREE_BYTES_MIN:
        return str(shm)
    return None
