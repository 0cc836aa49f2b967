"""Runs `croupier` commands in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.testing import CliRunner, Result

from croupier.cli.main import app


def invoke(arguments: Sequence[object], **options: Any) -> Result:
    """Run a command; returns its output, exit code and exception."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


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
