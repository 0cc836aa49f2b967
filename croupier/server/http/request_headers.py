"""Headers of a raw ASGI request."""

from __future__ import annotations

from starlette.types import Scope


def header_value(scope: Scope, name: bytes) -> bytes:
    """One header of a raw request, without parsing the others."""
    for key, value in scope["headers"]:
        if key == name:
            header: bytes = value
            return header
    return b""
