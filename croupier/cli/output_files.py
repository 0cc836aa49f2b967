"""Output files of commands: their paths are checked first, and nothing is ever overwritten."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from croupier.errors import BadInput


def check_output(path: Path, suffixes: Sequence[str]) -> None:
    """Raise BadInput before any work is done if the path exists or its suffix is not supported."""
    if path.suffix.lower() not in suffixes:
        raise BadInput(f"{path.name}: expected a {' or '.join(suffixes)} file")
    check_new_path(path)


def check_new_path(path: Path) -> None:
    """Raise BadInput if the path exists, or cannot be created."""
    if path.exists() or path.is_symlink():
        raise BadInput(f"{path} exists already; nothing is overwritten")
    if not path.parent.is_dir():
        raise BadInput(f"{path} cannot be created: {path.parent} is not a folder")
    if not os.access(path.parent, os.W_OK):
        raise BadInput(f"{path} cannot be created: no permission to write to {path.parent}")


def write_new_file(path: Path, content: bytes) -> None:
    """Write a file that does not exist yet; an incomplete file is removed."""
    try:
        with open(path, "xb") as file:
            file.write(content)
    except FileExistsError:
        raise BadInput(f"{path} exists already; nothing is overwritten") from None
    except OSError as error:
        with suppress(OSError):
            path.unlink()  # incomplete, for example because the disk is full
        raise BadInput(f"{path} cannot be written: {error.strerror or error}") from None


def write_new_folder(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Create a folder with these files; returns their paths."""
    try:
        folder.mkdir()
    except OSError as error:
        raise BadInput(f"{folder} cannot be created: {error.strerror or error}") from None
    for name, content in files.items():
        write_new_file(folder / name, content)
    return [str(folder / name) for name in files]
