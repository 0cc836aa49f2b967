"""Only the command that is asked for is built, and nobody can tell."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from croupier.cli.lazy_commands import asked_for, commands, name_of
from croupier.cli.main import app

NAMES = [name_of(info) for info in commands(app)]
ASKED = [
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


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_the_answer_is_that_of_the_whole_program(arguments: list[str]) -> None:
    """Word for word, help and errors too."""
    whole, part = (CliRunner().invoke(each, arguments) for each in (app, asked_for(app, arguments)))

    assert (whole.exit_code, whole.output) == (part.exit_code, part.output)


def test_one_command_is_built() -> None:
    """Its options alone are looked at; of the list, none."""
    assert {"check", "felt", "serve"} < set(NAMES)
    (only,) = asked_for(app, ["check", "x.toml"]).registered_commands
    assert "check" == name_of(only)
    assert len(NAMES) == len(asked_for(app, ["--help"]).registered_commands)


def test_a_shell_that_completes_sees_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was typed so far."""
    monkeypatch.setenv("_CROUPIER_COMPLETE", "complete_bash")

    assert app is asked_for(app, ["check"])
