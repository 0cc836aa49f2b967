"""Lazy building of commands gives the same output as the whole program."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from croupier.cli.lazy_commands import asked_for, commands, name_of
from croupier.cli.main import app

NAMES = [name_of(info) for info in commands(app)]
ARGUMENTS = [
    [],
    ["-h"],
    ["--help"],
    ["--version"],
    ["--bogus"],
    ["chek"],
    ["check", "--bogus"],
    ["audit"],
    ["audit", "verify", "--help"],
    *([name, "--help"] for name in NAMES),
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
def test_output_equals_the_whole_program(arguments: list[str]) -> None:
    """The same output and exit code, for help and errors too."""
    whole, part = (
        CliRunner().invoke(program, arguments) for program in (app, asked_for(app, arguments))
    )

    assert (whole.exit_code, whole.output) == (part.exit_code, part.output)


def test_one_command_is_built() -> None:
    """Only the named command is built; the list has all commands without options."""
    assert {"check", "felt", "serve"} < set(NAMES)
    (only,) = asked_for(app, ["check", "x.toml"]).registered_commands
    assert "check" == name_of(only)
    assert len(NAMES) == len(asked_for(app, ["--help"]).registered_commands)


def test_shell_completion_uses_the_whole_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Completion needs the options of every command."""
    monkeypatch.setenv("_CROUPIER_COMPLETE", "complete_bash")

    assert app is asked_for(app, ["check"])
