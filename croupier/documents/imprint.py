"""Imprint of a document: the software version, its commit, and when the document was made.

`SOURCE_DATE_EPOCH` (seconds since 1970) sets the time, so that the same input gives the same bytes;
`CROUPIER_COMMIT` names the commit where the package is not a git checkout.
"""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from croupier.errors import BadInput

EPOCH, COMMIT = "SOURCE_DATE_EPOCH", "CROUPIER_COMMIT"
COMMIT_LENGTH = 12


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
    from croupier import __version__

    commit = os.environ.get(COMMIT) or _checked_out_commit()
    version = f"{__version__} ({commit[:COMMIT_LENGTH]})" if commit else __version__
    return f"Croupier {version}, created {created or created_at():%Y-%m-%d %H:%M:%S} UTC"


@cache
def _checked_out_commit() -> str:
    """The commit of the source tree that this package is part of; "" if it is installed."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""
