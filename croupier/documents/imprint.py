"""Imprint of a document: the software version, its commit, and when the document was made.

`SOURCE_DATE_EPOCH` (seconds since 1970) sets the time, so that the same input gives the same bytes.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from croupier.errors import BadInput
from croupier.software_identity import version_text

EPOCH = "SOURCE_DATE_EPOCH"


def created_at() -> datetime:
    """The time of making a document: the input of the environment, or now, to the second."""
    stated = os.environ.get(EPOCH)
    if stated is None:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        return datetime.fromtimestamp(int(stated), UTC)
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{EPOCH} is {stated!r}; expected seconds since 1970") from None


def imprint(created: datetime | None = None) -> str:
    """The version, the commit if it is known, and the time: the line on every document."""
    return f"Croupier {version_text()}, created {created or created_at():%Y-%m-%d %H:%M:%S} UTC"
