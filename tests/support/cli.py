"""The program in this process, as `croupier` runs it: only what is asked for is built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.testing import CliRunner, Result

from croupier.cli.lazy_commands import asked_for
from croupier.cli.main import app


def invoke(arguments: Sequence[object], **options: Any) -> Result:
    """Run a command; what it printed, how it ended, and what it raised."""
    words = [str(each) for each in arguments]
    return CliRunner().invoke(asked_for(app, words), words, **options)
