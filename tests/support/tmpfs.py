"""A file system in memory: what tests write for a moment waits for no disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOM = 2_000_000_000  # bytes; a whole run leaves less than a tenth of it


def tmpfs_directory() -> str | None:
    """A file system in memory with room for databases and servers. None elsewhere."""
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        return str(memory)
    return None
