"""Runs `croupier` commands in this process, with the lazy command tree of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.testing import CliRunner, Result

from croupier.cli.lazy_commands import asked_for
from croupier.cli.main import app


def invoke(arguments: Sequence[object], **options: Any) -> Result:
    """Run a command; returns its output, exit code and exception."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(asked_for(app, words), words, **options)


def succeed(*arguments: str) -> str:
    """Run a command that succeeds; returns its output."""
    result = invoke(arguments)
    assert 0 == result.exit_code, result.output
    return result.output


def fail(*arguments: str) -> str:
    """Run a command that reports an error; returns its output."""
    result = invoke(arguments)
    assert 2 == result.exit_code, result.output
    return result.output
