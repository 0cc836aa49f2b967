"""A picture that stands for the operator's name, read from a file and carried in the drawing."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import msgspec

from croupier.errors import BadInput

KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
MOST_BYTES = 4_000_000


class Logo(msgspec.Struct, frozen=True):
    """A picture as a data address, and what it shows."""

    source: str
    about: str


def read_logo(path: Path, about: str) -> Logo:
    """The picture of a file; BadInput if there is none that a drawing can carry."""
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise BadInput(f"logo {path.name}: a picture is expected, {', '.join(KINDS)} [2.B.1]")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"logo {path} cannot be read: {error.strerror or error} [2.B.1]") from None
    if len(content) > MOST_BYTES:
        raise BadInput(f"logo {path.name} has {len(content)} bytes, expected {MOST_BYTES} at most")
    return Logo(f"data:{kind};base64,{b64encode(content).decode()}", about)
