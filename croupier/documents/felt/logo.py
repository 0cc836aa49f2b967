"""The operator's logo, read from an image file and embedded in the drawing."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import msgspec

from croupier.errors import BadInput

KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
BYTES_MAX = 4_000_000


class Logo(msgspec.Struct, frozen=True):
    """An image as a data URL, and its alternative text."""

    source: str
    about: str


def read_logo(path: Path, about: str) -> Logo:
    """Read a logo; BadInput if the file is missing, too large or not a supported image."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise BadInput(
            f"logo {path.name}: not a supported image, expected {', '.join(KINDS)} [2.B.1]"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"logo {path} cannot be read: {error.strerror or error} [2.B.1]") from None
    if len(content) > BYTES_MAX:
        raise BadInput(f"logo {path.name} has {len(content)} bytes, expected at most {BYTES_MAX}")
    return Logo(f"data:{kind};base64,{b64encode(content).decode()}", about)
